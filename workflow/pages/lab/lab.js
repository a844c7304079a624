// The page: settings, the worker that simulates, and what is shown of its runs.
"use strict";

const SECONDS = 3, IMPATIENT_MS = 400;
const byId = (id) => document.getElementById(id);
const DATA = JSON.parse(byId("data").textContent);
const made = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// --- The state: an experiment and the values of its settings; the address has what is not as at the start ---

let experiment, name, values;
// The exercise, if there is one: its key, the student, what was said ("": nothing yet), and the exercises that are done.
let exercise = null, student = "", said = "", done = new Set();

function fromAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  exercise = given.get("exercise") in DATA.exercises ? given.get("exercise") : null;
  student = given.get("name") ?? "";
  said = exercise ? given.get("said") ?? "" : "";
  done = new Set((given.get("done") ?? "").split(".").filter((key) => key in DATA.exercises));
  name = exercise ? DATA.exercises[exercise].experiment
    : given.get("experiment") in DATA.experiments ? given.get("experiment") : Object.keys(DATA.experiments)[0];
  experiment = DATA.experiments[name];
  values = atStart();
  for (const key of Object.keys(values)) if (given.has(key)) values[key] = allowed(key, given.get(key));
  document.body.classList.toggle("embedded", given.has("embed"));
}

const atStart = () => exercise ? settingsOf(exercise, student, DATA) : startOf(experiment);

function address() {
  const start = atStart(), changed = Object.entries(values).filter(([key, value]) => value !== start[key]);
  const own = exercise ? [["exercise", exercise], ["name", student], ["said", said], ["done", [...done].join(".")]] : [["experiment", name]];
  return `#${new URLSearchParams([...own.filter(([, value]) => value !== ""), ...changed])}`;
}

// What comes nearest of what a setting may be.
function allowed(key, text) {
  const { options, lowest, highest, whole } = DATA.settings[key], { start } = experiment.settings[key];
  if (options) return options.find((option) => String(option) === text) ?? start;
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) return start;
  return Math.min(highest, Math.max(lowest, whole ? Math.round(number) : number));
}

// --- Settings ---

const SPOKEN = { true: "yes", false: "no" };
const STEPS = 1000;
const threeDigits = (x) => Number(x.toPrecision(3));

function position({ lowest, highest, linear }, value) {
  return Math.round(STEPS * (linear ? (value - lowest) / (highest - lowest) : Math.log(value / lowest) / Math.log(highest / lowest)));
}

function valueAt({ lowest, highest, linear }, place) {
  const share = place / STEPS;
  return threeDigits(linear ? lowest + share * (highest - lowest) : lowest * (highest / lowest) ** share);
}

function showSettings() {
  byId("experiment").value = exercise ? `exercise ${exercise}` : name;
  byId("text").textContent = exercise ? "" : experiment.text;
  byId("settings").replaceChildren(...Object.keys(values).map(control));
}

function control(key) {
  const setting = DATA.settings[key], id = `set-${key}`;
  const title = made("label", { htmlFor: id, textContent: setting.title });
  const change = (value) => {
    keepAsBefore();
    values[key] = value;
    history.replaceState(null, "", address());
    ask();
  };
  if (setting.options) {
    const select = made("select", { id }, ...setting.options.map((option) => made("option", { value: option, textContent: SPOKEN[option] ?? option })));
    select.value = String(values[key]);
    select.onchange = () => change(allowed(key, select.value));
    return made("div", { className: "setting" }, title, select);
  }
  const slider = made("input", { type: "range", min: 0, max: STEPS, value: position(setting, values[key]) });
  slider.setAttribute("aria-label", `${setting.title}, slider`);
  const field = made("input", { id, type: "number", min: setting.lowest, max: setting.highest, step: setting.whole ? 1 : "any", value: values[key] });
  const spoken = () => slider.setAttribute("aria-valuetext", `${values[key]} ${setting.unit}`);
  slider.oninput = () => {
    // A whole number moves by one at least.
    const moved = allowed(key, String(valueAt(setting, slider.valueAsNumber)));
    change(moved);
    field.value = moved;
    spoken();
  };
  slider.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by || !setting.whole) return;
    event.preventDefault();
    let place = slider.valueAsNumber;
    const before = values[key];
    while (allowed(key, String(valueAt(setting, place))) === before && place + by >= 0 && place + by <= STEPS) place += by;
    slider.value = place;
    slider.oninput();
  };
  field.oninput = () => {
    if (!field.validity.valid || field.value === "") return;
    change(allowed(key, field.value));
    slider.value = position(setting, values[key]);
    spoken();
  };
  field.onchange = () => { field.value = values[key]; };
  spoken();
  return made("div", { className: "setting" }, title, slider,
              made("div", { className: "value" }, field, made("span", { textContent: setting.unit })));
}

// --- The simulator ---

let worker, ready = false, asked = 0, ticket = 0, waiting = false, drawn = null, runs = [], spent = { ms: 0, packets: 0 };

function start() {
  worker?.terminate();
  ready = false;
  worker = newWorker();
  worker.onmessage = ({ data }) => {
    if (data.kind === "ready") {
      ready = true;
      send();
    } else if (data.ticket === ticket || data.ticket === undefined) {
      receive(data);
    }
  };
  worker.onerror = (event) => fail(event.message);
}

function newWorker() {
  const one = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" })));
  const wasm = Uint8Array.from(atob(byId("module").textContent), (letter) => letter.charCodeAt(0));
  one.postMessage({ wasm }, [wasm.buffer]);
  return one;
}

// The last state that one rested at is drawn pale behind the next, on the same axis.
let before = null, rested = 0, axis = 0;
const REST_MS = 1200;

function keepAsBefore() {
  if (drawn && runs.length && performance.now() - rested > REST_MS) before = { name, drawn, runs };
  rested = performance.now();
}

function ask() {
  if (exercise && said === "") return showState("");
  byId("yaml").textContent = yamlOf(scenarioOf(experiment, values, DATA.settings));
  ++ticket;
  // A long run of something that is no longer asked would be waited for.
  if (ready && waiting && performance.now() - asked > IMPATIENT_MS) start();
  else if (ready) send();
}

function send() {
  asked = performance.now();
  waiting = true;
  runs = [];
  spent = { ms: 0, packets: 0 };
  const point = pointOf(experiment, values);
  worker.postMessage({ traced: JSON.stringify(pointOf(experiment, values, true)), plain: JSON.stringify(point),
                       seeds: experiment.seeds, seconds: SECONDS, ticket });
}

function receive(data) {
  if (data.kind === "failed") return fail(data.text);
  if (data.kind === "progress") return showProgress(data.share);
  if (data.kind === "done") {
    waiting = false;
    window.done = ticket;
    showVerdict();
    return showState("");
  }
  waiting = false;
  byId("progress").hidden = true;
  const run = JSON.parse(data.run);
  spent.ms += data.ms;
  spent.packets += run.counters.packets_sent;
  if (data.kind === "traced") {
    drawn = run;
    window.answered = performance.now() - asked;
    window.traced = data.run;
    draw();
    if (runs.length === 0) showNumbers([run]);
  } else {
    runs.push(run);
    showNumbers(runs);
  }
  showState(", going on");
  asked = performance.now();
  waiting = true;
}

function showProgress(share) {
  if (performance.now() - asked < IMPATIENT_MS) return;
  byId("progress").hidden = false;
  byId("progress").value = share;
}

function fail(text) {
  waiting = false;
  byId("state").className = "failed";
  byId("state").textContent = `Not simulated: ${text}`;
  byId("progress").hidden = true;
  window.failure = text;
}

// --- What is shown ---

function showState(more) {
  const count = runs.length, speed = spent.packets / spent.ms / 1000;
  byId("state").className = "";
  byId("state").textContent = `${count} run${count === 1 ? "" : "s"}, ${spent.packets.toLocaleString("en")} packets, ` +
    `${threeDigits(speed)} million a second${more}`;
}

const SCALES = {
  "bit/s": [[1e9, "Gbit/s"], [1e6, "Mbit/s"], [1e3, "kbit/s"], [1, "bit/s"]],
  s: [[1, "s"], [1e-3, "ms"]],
  "%": [[0.01, "%"]],
};

function written(mean, half, unit) {
  const scales = SCALES[unit] ?? [[1, unit === "1" ? "" : unit]];
  const [factor, shown] = scales.find(([least]) => Math.abs(mean) >= least) ?? scales[scales.length - 1];
  // Two digits of the interval, four of the mean at most.
  const decimals = (x, digits) => Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(x) / factor)));
  const digits = half > 0 && mean !== 0 ? Math.min(decimals(half, 2), decimals(mean, 4)) : null;
  const number = (x) => digits === null ? String(threeDigits(x / factor)) : (x / factor).toFixed(digits);
  const interval = digits !== null && Number(number(half)) > 0 ? ` ± ${number(half)}` : "";
  return [number(mean), interval, shown ? ` ${shown}` : ""];
}

// An exercise's answer is judged at its own settings only; those that one plays with afterwards are free.
function showVerdict() {
  if (!exercise || said === "" || runs.length === 0) return;
  const own = atStart(), asGiven = Object.keys(own).every((key) => own[key] === values[key]);
  if (!asGiven) return;
  const one = DATA.exercises[exercise], simulated = measured(one, drawn, runs, pointOf(experiment, values).packet_bytes);
  const { right, off } = judged(one, Number(said), simulated);
  done.add(exercise);
  byId("verdict").className = right ? "right" : "wrong";
  byId("verdict").textContent = Number.isFinite(simulated)
    ? `Simulated: ${threeDigits(simulated)} ${one.unit}. You said ${said}: ` +
      (right ? "right." : `${off > 0 ? "too much" : "too little"}, by ${Math.round(100 * Math.abs(off))} %.`)
    : "Not measured in this run: simulate a longer time.";
  byId("why").hidden = false;
  history.replaceState(null, "", address());
  showProgressMade();
}

const showProgressMade = () => { byId("progress-made").textContent = `${done.size} of ${Object.keys(DATA.exercises).length} done`; };

function showExercise() {
  byId("exercise").hidden = !exercise;
  document.body.classList.toggle("unanswered", Boolean(exercise) && said === "");
  if (!exercise) return;
  const { question, unit, why, next } = DATA.exercises[exercise];
  byId("student").value = student;
  byId("question").textContent = `${given()} ${question}`;
  byId("said").value = said;
  byId("said-unit").textContent = unit;
  byId("verdict").textContent = "";
  byId("why").hidden = true;
  byId("why").open = false;
  const [reason, further] = byId("why").querySelectorAll("p");
  reason.textContent = why;
  further.textContent = `Go on: ${next}`;
  showProgressMade();
}

// The settings that differ from student to student, as text.
const given = () => `${Object.keys(DATA.exercises[exercise].by_name).map((key) =>
  `${DATA.settings[key].title}: ${values[key]}${DATA.settings[key].unit ? ` ${DATA.settings[key].unit}` : ""}`).join(". ")}.`;

const nameOf = (group) => `${group.name}: ${group.tcp.variant}`;

// A metric's value, and its unit as people know it.
function inDisplayUnits(metric, value, point) {
  const { unit } = DATA.shown[metric];
  if (unit === "packets/s") return [value * 8 * point.packet_bytes, "bit/s"];
  if (["loss_ratio", "mark_ratio", "ack_loss_ratio", "utilisation"].includes(metric)) return [value, "%"];
  return [value, unit];
}

function estimate(samples) {
  const count = samples.length, mean = samples.reduce((a, b) => a + b, 0) / count;
  if (count < 2) return [mean, 0];
  const variance = samples.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (count - 1);
  return [mean, DATA.quantiles[count - 2] * Math.sqrt(variance / count)];
}

function showNumbers(sample) {
  const point = pointOf(experiment, values), several = point.sources.length > 1 ? point.sources : [];
  const groups = several.map((group) => `[${group.name}]`);
  const predicted = modelAnswer(point, sample), columns = ["", ...groups];
  const cell = (metric) => {
    const samples = sample.map((run) => run.metrics[metric]?.value).filter(Number.isFinite);
    if (samples.length === 0) return made("td", {});
    const [mean, half] = estimate(samples), base = metric.replace(/\[.*/, "");
    const [value, unit] = inDisplayUnits(base, mean, point), [number, interval, shown] = written(value, half * (value / mean || 0), unit);
    const td = made("td", {}, made("span", { className: "amount" }, number, made("small", { textContent: interval }), shown));
    const earlier = before?.name === name ? before.runs.map((run) => run.metrics[metric]?.value).filter(Number.isFinite) : [];
    if (earlier.length) td.append(made("small", { className: "was", textContent: `was ${written(...shownOf(base, estimate(earlier)[0], point)).join("")}` }));
    return td;
  };
  // A fairness of endless transfers and pages together says nothing.
  const alike = new Set(point.sources.map(({ workload }) => workload.kind)).size === 1;
  const rows = Object.keys(DATA.shown).filter((metric) => sample[0].metrics[metric] && (alike || metric !== "fairness_index"));
  const head = ["", groups.length ? "All" : "Simulated", ...several.map(nameOf), ...predicted.metrics ? ["Model"] : []];
  byId("numbers").className = groups.length ? "several" : "";
  byId("numbers").tHead.replaceChildren(made("tr", {}, ...head.map((text) => made("th", { scope: "col", textContent: text }))));
  byId("numbers").tBodies[0].replaceChildren(...rows.map((metric) => {
    const row = made("tr", {}, made("th", { scope: "row", textContent: DATA.shown[metric].title }),
                     ...columns.map((group) => cell(metric + group)));
    if (predicted.metrics) {
      const value = predicted.metrics[metric];
      row.append(modelCell(value, estimate(sample.map((run) => run.metrics[metric].value))[0], metric, point));
    }
    return row;
  }));
  byId("model").textContent = `Model: ${predicted.text}`;
}

// A model's number with its error; beyond a factor of two it would mislead.
function modelCell(value, simulated, metric, point) {
  if (value === undefined) return made("td", {});
  const error = value / simulated - 1;
  if (!(error > -0.5 && error < 1)) return made("td", { className: "unusable", textContent: "off by more than twice" });
  const sign = error > 0 ? "+" : error < 0 ? "\u2212" : "±";
  return made("td", { textContent: written(...shownOf(metric, value, point)).join("") }, made("small", { className: "was", textContent: `${sign}${Math.abs(100 * error).toFixed(0)} %` }));
}

function shownOf(metric, value, point) {
  const [number, unit] = inDisplayUnits(metric, value, point);
  return [number, 0, unit];
}

// What a model says, where one applies, and in any case a word about it: a formula, or the pipeline's own at the start of an experiment.
function modelAnswer(point, sample) {
  if (experiment.predicted.model) {
    const moved = Object.entries(values).some(([key, value]) => key !== "time" && value !== experiment.settings[key].start);
    const { model, metrics } = experiment.predicted;
    return moved ? { text: `the authors' own (${model}) was asked at the first settings only; "Back to the start" brings them back.` }
                 : { metrics, text: `the authors' own (${model}), as the pipeline has it at these settings.` };
  }
  const [{ tcp, count, workload }] = point.sources, queue = point.links?.bottleneck?.queue;
  if (experiment.model === "engset" && queue === "drop-tail") {
    const { rate, utilisation } = engset(point);
    const files = workload.file_size.mean_packets * 8 * point.packet_bytes;
    return { metrics: { goodput_per_connection: rate, on_time: files / rate, utilisation },
             text: "Engset (Zaragoza 2014), which knows no losses; right while there are few." };
  }
  if (experiment.model === "padhye") {
    const mean = (metric) => estimate(sample.map((run) => run.metrics[metric].value))[0];
    const loss = mean("loss_ratio"), rtt = mean("rtt_path_mean");
    if (!(loss > 0 && rtt > 0)) return { metrics: {}, text: "none; the formula of Padhye et al. needs losses." };
    const rate = padhye(rtt, loss, tcp.timers === "linux" ? rtt + tcp.min_rto_s : Math.max(rtt, tcp.min_rto_s), tcp.rwnd_packets);
    return { metrics: { goodput: count * rate * (1 - loss) },
             text: "Padhye et al. 1998, what Reno senders would get at the loss and round-trip time just simulated." };
  }
  return { text: `no formula of this page covers ${point.sources.length > 1 ? "two groups" : queue && queue !== "drop-tail" ? `the queue ${queue}` : "this"}.` };
}

const tracesOf = (run) => Object.entries(run.traces ?? {}).filter(([trace]) => /^(window|queue)/.test(trace));

function seriesOf(run, point, pale) {
  let windows = 0;
  return tracesOf(run).map(([trace, { time_s: x, value: y }]) => {
    const own = /^queue/.test(trace) ? "queue" : "window", group = trace.match(/\[(.*)\]/)?.[1];
    return { x, y, pale, colour: COLOURS[own][own === "window" ? windows++ : 0],
             title: own === "queue" ? "queue" : `window of one user${group ? ` (${nameOf(point.sources.find((each) => each.name === group))})` : ""}` };
  });
}

// What path, and path and buffer, hold, in packets.
function capacities({ links, return_delay_s: back, packet_bytes: bytes, sources }) {
  const { bottleneck } = links ?? {};
  if (!bottleneck || sources.length !== 1) return [];
  const trip = bottleneck.delay_s + (links.egress?.delay_s ?? 0) + (sources[0].access?.delay_s ?? 0) + back;
  const path = bottleneck.rate_bit_per_s * trip / (8 * bytes);
  return [{ y: path, title: "path" }, { y: path + bottleneck.buffer_packets, title: "path + buffer" }];
}

function draw() {
  if (!drawn) return;
  const legend = byId("legend");
  if (tracesOf(drawn).length) {
    const point = pointOf(experiment, values), series = seriesOf(drawn, point, false);
    const earlier = before?.name === name ? seriesOf(before.drawn, point, true) : [];
    const last = (values.time ?? Math.max(...series.map(({ x }) => x[x.length - 1] ?? 0))) || 1;
    axis = Math.max(axis, 1.05 * heightOf(series, last));
    drawSteps(byId("chart"), [...earlier, ...series], { width: last, unitX: "seconds", unitY: "packets", highest: axis, lines: capacities(point) });
    legend.replaceChildren(...series.map(({ title, colour }) => made("span", { className: "entry" }, made("span", { className: "key", style: `background: ${colour}` }), title)));
    describe(series.map(({ title, y }) => `${title}: up to ${y.reduce((a, b) => Math.max(a, b), 0)} packets`));
    return;
  }
  const [kind, { unit, probability }] = Object.entries(drawn.distributions)[0];
  const above = [];
  probability.reduce((left, share) => (above.push(100 * left), left - share), 1);
  // Of "10 kbit/s", 10 times what is counted in.
  const [, times, unitX] = unit.match(/^(\d+)? ?(.*)$/), step = Number(times ?? 1);
  const last = Math.max(1, above.findIndex((left) => left < 0.1)) * step;
  drawSteps(byId("chart"), [{ x: above.map((_, i) => i * step), y: above, colour: COLOURS.other[0] }], { width: last, unitX, unitY: "% of downloads with more", highest: 100 });
  legend.textContent = "Speed of downloads: how many are faster than so much";
  describe([`${kind}: half of all above ${above.findIndex((left) => left < 50) * step} ${unitX}`]);
}

const describe = (parts) => byId("chart").setAttribute("aria-label", parts.join("; "));

// --- The page ---

function show() {
  window.done = undefined;
  before = drawn = null;
  axis = 0;
  showSettings();
  showExercise();
  ask();
}

const families = Map.groupBy?.(Object.entries(DATA.experiments), ([, { family }]) => family) ??
  Object.entries(DATA.experiments).reduce((map, entry) => map.set(entry[1].family, [...map.get(entry[1].family) ?? [], entry]), new Map());
byId("experiment").append(...[...families].map(([family, entries]) =>
  made("optgroup", { label: family }, ...entries.map(([key, { title }]) => made("option", { value: key, textContent: title })))));
byId("experiment").append(made("optgroup", { label: "Ten exercises: predict, then simulate" }, ...Object.entries(DATA.exercises).map(([key, { title }]) =>
  made("option", { value: `exercise ${key}`, textContent: title }))));
byId("version").textContent = DATA.version;

byId("experiment").onchange = () => {
  const [kind, key] = byId("experiment").value.split(" ");
  if (key) return open(key);
  history.pushState(null, "", `#experiment=${kind}`);
  fromAddress();
  show();
};
function open(key) {
  const own = [["exercise", key], ["name", student], ["done", [...done].join(".")]].filter(([, value]) => value !== "");
  history.pushState(null, "", `#${new URLSearchParams(own)}`);
  fromAddress();
  show();
}
byId("next").onclick = () => {
  const keys = Object.keys(DATA.exercises);
  open(keys[(keys.indexOf(exercise) + 1) % keys.length]);
};
byId("student").onchange = () => {
  student = byId("student").value.trim();
  done = new Set();
  open(exercise);
};
byId("prediction").onsubmit = (event) => {
  event.preventDefault();
  said = byId("said").value;
  document.body.classList.remove("unanswered");
  history.replaceState(null, "", address());
  ask();
};
byId("fit").onclick = () => {
  axis = 0;
  before = null;
  draw();
};
byId("reset").onclick = () => {
  keepAsBefore();
  values = atStart();
  history.replaceState(null, "", address());
  showSettings();
  ask();
};
const copied = async (text, what) => {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = `${what} is copied.`;
  } catch {
    byId("copied").textContent = "This browser does not let a page copy; take it from below, or from the address.";
    byId("scenario").open = true;
  }
};
byId("link").onclick = () => copied(location.href.replace(/#.*/, "") + address(), "The link");
const saved = (href, file) => made("a", { href, download: file }).click();
const csvOf = (rows) => URL.createObjectURL(new Blob([rows.map((row) => row.map((cell) => /[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell).join(",")).join("\n") + "\n"], { type: "text/csv" }));
byId("frame").onclick = () => copied(`<iframe src="${location.href.replace(/#.*/, "")}${address().replaceAll("&", "&amp;")}&amp;embed=1" width="100%" height="620" title="TCP Atlas"></iframe>`, "The frame");
byId("png").onclick = () => saved(byId("chart").toDataURL("image/png"), `${exercise ?? name}.png`);
byId("csv").onclick = () => saved(csvOf([["trace", "seconds", "packets"], ...tracesOf(drawn ?? {}).flatMap(([trace, { time_s: x, value: y }]) => x.map((time, i) => [trace, time, y[i]])),
  ...runs.flatMap((run, i) => Object.entries(run.metrics).map(([metric, { value }]) => [`run ${i + 1}: ${metric}`, "", value]))]), `${exercise ?? name}.csv`);
byId("copy").onclick = () => copied(byId("yaml").textContent, "The scenario");
byId("settings").onsubmit = (event) => event.preventDefault();
// Of each name and exercise, its settings and what the simulator says there, by a worker of its own.
byId("key").onclick = async () => {
  const names = byId("names").value.split("\n").map((line) => line.trim()).filter(Boolean), rows = [["name", "exercise", "settings", "answer", "unit"]];
  for (const one of names) {
    for (const [key, each] of Object.entries(DATA.exercises)) {
      byId("key-state").textContent = `${one}: ${each.title}`;
      rows.push([one, key, ...await keyOf(key, one), each.unit]);
    }
  }
  byId("key-state").textContent = `${names.length} names`;
  window.answers = rows;
  saved(csvOf(rows), "answer-key.csv");
};

function keyOf(key, one) {
  const each = DATA.exercises[key], own = DATA.experiments[each.experiment], settings = settingsOf(key, one, DATA), point = pointOf(own, settings);
  const apart = newWorker(), got = [];
  let traced = null;
  return new Promise((resolve, reject) => {
    apart.onmessage = ({ data }) => {
      if (data.kind === "ready") apart.postMessage({ traced: JSON.stringify(pointOf(own, settings, true)), plain: JSON.stringify(point), seeds: own.seeds.slice(0, 10), seconds: SECONDS, ticket: 1 });
      if (data.kind === "traced") traced = JSON.parse(data.run);
      if (data.kind === "replication") got.push(JSON.parse(data.run));
      if (data.kind === "failed") reject(new Error(data.text));
      if (data.kind === "done") resolve([Object.keys(each.by_name).map((setting) => `${setting}=${settings[setting]}`).join(" "), threeDigits(measured(each, traced, got, point.packet_bytes))]);
    };
  }).finally(() => apart.terminate());
}

addEventListener("hashchange", () => { fromAddress(); show(); });
addEventListener("resize", draw);
fromAddress();
start();
show();
