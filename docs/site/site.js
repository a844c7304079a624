// The search reads its index from a server; a page that is opened from disk has none.
if (location.protocol === "file:") {
  document.querySelectorAll('[role="search"]').forEach((box) => box.remove());
}
