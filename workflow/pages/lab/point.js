// An experiment's point and scenario at some values of its settings. What a setting changes was found out by the pipeline's
// own expansion (tcpatlas.pages.laboratory).
"use strict";

function put(tree, place, value) {
  const last = place[place.length - 1];
  const folder = place.slice(0, -1).reduce((at, key) => (at[key] ??= {}), tree);
  if (value === undefined) delete folder[last];
  else folder[last] = value;
}

const copy = (value) => JSON.parse(JSON.stringify(value));

function startOf(experiment) {
  return Object.fromEntries(Object.entries(experiment.settings).map(([name, { start }]) => [name, start]));
}

// `traced`: the run that is drawn, from its very start.
function pointOf(experiment, values, traced = false) {
  const point = copy(experiment.point);
  for (const [name, setting] of Object.entries(experiment.settings)) {
    if (values[name] === setting.start) continue;
    for (const [place, value] of setting.options?.[values[name]] ?? []) put(point, place, copy(value ?? null) ?? undefined);
    for (const [place, factor, offset] of setting.numbers ?? []) put(point, place, factor * values[name] + offset);
  }
  if (traced) for (const [place, value] of experiment.traced) put(point, place, value);
  return point;
}

function scenarioOf(experiment, values, settings) {
  const base = copy(experiment.base);
  for (const [name, { start }] of Object.entries(experiment.settings)) {
    const { path, unit } = settings[name];
    if (values[name] !== start) put(base, path.split("."), unit ? `${values[name]} ${unit}` : values[name]);
  }
  // A key goes where each setting that knows of it leaves it unused.
  const tables = Object.entries(experiment.settings).filter(([, { unused }]) => unused);
  for (const path of new Set(tables.flatMap(([, { unused }]) => Object.values(unused).flat()))) {
    const knowing = tables.filter(([, { unused }]) => Object.values(unused).flat().includes(path));
    if (knowing.every(([name, { unused }]) => unused[values[name]]?.includes(path))) put(base, path.split("."), undefined);
  }
  return { title: experiment.title, models: "auto", base, sets: { lab: { title: experiment.title } } };
}

// Block style for what holds mappings, flow style for what does not.
function yamlOf(tree, indent = "") {
  const plain = (text) => /^[A-Za-z0-9.][A-Za-z0-9 ./%_-]*$/.test(text) && Number.isNaN(Number(text));
  const scalar = (value) => typeof value === "string" && !plain(value) ? JSON.stringify(value) : String(value);
  const flow = (value) => Array.isArray(value) ? `[${value.map(flow).join(", ")}]`
    : value !== null && typeof value === "object"
      ? `{${Object.entries(value).map(([key, entry]) => `${key}: ${flow(entry)}`).join(", ")}}` : scalar(value);
  const nested = (value) => value !== null && typeof value === "object" && !Array.isArray(value) &&
    Object.values(value).some((entry) => entry !== null && typeof entry === "object");
  return Object.entries(tree).map(([key, value]) => nested(value)
    ? `${indent}${key}:\n${yamlOf(value, indent + "  ")}` : `${indent}${key}: ${flow(value)}\n`).join("");
}
