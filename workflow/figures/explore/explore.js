// What the widgets of the page cannot do by themselves: a click on a number leads to the item that it is of. The address
// of a number is #<claim>, of an item #<paper>/<item>, so that both can be linked and the browser's "back" works.
"use strict";

const atlas = JSON.parse(document.getElementById("atlas").textContent);
const place = document.getElementById("detail");

function element(tag, content, properties) {
  const made = Object.assign(document.createElement(tag), properties || {});
  for (const part of [].concat(content === undefined ? [] : content)) {
    made.append(part);
  }
  return made;
}

function html(tag, text, properties) {
  return element(tag, [], Object.assign({ innerHTML: text }, properties || {}));
}

// A list of terms with what there is of them; parts of HTML are made of escaped text by the R code.
function terms(pairs) {
  const list = element("dl");
  for (const [name, text] of pairs) {
    if (text) {
      list.append(element("dt", name), html("dd", text));
    }
  }
  return list;
}

function verdict(name) {
  return `<span class="${name}">${atlas.marks[name]} ${name}</span> (${atlas.meanings[name]})`;
}

function claimPart(claim) {
  const part = element("div", element("h3", "This number"), { id: "claim" });
  part.append(
    terms([
      ["Quantity", claim.quantity], ["At", claim.where], ["Printed", claim.printed], ["Ours", claim.ours],
      ["Ours from", claim.source], ["Verdict", verdict(claim.verdict)], ["Tolerance", claim.tolerance],
      ["Why this tolerance", claim.tolerance_reason], ["Reason", claim.reason], ["Cause", claim.cause],
      ["Remark", claim.remark], ["Seed", claim.seed], ["Scenario", claim.scenario],
    ])
  );
  const point = atlas.points[claim.point];
  if (point) {
    const text = element("pre", JSON.stringify(point, null, 1), { tabIndex: 0 });
    part.append(element("details", [element("summary", "The point that was simulated or computed"), text]));
  }
  return part;
}

function numbersPart(item) {
  const rows = Object.entries(atlas.claims).filter(([, claim]) => claim.of === item);
  if (rows.length === 0) {
    return "";
  }
  const head = "<tr><th>Quantity</th><th>At</th><th>Printed</th><th>Ours</th><th>Ours from</th><th>Verdict</th></tr>";
  const body = rows.map(([id, claim]) =>
    `<tr><td><a href="#${id}">${claim.quantity}</a></td><td>${claim.where}</td><td>${claim.printed}</td>` +
    `<td>${claim.ours}</td><td>${claim.source}</td>` +
    `<td class="${claim.verdict}">${atlas.marks[claim.verdict]} ${claim.verdict}</td></tr>`);
  const table = html("table", `<thead>${head}</thead><tbody>${body.join("")}</tbody>`);
  const summary = element("summary", `All ${rows.length} comparisons of this item`);
  return element("details", [summary, element("div", table, { className: "scroll" })]);
}

// The curves of a figure, with hover; a figure of several plots has them one below the other.
function curves(figure, title) {
  return figure.map((plot) => {
    const box = element("div", [], { className: "curves" });
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", title);
    window.setTimeout(() => Plotly.newPlot(box, plot.data, plot.layout, { displayModeBar: false }));
    return box;
  });
}

function itemPart(name, item) {
  const part = element("div", [], { id: "item" });
  part.append(html("h2", item.title), html("p", `<code>${name}</code>`, { className: "name" }));
  if (item.figure) {
    part.append(...curves(item.figure, item.plain_title));
  }
  if (item.picture) {
    part.append(html("div", item.picture, { className: "picture" }));
  }
  if (item.table) {
    part.append(html("div", item.table, { className: "table" }));
  }
  return part;
}

function again(item) {
  const code = element("code", item.command, { tabIndex: 0 });
  return element("p", ["Make it again: ", code], { className: "command" });
}

function show() {
  const id = decodeURIComponent(window.location.hash.slice(1));
  const claim = atlas.claims[id];
  const name = claim ? claim.of : id;
  const item = atlas.items[name];
  place.replaceChildren();
  if (!item) {
    return;
  }
  place.append(itemPart(name, item));
  if (claim) {
    place.firstChild.firstChild.after(claimPart(claim));
  }
  place.append(again(item), numbersPart(name));
  document.getElementById("items").value = name;
  place.focus();
  place.scrollIntoView();
}

function chooser() {
  const select = document.getElementById("items");
  select.append(element("option", "choose a figure or a table", { value: "" }));
  for (const paper of new Set(Object.keys(atlas.items).map((name) => name.split("/")[0]))) {
    const names = Object.keys(atlas.items).filter((name) => name.startsWith(`${paper}/`));
    const options = names.map((name) =>
      element("option", `${name.slice(paper.length + 1)}: ${atlas.items[name].plain_title}`, { value: name }));
    select.append(element("optgroup", options, { label: paper }));
  }
  select.addEventListener("change", () => {
    window.location.hash = select.value;
  });
}

// The filters: the table and the scatter show the comparisons that have every chosen value.
function filters() {
  const selects = [...document.querySelectorAll("select.filter")];
  if (selects.length === 0) {
    return;
  }
  const handle = new crosstalk.FilterHandle("claims", "filters");
  const apply = () => {
    const chosen = selects.filter((select) => select.value);
    const fits = (claim) => chosen.every((select) => atlas.claims[claim][select.dataset.column] === select.value);
    if (chosen.length === 0) {
      handle.clear();
    } else {
      handle.set(Object.keys(atlas.claims).filter(fits));
    }
  };
  selects.forEach((select) => select.addEventListener("change", apply));
}

function followScatter() {
  const scatter = document.getElementById("scatter");
  if (scatter && scatter.on) {
    scatter.on("plotly_click", (event) => {
      window.location.hash = event.points[0].customdata;
    });
  }
}

chooser();
window.addEventListener("hashchange", show);
window.addEventListener("load", () => {
  filters();
  followScatter();
  show();
});
