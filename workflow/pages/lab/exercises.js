// Exercises: a question at settings of one's own, a prediction, the simulation, and what it says of the prediction. All of it is in
// the address: exercise, name, what was said, and which ones are done.
"use strict";

const FACTORS = { "Mbit/s": 1e6, ms: 1e-3, "%": 0.01, "of 10,000": 1e-4 };

// The same name has the same settings everywhere; FNV-1a of the exercise and the name as one writes it, whatever the case.
function drawnBy(student, exercise, settings) {
  let hash = 2166136261;
  for (const byte of new TextEncoder().encode(`${exercise} ${student.trim().toLowerCase()}`)) hash = Math.imul(hash ^ byte, 16777619);
  return Object.fromEntries(Object.entries(settings).map(([setting, choices]) => {
    hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
    return [setting, choices[(hash >>> 8) % choices.length]];
  }));
}

function settingsOf(key, student, { exercises, experiments }) {
  const { experiment, settings, by_name } = exercises[key];
  return { ...startOf(experiments[experiment]), ...settings, ...drawnBy(student, key, by_name) };
}

// Of a window's trace, from the middle of the run: its largest value, or the mean time between its cuts by a tenth and more.
function ofTrace(measure, { time_s: x, value: y }) {
  const half = (x[x.length - 1] ?? 0) / 2, later = y.filter((_, i) => x[i] >= half);
  if (measure === "peak") return Math.max(...later);
  const cuts = x.filter((time, i) => time >= half && i > 0 && y[i] < 0.9 * y[i - 1]);
  return cuts.length < 2 ? NaN : (cuts[cuts.length - 1] - cuts[0]) / (cuts.length - 1);
}

// What was simulated, in the exercise's unit: of the drawn run where it is a trace's, else the mean over replications.
function measured({ measure, over, unit }, drawn, runs, packetBytes) {
  const trace = Object.entries(drawn?.traces ?? {}).find(([trace]) => trace.startsWith("window"))?.[1];
  if (measure === "peak" || measure === "period") return trace ? ofTrace(measure, trace) : NaN;
  const mean = (metric) => runs.reduce((sum, run) => sum + (run.metrics[metric]?.value ?? NaN), 0) / runs.length;
  const rate = /^goodput/.test(measure) && !over ? 8 * packetBytes : 1;
  return mean(measure) / (over ? mean(over) : 1) * rate / (FACTORS[unit] ?? 1);
}

function judged({ within }, said, simulated) {
  const off = said / simulated - 1;
  return { right: Math.abs(off) <= within, off };
}
