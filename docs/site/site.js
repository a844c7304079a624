// The search reads its index from a server; a page that is opened from disk has none.
if (location.protocol === "file:") {
  document.querySelectorAll('[role="search"]').forEach((box) => box.remove());
}
// On a phone a wide table is a list of rows, whose cells say what they are (site.css).
document.querySelectorAll(".rst-content table.docutils").forEach((table) => {
  const heads = [...table.querySelectorAll("thead th")];
  table.classList.toggle("wide", heads.length > 5);
  table.querySelectorAll("tbody td").forEach((cell) => { cell.dataset.head = heads[cell.cellIndex]?.textContent || ""; });
});
