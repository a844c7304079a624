// The tab of the papers' sentences with the TCP of today: a row for each, a column for each TCP and for the kernel.
// A verdict's class of colours and its mark, in the order of the filter.
const NOW = {
  "still holds": ["reproduced", "\u2713"], "no longer": ["deviates", "\u2717"], reversed: ["deviates", "\u21c4"],
  "engines differ": ["inconsistent", "\u2260"], undecided: ["undecided", "?"], smoke: ["smoke", "\u25cb"], "does not apply": ["unavailable", "\u2013"],
};
const THEN = { holds: ["reproduced", "\u2713"], fails: ["deviates", "\u2717"], undecided: ["undecided", "?"] };
const sentenceOf = (id, replies) => ({
  id, replies, paper: replies[0].paper, of: `${replies[0].paper}/${replies[0].item}`, text: replies[0].text,
  then: (replies.find((reply) => reply.then) || {}).then || "",
  words: [id, replies[0].text, atlas.papers[replies[0].paper].name, atlas.papers[replies[0].paper].authors,
    ...replies.flatMap((reply) => [reply.tcp, reply.engine, reply.verdict, reply.reason])].join(" ").toLowerCase(),
});
const replies = (atlas.now || []).filter((reply) => atlas.papers[reply.paper]);
const sentences = [...new Set(replies.map((reply) => reply.statement))].map((id) => sentenceOf(id, replies.filter((reply) => reply.statement === id)));
// Those that can be asked of a TCP of today first.
const asked = (sentence) => sentence.replies.some((reply) => reply.verdict !== "does not apply");
sentences.sort((one, other) => asked(other) - asked(one));
const tcps = [...new Set(replies.map((reply) => reply.tcp))].sort((a, b) => (b === "CUBIC") - (a === "CUBIC"));

const decides = (sentence, tcp) => sentence.replies.find((reply) => reply.tcp === tcp && reply.counted === "true");
const choiceOf = (sentence, tcp) => `${tcp}: ${(decides(sentence, tcp) || {}).verdict}`;
const mark = (looks, verdict) => element("span", `${looks[1]} ${verdict}`, { className: `verdict ${looks[0]}` });

function fittingNow(except) {
  const sought = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  return sentences.filter((sentence) => (except === "paper" || !state.paper || sentence.paper === state.paper) &&
    (except === "now" || !state.now || tcps.some((tcp) => choiceOf(sentence, tcp) === state.now)) &&
    sought.every((word) => sentence.words.includes(word)));
}

// Bars of a TCP: how many of the sentences that can be asked of it have each verdict.
function nowBars(bars) {
  for (const tcp of tcps) {
    const verdictOf = sentences.map((sentence) => decides(sentence, tcp)).filter((reply) => reply && reply.verdict !== "does not apply").map((reply) => reply.verdict);
    const held = verdictOf.filter((verdict) => verdict === "still holds").length;
    const parts = Object.entries(NOW).map(([verdict, looks]) => [verdict, looks, verdictOf.filter((one) => one === verdict).length]).filter(([, , count]) => count);
    bars.append(element("div", [
      element("span", [element("a", `With ${tcp}`, { href: address({ id: "now" }) }), element("small", "in place of the papers' own TCP")]),
      element("span", whole.format(verdictOf.length), { className: "count" }),
      element("div", parts.map(([verdict, looks, count]) => {
        const part = element("a", count / verdictOf.length > 0.06 ? whole.format(count) : "", { href: address({ id: "now", now: `${tcp}: ${verdict}` }), title: `${count} ${verdict}` });
        part.setAttribute("aria-label", `With ${tcp}: ${count} of ${verdictOf.length} ${verdict}`);
        const colour = atlas.verdicts[looks[0]].colour;
        Object.assign(part.style, { flex: count, background: verdict === "reversed" ? `color-mix(in srgb, ${colour} 60%, black)` : colour });
        return part;
      }), { className: "bar" }),
      element("span", `${share(held, verdictOf.length)} hold`, { className: "share" }),
    ], { className: "row" }));
  }
}

function replyCell(sentence, tcp) {
  const reply = decides(sentence, tcp);
  return reply ? [mark(NOW[reply.verdict], reply.verdict), element("small", reply.reason)] : [];
}

const kernelCell = (sentence) => sentence.replies.filter((reply) => reply.engine === "linux").map((reply) =>
  element("div", [`${reply.tcp}: `, mark(NOW[reply.verdict], reply.verdict)]));

// The tab, if the address asks for it and there is something to show.
function drawNow() {
  const shown = state.id === "now" && sentences.length > 0;
  byId("today").hidden = !shown;
  if (!shown) return false;
  const options = (select, rows, valueOfRow, text) => {
    const counts = new Map();
    rows.flatMap(valueOfRow).forEach((value) => counts.set(value, (counts.get(value) || 0) + 1));
    const order = [...counts.keys()].sort((a, b) => text.indexOf(a) - text.indexOf(b));
    select.replaceChildren(element("option", "all", { value: "" }), ...order.map((value) =>
      element("option", `${(atlas.papers[value] || { name: value }).name} (${counts.get(value)})`, { value })));
  };
  const every = tcps.flatMap((tcp) => Object.keys(NOW).map((verdict) => `${tcp}: ${verdict}`));
  options(byId("now-paper"), fittingNow("paper"), (sentence) => [sentence.paper], Object.keys(atlas.papers));
  options(byId("now-verdict"), fittingNow("now"), (sentence) => tcps.map((tcp) => choiceOf(sentence, tcp)).filter((choice) => every.includes(choice)), every);
  [byId("now-paper").value, byId("now-verdict").value] = [state.paper, state.now];
  if (document.activeElement !== byId("now-search")) byId("now-search").value = state.q;
  const rows = fittingNow();
  document.querySelector("#sentences caption").textContent = `${rows.length} of ${sentences.length} sentences`;
  const heads = ["Sentence", "Then", ...tcps, "Linux kernel"];
  document.querySelector("#sentences thead tr").replaceChildren(...heads.map((text) => element("th", text, { scope: "col" })));
  document.querySelector("#sentences tbody").replaceChildren(...rows.map((sentence) => {
    const item = atlas.items[sentence.of];
    const place = `${atlas.papers[sentence.paper].name}, ${item ? item.label : sentence.of.split("/")[1]}`;
    return element("tr", [
      [element("span", sentence.text), element("small", item ? element("a", place, { href: address({ id: sentence.of }) }) : place)],
      sentence.then ? [mark(THEN[sentence.then] || ["unavailable", "\u2013"], sentence.then)] : [],
      ...tcps.map((tcp) => replyCell(sentence, tcp)), kernelCell(sentence),
    ].map((cell, at) => element("td", [element("span", heads[at], { className: "head" }), ...cell])));
  }));
  return true;
}

byId("now-link").hidden = sentences.length === 0;
byId("now-paper").addEventListener("change", (event) => change({ paper: event.target.value }));
byId("now-verdict").addEventListener("change", (event) => change({ now: event.target.value }));
byId("now-search").addEventListener("input", (event) => change({ q: event.target.value }, true));
start();
