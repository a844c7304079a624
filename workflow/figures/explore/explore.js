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

// What is told of a point: its curve, where it is and what it is.
function told(part, one, at) {
  const line = (title, text) => (title ? `${title}: ${text}` : text);
  const interval = one.low && one.low[at] ? ` (${one.low[at]} to ${one.high[at]})` : "";
  return [one.name, line(part.x, one.x[at]), line(part.y, one.y[at] + interval)].filter((text) => text).join("<br>");
}

// A picture of a figure whose points tell what they are, by hovering or, once it has the focus, by the arrow keys: left
// and right along a curve, up and down to another one.
function curves(part, title) {
  const box = html("div", `<div class="scroll">${part.svg}</div>`, { className: "curves" });
  const svg = box.querySelector("svg");
  const name = Object.assign(document.createElementNS(svg.namespaceURI, "title"), { textContent: title });
  const ring = document.createElementNS(svg.namespaceURI, "circle");
  const tip = element("div", [], { className: "tip" });
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  let chosen = null;
  const choose = (series, at) => {
    const one = part.series[series];
    chosen = [series, at];
    ring.setAttribute("cx", one.px[at]);
    ring.setAttribute("cy", one.py[at]);
    ring.setAttribute("visibility", "visible");
    tip.innerHTML = told(part, one, at);
    tip.style.top = `${(one.py[at] / height) * svg.clientHeight + 12}px`;
    const left = (one.px[at] / width) * svg.clientWidth - svg.parentNode.scrollLeft;
    tip.style.left = `${Math.max(0, Math.min(left, box.clientWidth - tip.offsetWidth))}px`;
  };
  const clear = () => {
    chosen = null;
    ring.setAttribute("visibility", "hidden");
    tip.replaceChildren();
  };
  // The point of a curve that is nearest to a place, and how far it is.
  const nearest = (series, x, y) => {
    const one = part.series[series];
    const far = one.px.map((px, at) => Math.hypot(px - x, one.py[at] - y));
    const at = far.reduce((best, distance, here) => (distance < far[best] ? here : best), 0);
    return { series, at, distance: far[at] };
  };
  svg.addEventListener("pointermove", (event) => {
    const frame = svg.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * width;
    const y = ((event.clientY - frame.top) / frame.height) * height;
    const found = part.series.map((_, series) => nearest(series, x, y)).sort((a, b) => a.distance - b.distance)[0];
    if (found && found.distance < 15) {
      choose(found.series, found.at);
    } else {
      clear();
    }
  });
  svg.addEventListener("pointerleave", clear);
  svg.addEventListener("blur", clear);
  svg.addEventListener("keydown", (event) => {
    const [along, across] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] || [];
    const count = part.series.length;
    if (along === undefined || count === 0) {
      return;
    }
    event.preventDefault();
    if (chosen === null) {
      choose(0, 0);
    } else if (across) {
      const from = part.series[chosen[0]];
      const other = nearest((chosen[0] + across + count) % count, from.px[chosen[1]], from.py[chosen[1]]);
      choose(other.series, other.at);
    } else {
      const last = part.series[chosen[0]].px.length - 1;
      choose(chosen[0], Math.max(0, Math.min(last, chosen[1] + along)));
    }
  });
  ring.setAttribute("r", 5);
  ring.setAttribute("class", "ring");
  ring.setAttribute("visibility", "hidden");
  svg.prepend(name);
  svg.append(ring);
  svg.setAttribute("role", "img");
  svg.setAttribute("tabindex", "0");
  tip.setAttribute("aria-live", "polite");
  box.append(tip);
  return box;
}

function itemPart(name, item) {
  const part = element("div", [], { id: "item" });
  part.append(html("h2", item.title), html("p", `<code>${name}</code>`, { className: "name" }));
  if (item.figure) {
    part.append(...item.figure.map((one) => curves(one, item.plain_title)));
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

// The filters and the search choose rows of the table, and the scatter shows what is chosen.
function comparisons() {
  const box = document.getElementById("scatter");
  if (!box) {
    return;
  }
  const table = window.jQuery("#claims table").DataTable();
  const at = Object.fromEntries(atlas.columns.map((name, index) => [name, index]));
  document.querySelectorAll("select.filter").forEach((select) => select.addEventListener("change", () => {
    const exactly = select.value && `^${select.value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
    table.column(at[select.dataset.column]).search(exactly, true, false).draw();
  }));
  const draw = () => scatter(box, table.rows({ search: "applied" }).data().toArray(), at);
  table.on("search.dt", () => window.setTimeout(draw));
  window.addEventListener("resize", () => Plotly.Plots.resize(box));
  draw();
}

// Both axes are logarithmic: a point for each comparison with a positive number on both sides.
function scatter(box, rows, at) {
  const shown = rows.filter((row) => row[at.printed] > 0 && row[at.ours] > 0);
  const of = (chosen, name) => chosen.map((row) => row[at[name]]);
  const traces = Object.keys(atlas.looks).map((name) => {
    const chosen = shown.filter((row) => row[at.verdict] === name);
    return {
      type: "scatter", mode: "markers", name, x: of(chosen, "printed"), y: of(chosen, "ours"),
      customdata: of(chosen, "claim"), hoverinfo: "text",
      text: chosen.map((row) => {
        const text = (column) => row[at[column]];
        return `${text("paper")}/${text("item")}: ${text("quantity")}<br>${text("where")}<br>` +
          `printed ${text("printed_text")}, ours ${text("ours_text")}, by ${text("source")}: ${name}`;
      }),
      marker: { size: 7, opacity: 0.75, color: atlas.looks[name].colour, symbol: atlas.looks[name].symbol },
    };
  }).filter((trace) => trace.x.length > 0);
  const all = shown.flatMap((row) => [row[at.printed], row[at.ours]]);
  const ends = [all.reduce((a, b) => Math.min(a, b), Infinity), all.reduce((a, b) => Math.max(a, b), 0)];
  const axis = (title) => ({ title, type: "log", exponentformat: "none", gridcolor: "#eaeaea", zeroline: false });
  const line = { type: "line", layer: "below", line: { color: "#888888", width: 1 } };
  Plotly.newPlot(box, traces, {
    height: 460, xaxis: axis("printed"), yaxis: axis("ours"), legend: { orientation: "h", y: -0.2 },
    hovermode: "closest", margin: { l: 55, r: 10, t: 10, b: 40 },
    font: { family: "Helvetica, Arial, sans-serif", size: 12 },
    shapes: all.length > 0 ? [Object.assign(line, { x0: ends[0], y0: ends[0], x1: ends[1], y1: ends[1] })] : [],
  }, { displayModeBar: false });
  box.on("plotly_click", (event) => {
    window.location.hash = event.points[0].customdata;
  });
  document.getElementById("scatter-note").textContent =
    "On the line ours is the printed number; both are in its unit. " + (shown.length === rows.length ? "" :
      `${rows.length - shown.length} of ${rows.length} comparisons have no positive number on both sides and are in the ` +
      "table only.");
}

chooser();
window.addEventListener("hashchange", show);
window.addEventListener("load", () => {
  comparisons();
  show();
});
