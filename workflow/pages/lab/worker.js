// packetsim in a thread of its own. In: {wasm} once, then {traced, plain, seeds, seconds, ticket}: the run that is drawn, then
// replications until the time is up or another ticket has come. An instance makes one run: what fails leaves nothing behind.
"use strict";
let compiled, newest = 0;

async function unpacked(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

function simulate(module, point, seed, progress) {
  let instance;
  const text = (at, bytes) => new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, at, bytes));
  const unused = () => 52;  // ENOSYS: of the C library's files; the engine opens none
  instance = new WebAssembly.Instance(module, {
    host: { progress, failed(at, bytes) { throw new Error(text(at, bytes)); } },
    wasi_snapshot_preview1: { fd_close: unused, fd_seek: unused, fd_write: unused },
  });
  const engine = instance.exports;
  engine._initialize();
  const bytes = new TextEncoder().encode(point);
  const at = engine.point(bytes.length);  // before the memory is looked at: it may grow
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const length = engine.simulate(BigInt(seed));
  return text(engine.run(), length);
}

async function work({ traced, plain, seeds, seconds, ticket }) {
  const module = await compiled, began = performance.now();
  const answer = (kind, point, seed) => {
    const start = performance.now();
    const run = simulate(module, point, seed, (share) => postMessage({ kind: "progress", share, ticket }));
    postMessage({ kind, run, ms: performance.now() - start, seed, ticket });
  };
  const yielded = () => new Promise((resolve) => setTimeout(resolve));
  try {
    answer("traced", traced, seeds[0]);
    for (const seed of seeds) {
      await yielded();
      if (ticket !== newest || performance.now() - began > 1000 * seconds) break;
      answer("replication", plain, seed);
    }
    postMessage({ kind: "done", ticket });
  } catch (error) {
    postMessage({ kind: "failed", text: error.message, ticket });
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = ({ data }) => {
    if (data.wasm) {
      compiled = unpacked(data.wasm).then((bytes) => WebAssembly.compile(bytes));
      compiled.then(() => postMessage({ kind: "ready" }), (error) => postMessage({ kind: "failed", text: error.message }));
    } else {
      newest = data.ticket;
      work(data);
    }
  };
}
