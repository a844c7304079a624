// The page: a summary, a list of numbers with linked filters, and a view of one number or of one figure or table. All of
// it is in the address: #<claim or item>?<filters>, so that it can be linked and the browser's "back" works.
"use strict";

const atlas = JSON.parse(document.getElementById("atlas").textContent);
const byId = (id) => document.getElementById(id);
const FILTERS = ["paper", "item", "verdict", "source", "kind", "class"];
// What we do with a published number: run it again, or derive it from others that are printed.
const CLASSES = { replication: "replicated", arithmetic: "arithmetic", formula: "formula of a standard" };
const PAGE = 50;
const whole = new Intl.NumberFormat("en");

function element(tag, content, properties) {
  const made = Object.assign(document.createElement(tag), properties || {});
  for (const part of [].concat(content === undefined ? [] : content)) {
    made.append(part);
  }
  return made;
}

// The R code escapes all texts that it gives as HTML.
function html(tag, text, properties) {
  return element(tag, [], Object.assign({ innerHTML: text }, properties || {}));
}

function plain(text) {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  return parsed.body.textContent;
}

// ---- what there is ----

const claims = Object.entries(atlas.claims).map(([id, claim]) => Object.assign(claim, { id, of: `${claim.paper}/${claim.item}` }));
const counted = claims.filter((claim) => claim.counted);
const verdicts = Object.keys(atlas.verdicts).filter((name) => claims.some((claim) => claim.verdict === name));
const nameOf = {
  paper: (value) => atlas.papers[value].name,
  item: (value) => atlas.items[value].label,
  verdict: (value) => value,
  source: (value) => value,
  kind: (value) => value,
  class: (value) => CLASSES[value] || value,
};
const valueOf = (claim, key) => (key === "item" ? claim.of : claim[key]);

// The searchable text of a number: its description, and the names of its paper and metric.
function words(claim) {
  if (!claim.words) {
    const paper = atlas.papers[claim.paper];
    const item = atlas.items[claim.of];
    claim.words = plain([
      claim.id, paper.name, paper.authors, paper.title, paper.about, item.label, item.title, claim.quantity, claim.where,
      claim.metric, atlas.metrics[claim.metric], claim.source, claim.kind, claim.verdict, claim.reason, claim.cause,
      claim.remark, claim.tolerance_reason,
    ].join(" ")).toLowerCase();
  }
  return claim.words;
}

// ---- the address ----

function readAddress() {
  const [id, query] = window.location.hash.slice(1).split("?");
  const given = new URLSearchParams(query || "");
  const state = { id: decodeURIComponent(id), q: given.get("q") || "", all: given.get("all") === "yes", sort: given.get("sort") || "" };
  for (const key of [...FILTERS, "now"]) {
    state[key] = given.get(key) || "";
  }
  return state;
}

function address(state) {
  const query = new URLSearchParams();
  for (const key of ["q", ...FILTERS, "now", "sort"]) {
    if (state[key]) {
      query.set(key, state[key]);
    }
  }
  if (state.all) {
    query.set("all", "yes");
  }
  const text = query.toString();
  return `#${encodeURIComponent(state.id || "").replace(/%2F/g, "/")}${text ? `?${text}` : ""}`;
}

let state = readAddress();

function change(part, quietly) {
  const next = address({ ...state, ...part });
  if (quietly) {
    window.history.replaceState(null, "", next);
    render();
  } else {
    window.location.hash = next;
  }
}

const clearAll = () => change({ q: "", all: false, ...Object.fromEntries(FILTERS.map((key) => [key, ""])) });

// ---- the numbers that are shown ----

// The claims that fit all filters, ignoring one of them.
function fitting(except) {
  const sought = state.q.toLowerCase().match(/(table|figure|section) \d[\d.]*|\S+/g) || [];
  const fits = (text, word) => (word.includes(" ") ? ` ${text} `.includes(` ${word} `) : text.includes(word));
  return (state.all ? claims : counted).filter((claim) =>
    FILTERS.every((key) => key === except || !state[key] || valueOf(claim, key) === state[key]) &&
    sought.every((word) => fits(words(claim), word)));
}

const columns = [
  { key: "item", title: "Figure or table", by: (claim) => atlas.items[claim.of].place, cell: (claim) =>
    [element("small", atlas.papers[claim.paper].name), atlas.items[claim.of].label] },
  { key: "quantity", title: "Quantity", by: (claim) => plain(claim.quantity), cell: (claim) =>
    [html("a", claim.quantity, { href: address({ ...state, id: claim.id }) }), html("small", [described(claim), claim.where].filter(Boolean).join("; "))] },
  { key: "kind", title: "Published as", by: (claim) => claim.kind, wide: true, cell: (claim) => [claim.kind] },
  { key: "printed", title: "Published", number: true, by: (claim) => claim.printed_number, cell: (claim) => [html("span", claim.printed)] },
  { key: "ours", title: "Computed", number: true, by: (claim) => claim.value, cell: (claim) => [html("span", claim.ours)] },
  { key: "source", title: "Computed by", by: (claim) => claim.source, wide: true, cell: (claim) => [claim.source] },
  { key: "off", title: "Off by, in tolerances", number: true, wide: true, by: (claim) => (claim.off === null ? null : Math.abs(claim.off)),
    cell: (claim) => [claim.off === null ? "" : claim.off.toPrecision(2).replace("-", "\u2212").replace(/e\+?/, "\u00d710^")] },
  { key: "verdict", title: "Verdict", by: (claim) => verdicts.indexOf(claim.verdict), cell: (claim) => [badge(claim.verdict)] },
];

// The name of the metric, where the quantity is a symbol only.
function described(claim) {
  const name = atlas.metrics[claim.metric] || "";
  return plain(claim.quantity).toLowerCase().startsWith(name.toLowerCase().slice(0, 12)) ? "" : name;
}

function badge(name) {
  return element("span", [element("span", atlas.verdicts[name].mark), element("span", ` ${name}`, { className: "word" })],
    { className: `verdict ${name}`, title: name });
}

function sorted(rows) {
  const falling = state.sort.startsWith("-");
  const column = columns.find((one) => one.key === state.sort.replace("-", ""));
  if (!column) {
    return rows;
  }
  const sign = falling ? -1 : 1;
  const keyed = rows.map((claim) => [column.by(claim), claim]);
  keyed.sort(([a], [b]) => (a === null) - (b === null) || (typeof a === "string" ? sign * a.localeCompare(b) : sign * (a - b)));
  return keyed.map(([, claim]) => claim);
}

// ---- the summary ----

const share = (part, all) => (all ? `${Math.round((100 * part) / all)}\u2009%` : "");

function summary() {
  document.querySelectorAll(".compared").forEach((part) => { part.hidden = claims.length === 0; });
  if (claims.length === 0) {
    return;
  }
  const papers = Object.keys(atlas.papers).filter((paper) => counted.some((claim) => claim.paper === paper));
  const replicated = counted.filter((claim) => claim.class === "replication");
  const follow = counted.filter((claim) => claim.class === "arithmetic");
  const formulas = counted.filter((claim) => claim.class === "formula");
  const classes = new Set(counted.map((claim) => claim.class)).size;
  const within = (rows) => rows.filter((claim) => claim.verdict === "reproduced").length;
  const replicating = papers.filter((paper) => replicated.some((claim) => claim.paper === paper)).length;
  const rest = follow.length === 0 ? "" : `${whole.format(follow.length)} more follow from other published numbers; ` +
    `${whole.format(within(follow))} of these do. `;
  byId("headline").textContent = counted.every((claim) => claim.verdict === "smoke")
    ? `These runs of a few seconds are too short to judge the ${whole.format(counted.length)} published numbers.`
    : `TCP Atlas replicated ${whole.format(replicated.length)} published numbers of ${replicating} ` +
      `${replicating === 1 ? "paper" : "papers"}: ${whole.format(within(replicated))} of them ` +
      `(${share(within(replicated), replicated.length)}) come out within their tolerance. ${rest}Choose a bar to see which.`;
  const kinds = { model: "calculated by the authors", simulation: "simulated by them", measurement: "measured on their machines" };
  const bars = byId("bars");
  const head = (text, kind) => element("span", text, { className: `head ${kind || ""}` });
  bars.append(head(""), head("numbers", "count"), head(""), head("reproduced", "share"));
  const row = (name, about, rows, filter) => {
    const bar = element("div", [], { className: "bar" });
    for (const verdict of verdicts) {
      const count = rows.filter((claim) => claim.verdict === verdict).length;
      if (count > 0) {
        const part = element("a", count / rows.length > 0.06 ? whole.format(count) : "", {
          href: address({ ...filter, verdict }), title: `${count} ${verdict}`,
        });
        part.setAttribute("aria-label", `${name}: ${count} of ${rows.length} ${verdict}`);
        part.style.flex = count;
        part.style.background = atlas.verdicts[verdict].colour;
        bar.append(part);
      }
    }
    const ok = rows.filter((claim) => claim.verdict === "reproduced").length;
    bars.append(element("div", [
      element("span", [element("a", name, { href: address(filter) }), element("small", about)]),
      element("span", whole.format(rows.length), { className: "count" }), bar,
      element("span", share(ok, rows.length), { className: "share" }),
    ], { className: "row" }));
  };
  const part = (title) => bars.append(head(title, "part"));
  const rowOfPaper = (rows, name) => (paper) => {
    const own = rows.filter((claim) => claim.paper === paper);
    if (own.length > 0) {
      row(atlas.papers[paper].name, atlas.papers[paper].about, own, { paper, ...(classes > 1 ? { class: name } : {}) });
    }
  };
  papers.forEach(rowOfPaper(replicated, "replication"));
  part("The same, by what was published");
  for (const kind of Object.keys(kinds)) {
    const rows = replicated.filter((claim) => claim.kind === kind);
    if (rows.length > 0) {
      row(`${kind[0].toUpperCase()}${kind.slice(1)}s`, kinds[kind], rows, { kind, ...(classes > 1 ? { class: "replication" } : {}) });
    }
  }
  if (follow.length > 0) {
    part("Arithmetic: what follows from other published numbers");
    papers.forEach(rowOfPaper(follow, "arithmetic"));
  }
  if (formulas.length > 0) {
    part("A standard's own formulas");
    papers.forEach(rowOfPaper(formulas, "formula"));
  }
  if (sentences.length > 0) {
    part("What the papers say, asked again of the TCP of today");
    nowBars(bars);
  }
  byId("key").append(...verdicts.map((name) => element("span", [badge(name), ` ${atlas.verdicts[name].meaning}`])));
}

// ---- filters ----

function drawFilters() {
  for (const key of FILTERS) {
    const counts = new Map();
    for (const claim of fitting(key)) {
      const value = valueOf(claim, key);
      counts.set(value, (counts.get(value) || 0) + 1);
    }
    if (state[key] && !counts.has(state[key])) {
      counts.set(state[key], 0);
    }
    const order = { paper: Object.keys(atlas.papers), item: Object.keys(atlas.items), verdict: verdicts }[key];
    const values = [...counts.keys()].sort((a, b) => (order ? order.indexOf(a) - order.indexOf(b) : a.localeCompare(b)));
    const several = new Set(values.map((value) => value.split("/")[0])).size > 1;
    const text = (value) => {
      const name = nameOf[key](value);
      return key === "item" && several ? `${atlas.papers[value.split("/")[0]].name}: ${name}` : name;
    };
    const select = byId(`filter-${key}`);
    select.replaceChildren(element("option", "all", { value: "" }),
      ...values.map((value) => element("option", `${text(value)} (${counts.get(value)})`, { value })));
    select.value = state[key];
  }
  if (document.activeElement !== byId("search")) {
    byId("search").value = state.q;
  }
  byId("all").checked = state.all;
  byId("all-text").textContent = `All ${whole.format(claims.length)} comparisons: by every simulator and model, not only ` +
    `the one that decides each of the ${whole.format(counted.length)} numbers`;
  byId("clear").disabled = !state.q && !state.all && FILTERS.every((key) => !state[key]);
  document.body.classList.toggle("filtered", !byId("clear").disabled);
}

// ---- the plot ----

const scale = (off) => Math.asinh(2 * Math.max(-100, Math.min(100, off)));
const TICKS = [-100, -10, -3, -1, 0, 1, 3, 10, 100];
const SHAPES = {
  circle: "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z", up: "M0,-3.6L3.4,2.6H-3.4z", down: "M0,3.6L3.4,-2.6H-3.4z",
  square: "M-2.8,-2.8H2.8V2.8H-2.8z", cross: "M-3,-3L3,3M-3,3L3,-3",
};

function svg(tag, properties, content) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(properties).forEach(([name, value]) => made.setAttribute(name, value));
  made.append(...[].concat(content || []));
  return made;
}

// Every number as a mark: a line for each paper, or for each item of the one paper that is shown.
function drawPlot(rows) {
  const box = byId("plot");
  const shown = rows.filter((claim) => claim.off !== null);
  const papers = new Set(rows.map((claim) => claim.paper));
  const lineOf = papers.size > 1 ? (claim) => claim.paper : (claim) => claim.of;
  const nameOfLine = papers.size > 1 ? (one) => atlas.papers[one].name : (one) => `${atlas.items[one].label}: ${atlas.items[one].plain_title}`;
  const order = papers.size > 1 ? Object.keys(atlas.papers) : Object.keys(atlas.items);
  const lines = [...new Set(shown.map(lineOf))].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const inside = shown.filter((claim) => Math.abs(claim.off) <= 1).length;
  byId("plot-note").textContent = shown.length === 0 ? "No number that is shown has a tolerance." :
    `(computed \u2212 published) / tolerance: ${whole.format(inside)} of ${whole.format(shown.length)} computed values lie within the ` +
    "tolerance, the grey band. A verdict is on the entire interval, so a mark in the band may be undecided." +
    (shown.length < rows.length ? ` ${whole.format(rows.length - shown.length)} without a value or a tolerance are in the table only.` : "");
  const width = Math.max(280, box.clientWidth);
  const tall = papers.size > 1 ? 64 : 40;
  const height = lines.length * tall + 26;
  const x = (off) => 14 + ((scale(off) + scale(100)) / (2 * scale(100))) * (width - 28);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-labelledby": "plot-title plot-note" });
  picture.append(svg("rect", { x: x(-1), y: 0, width: x(1) - x(-1), height: height - 22, fill: "var(--band)" }));
  for (const tick of TICKS.filter((one) => width > 500 || Math.abs(one) !== 3)) {
    const text = (Math.abs(tick) === 100 ? (tick < 0 ? "\u2264 " : "\u2265 ") : "") + String(tick).replace("-", "\u2212");
    const anchor = tick === -100 ? "start" : tick === 100 ? "end" : "middle";
    picture.append(svg("text", { x: anchor === "middle" ? x(tick) : tick < 0 ? 0 : width, y: height - 6, "text-anchor": anchor, class: "quiet" }, text));
  }
  const fits = Math.floor(width / 6.6);
  lines.forEach((one, index) => {
    const name = plain(nameOfLine(one));
    picture.append(svg("text", { x: 0, y: index * tall + 12 }, name.length > fits ? `${name.slice(0, fits - 1)}\u2026` : name));
  });
  const places = new Map();
  for (const claim of shown) {
    const line = lines.indexOf(lineOf(claim));
    const count = places.get(line) || 0;
    places.set(line, count + 1);
    const spread = ((count * 0.618034) % 1) - 0.5;
    const look = atlas.verdicts[claim.verdict];
    const y = line * tall + 18 + (tall - 22) * (0.5 + 0.8 * spread);
    picture.append(svg("path", {
      class: `mark ${claim.verdict}`, color: look.colour, d: SHAPES[look.shape], transform: `translate(${x(claim.off).toFixed(1)},${y.toFixed(1)})`,
      fill: look.hollow ? "var(--paper)" : "currentColor", "fill-opacity": 0.8, stroke: "currentColor", "data-claim": claim.id,
    }));
  }
  const tip = element("div", [], { className: "tip" });
  const claimAt = (event) => atlas.claims[event.target.getAttribute("data-claim")];
  picture.addEventListener("pointerover", (event) => {
    const claim = claimAt(event);
    tip.innerHTML = claim ? [
      `${atlas.papers[claim.paper].name}, ${atlas.items[claim.of].label}`, claim.quantity + (claim.where ? `, ${claim.where}` : ""),
      `published ${claim.printed}, computed ${claim.ours} (${claim.source}): ${claim.verdict}`,
    ].join("<br>") : "";
    if (claim) {
      tip.style.borderLeftColor = atlas.verdicts[claim.verdict].colour;
      const frame = box.getBoundingClientRect();
      tip.style.left = `${Math.max(0, Math.min(event.clientX - frame.left + 12, box.clientWidth - tip.offsetWidth))}px`;
      tip.style.top = `${event.clientY - frame.top + 14}px`;
    }
  });
  picture.addEventListener("pointerleave", () => tip.replaceChildren());
  picture.addEventListener("click", (event) => claimAt(event) && change({ id: claimAt(event).id }));
  box.replaceChildren(picture, tip);
}

// ---- the table ----

let length = PAGE;

function drawTable(rows) {
  [...document.querySelectorAll("#claims thead th")].forEach((cell, at) => {
    const order = { [columns[at].key]: "ascending", [`-${columns[at].key}`]: "descending" }[state.sort];
    cell.setAttribute("aria-sort", order || "none");
  });
  document.querySelector("#claims tbody").replaceChildren(...sorted(rows).slice(0, length).map((claim) => {
    const row = element("tr", columns.map((column) => element("td", column.cell(claim), {
      className: `${column.number ? "number" : ""} ${column.wide ? "wide-screen" : ""}`,
    })));
    row.addEventListener("click", (event) => event.target.closest("a") || change({ id: claim.id }));
    return row;
  }));
  const what = state.all ? "comparisons" : "numbers";
  const total = state.all ? claims.length : counted.length;
  document.querySelector("#claims caption").textContent = rows.length === total
    ? `${whole.format(total)} ${what}` : `${whole.format(rows.length)} of ${whole.format(total)} ${what}`;
  byId("claims").hidden = rows.length === 0;
  byId("nothing").hidden = rows.length > 0;
  byId("more").hidden = rows.length <= length;
  byId("more").textContent = `Show ${Math.min(rows.length - length, 200)} more`;
}

function drawHead() {
  document.querySelector("#claims thead tr").append(...columns.map((column) => element("th", element("button", column.title, {
    type: "button",
    onclick: () => change({ sort: { [column.key]: `-${column.key}`, [`-${column.key}`]: "" }[state.sort] ?? column.key }, true),
  }), { className: `${column.number ? "number" : ""} ${column.wide ? "wide-screen" : ""}`, scope: "col" })));
}

// What is shown as a file.
function csv(rows) {
  const names = ["claim", "paper", "item", "metric", "unit", "at", "published", "kind", "class", "engine", "value", "ci_low", "ci_high", "tolerance", "verdict", "reason"];
  const cell = (value) => (/[",\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);
  const line = (claim) => names.map((name) => {
    const value = { claim: claim.id, at: plain(claim.where), published: plain(claim.printed), reason: plain(claim.reason), engine: claim.engine,
      tolerance: claim.tolerance_number }[name];
    const text = value === undefined ? claim[name] : value;
    return cell(text === null || text === undefined ? "" : String(text));
  }).join(",");
  return [names.join(","), ...rows.map(line), ""].join("\n");
}

function save() {
  const link = element("a", [], { href: URL.createObjectURL(new Blob([csv(sorted(fitting()))], { type: "text/csv" })), download: "tcp-atlas.csv" });
  link.click();
  URL.revokeObjectURL(link.href);
}

// ---- one number ----

function terms(pairs) {
  const list = element("dl");
  for (const [name, content] of pairs) {
    if (content) {
      list.append(element("dt", name), typeof content === "string" ? html("dd", content) : element("dd", content));
    }
  }
  return list;
}

function copied(text) {
  const button = element("button", "copy", { type: "button", className: "copy" });
  button.addEventListener("click", () => navigator.clipboard.writeText(text).then(() => { button.textContent = "copied"; }));
  return [element("code", text, { tabIndex: 0 }), button];
}

function citation(claim) {
  const paper = atlas.papers[claim.paper];
  return `${paper.name}, \u201c${paper.title}\u201d, ${atlas.items[claim.of].label}: ${plain(claim.quantity)}` +
    `${claim.where ? ` at ${plain(claim.where)}` : ""} published as ${plain(claim.printed)}; computed as ${plain(claim.ours)} by ` +
    `${claim.source} (${claim.verdict}), TCP Atlas ${atlas.made.version}${atlas.made.commit ? `, commit ${atlas.made.commit}` : ""}, ${claim.id}.`;
}

function claimPart(claim) {
  const part = element("div", [], { id: "claim" });
  const value = (name, text) => element("div", [element("small", name), html("span", text)]);
  part.append(
    element("div", [value("Published", claim.printed), value(`Computed by ${claim.source}`, claim.ours),
      element("div", [element("small", "Verdict"), badge(claim.verdict)])], { className: "pair" }),
    element("p", `${atlas.verdicts[claim.verdict].meaning[0].toUpperCase()}${atlas.verdicts[claim.verdict].meaning.slice(1)}.`));
  const left = terms([["Tolerance", claim.tolerance], ["Why this tolerance", claim.tolerance_reason], ["Reason", claim.reason],
    ["Cause", claim.cause], ["Remark", claim.remark], ["Published as", claim.kind], ["Counted as", CLASSES[claim.class] || ""]]);
  const right = terms([["Scenario", claim.scenario], ["Seed", claim.seed], ["Cite this number", copied(citation(claim))]]);
  part.append(element("div", [left, right], { className: "facts" }));
  const point = atlas.points[claim.point];
  if (point) {
    const text = element("pre", JSON.stringify(point, null, 1), { tabIndex: 0 });
    part.append(element("details", [element("summary", "The point that was simulated or computed"), text]));
  }
  return part;
}

function numbersPart(of) {
  const rows = claims.filter((claim) => claim.of === of);
  if (rows.length === 0) {
    return "";
  }
  return element("p", element("a", `All ${rows.length} comparisons of this ${atlas.items[of].figure ? "figure" : "table"}`,
    { href: address({ paper: of.split("/")[0], item: of, all: true }) }));
}

// The description of a point: its curve, its place and its value.
function told(part, one, at) {
  const line = (title, text) => (title ? `${title}: ${text}` : text);
  const interval = one.low && one.low[at] ? ` (${one.low[at]} to ${one.high[at]})` : "";
  return [one.name, line(part.x, one.x[at]), line(part.y, one.y[at] + interval)].filter((text) => text).join("<br>");
}

// A picture of a figure whose points tell what they are, by hovering or, once it has the focus, by the arrow keys: left
// and right along a curve, up and down to another one.
function curves(part, title) {
  const box = html("div", `<div class="scroll">${part.svg}</div>`, { className: "curves" });
  const picture = box.querySelector("svg");
  const name = Object.assign(document.createElementNS(picture.namespaceURI, "title"), { textContent: title });
  const ring = document.createElementNS(picture.namespaceURI, "circle");
  const tip = element("div", [], { className: "tip" });
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  let chosen = null;
  const choose = (series, at) => {
    const one = part.series[series];
    chosen = [series, at];
    ring.setAttribute("cx", one.px[at]);
    ring.setAttribute("cy", one.py[at]);
    ring.setAttribute("visibility", "visible");
    tip.innerHTML = told(part, one, at);
    tip.style.top = `${(one.py[at] / height) * picture.clientHeight + 12}px`;
    const left = (one.px[at] / width) * picture.clientWidth - picture.parentNode.scrollLeft;
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
  picture.addEventListener("pointermove", (event) => {
    const frame = picture.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * width;
    const y = ((event.clientY - frame.top) / frame.height) * height;
    const found = part.series.map((_, series) => nearest(series, x, y)).sort((a, b) => a.distance - b.distance)[0];
    if (found && found.distance < 15) {
      choose(found.series, found.at);
    } else {
      clear();
    }
  });
  picture.addEventListener("pointerleave", clear);
  picture.addEventListener("blur", clear);
  picture.addEventListener("keydown", (event) => {
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
  picture.prepend(name);
  picture.append(ring);
  picture.setAttribute("role", "img");
  picture.setAttribute("tabindex", "0");
  tip.setAttribute("aria-live", "polite");
  box.append(tip);
  return box;
}

function itemPart(name, item) {
  const paper = atlas.papers[name.split("/")[0]];
  const part = element("div", [], { id: "item" });
  const link = paper.link ? element("a", paper.name, { href: paper.link, rel: "noreferrer" }) : paper.name;
  part.append(element("p", [link, `, ${item.label} `, element("code", name)], { className: "name" }));
  if (item.caption) {
    part.append(html("p", item.caption));
  }
  if (item.figure) {
    part.append(...item.figure.map((one) => curves(one, item.plain_title)));
  }
  if (item.table) {
    part.append(html("div", item.table, { className: "table" }));
  }
  part.append(element("p", ["Make it again: ", ...copied(item.command)], { className: "command" }));
  return part;
}

function steps(claim) {
  const rows = claim ? sorted(fitting()) : [];
  const at = rows.indexOf(claim);
  const go = (text, next) => element("button", text, {
    type: "button", disabled: !next, onclick: () => next && change({ id: next.id }),
  });
  const back = element("a", "\u2190 Back to the list", { href: address({ ...state, id: "" }), className: "back" });
  return element("p", at < 0 ? [back] : [back, go("\u2039 previous", rows[at - 1]),
    `${whole.format(at + 1)} of ${whole.format(rows.length)}`, go("next \u203a", rows[at + 1])], { className: "steps" });
}

function drawDetail() {
  const claim = atlas.claims[state.id];
  const name = claim ? claim.of : state.id;
  const item = atlas.items[name];
  const detail = byId("detail");
  const today = drawNow();
  byId("list").hidden = Boolean(item) || today;
  detail.hidden = !item;
  detail.replaceChildren();
  document.title = item ? `${item.label}: ${item.plain_title} (TCP Atlas)` : "TCP Atlas: do the classic TCP results still hold?";
  if (!item) {
    return today;
  }
  detail.append(steps(claim));
  if (claim) {
    detail.append(html("h1", claim.where ? `${claim.quantity} at ${claim.where}` : claim.quantity), claimPart(claim), html("h2", item.title));
  } else {
    detail.append(html("h1", item.title));
  }
  detail.append(itemPart(name, item), numbersPart(name));
  return true;
}

// ---- all of it ----

let shownId = null;

function render() {
  state = readAddress();
  if (drawDetail()) {
    if (shownId !== state.id) {
      window.scrollTo(0, 0);
      byId("detail").focus({ preventScroll: true });
    }
  } else if (claims.length > 0) {
    const rows = fitting();
    drawFilters();
    drawPlot(rows);
    drawTable(rows);
    if (shownId) {
      byId("numbers").scrollIntoView();
    }
  }
  shownId = state.id;
}

function listItems() {
  for (const [paper, about] of Object.entries(atlas.papers)) {
    const names = Object.keys(atlas.items).filter((name) => name.startsWith(`${paper}/`));
    if (claims.length === 0) {  // a scenario of one's own: nothing is published to compare with
      byId("items").append(element("h3", about.name),
        ...names.flatMap((name) => [html("h4", atlas.items[name].title), Object.assign(itemPart(name, atlas.items[name]), { id: "" })]));
    } else if (names.length > 0) {
      const entries = names.map((name) => element("li", html("a", `${atlas.items[name].label}: ${atlas.items[name].title}`, { href: address({ id: name }) })));
      const summaryLine = element("summary", `${about.name}${about.about ? `: ${about.about}` : ""} (${names.length})`);
      byId("items").append(element("details", [summaryLine, element("ul", entries)]));
    }
  }
}

function start() {
  summary();
  drawHead();
  listItems();
  byId("made").textContent = atlas.made.text;
  FILTERS.forEach((key) => byId(`filter-${key}`).addEventListener("change", (event) => {
    length = PAGE;
    change({ [key]: event.target.value, ...(key === "paper" ? { item: "" } : {}) });
  }));
  byId("search").addEventListener("input", (event) => {
    length = PAGE;
    change({ q: event.target.value }, true);
  });
  byId("all").addEventListener("change", (event) => change({ all: event.target.checked }));
  document.querySelectorAll("#clear, .clear").forEach((button) => button.addEventListener("click", clearAll));
  byId("csv").addEventListener("click", save);
  byId("more").addEventListener("click", () => {
    length += 200;
    drawTable(fitting());
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("numbers").focus();
  });
  window.addEventListener("hashchange", render);
  window.addEventListener("resize", () => { if (!byId("list").hidden && claims.length > 0) { drawPlot(fitting()); } });
  render();
}
