// Traces and distributions as steps on a canvas.
"use strict";

const COLOURS = { window: ["#0072b2", "#009e73"], queue: ["#d55e00"], other: ["#0072b2"] };

function niceStep(highest, most) {
  const power = 10 ** Math.floor(Math.log10(highest / most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => highest / step <= most);
}

// The largest value from a time on; values hold until the next.
function largestFrom(series, start) {
  let largest = 0;
  for (const { x, y } of series) y.forEach((value, i) => { if (value > largest && (x[i + 1] ?? Infinity) > start) largest = value; });
  return largest;
}

// The axis of a series: the largest value, or what is later if a first slow start overshoots by far.
function heightOf(series, lastX) {
  const peak = largestFrom(series, 0), later = largestFrom(series, lastX / 10);
  return later > 0 && peak > 2 * later ? 1.15 * later : peak || 1;
}

// series: [{x, y, colour, pale}]; a value holds until the next. Of many in one column of pixels, the lowest and the highest.
// `highest` is the axis, `lines` are dashed: [{y, title}].
function drawSteps(canvas, series, { width: lastX, unitX, unitY, highest, lines = [] }) {
  const scale = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  const left = 52, right = 10, top = 22, bottom = 26, style = getComputedStyle(canvas);
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.font = `12px ${style.fontFamily}`;
  const peak = largestFrom(series.filter(({ pale }) => !pale), 0), cut = peak > highest;
  const atX = (x) => left + x / lastX * (width - left - right), atY = (y) => height - bottom - y / highest * (height - bottom - top);
  context.fillStyle = style.color;
  context.strokeStyle = style.borderColor;
  context.lineWidth = 1;
  const label = (value) => String(Number(value.toPrecision(6)));
  context.textAlign = "right";
  const stepY = niceStep(highest, 5);
  for (let y = 0; y <= highest * 1.0001; y += stepY) {
    context.beginPath();
    context.moveTo(left, atY(y));
    context.lineTo(width - right, atY(y));
    context.stroke();
    context.fillText(label(y), left - 6, atY(y) + 4);
  }
  context.textAlign = "center";
  const stepX = niceStep(lastX, width < 500 ? 4 : 8);
  const ticks = [];
  for (let x = 0; x <= lastX * 1.0001; x += stepX) ticks.push(x);
  const wide = (text) => context.measureText(text).width;
  const lastTick = ticks[ticks.length - 1], number = label(lastTick), text = `${number} ${unitX}`;
  const start = Math.min(atX(lastTick) - wide(number) / 2, width - 4 - wide(text));
  for (const x of ticks.slice(0, -1)) {
    if (atX(x) + wide(label(x)) / 2 + 10 < start) context.fillText(label(x), atX(x), height - 8);
  }
  context.textAlign = "left";
  context.fillText(text, start, height - 8);
  context.fillText(cut ? `${unitY}; the first peak, ${label(peak)}, is cut off` : unitY, 4, 14);
  context.beginPath();
  context.rect(left, top - 2, width - left, height - bottom - top + 4);
  context.clip();
  context.setLineDash([6, 5]);
  for (const { y, title } of lines) {
    if (y > highest) continue;
    context.beginPath();
    context.moveTo(left, atY(y));
    context.lineTo(width - right, atY(y));
    context.stroke();
  }
  context.setLineDash([]);
  for (const { x, y, colour, pale } of series) {
    context.beginPath();
    context.strokeStyle = colour;
    context.globalAlpha = pale ? 0.3 : 1;
    context.lineWidth = 1.4;
    let column = -1, low = 0, high = 0, last = atY(y[0] ?? 0);
    context.moveTo(atX(x[0] ?? 0), last);
    const flush = () => {
      if (column >= 0) for (const value of [low, high, last]) context.lineTo(column, value);
    };
    for (let i = 0; i < x.length && x[i] <= lastX; ++i) {
      const at = Math.round(atX(x[i]) * scale) / scale;
      if (at !== column) {
        flush();
        context.lineTo(at, last);
        column = at;
        low = high = atY(y[i]);
      }
      last = atY(y[i]);
      low = Math.min(low, last);
      high = Math.max(high, last);
    }
    flush();
    context.lineTo(atX(lastX), last);
    context.stroke();
  }
  context.globalAlpha = 1;
  // Names of lines last, so that no trace hides them: above their lines, below one at the top.
  context.strokeStyle = getComputedStyle(document.body).backgroundColor;
  context.lineWidth = 4;
  context.lineJoin = "round";
  for (const { y, title } of lines) {
    if (y > highest) continue;
    const base = atY(y) - top < 14 ? atY(y) + 13 : atY(y) - 4;
    context.strokeText(title, left + 6, base);
    context.fillText(title, left + 6, base);
  }
}
