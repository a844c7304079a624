// node run_module.mjs MODULE WORKER: packetsim as a page's worker runs it. Points with seeds come as lines of JSON, runs go out so.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [module, worker] = process.argv.slice(2);
const simulate = vm.runInThisContext(`${readFileSync(worker, "utf8")}; simulate`);
const compiled = new WebAssembly.Module(readFileSync(module));
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { point, seed } = JSON.parse(line);
  let answer;
  try {
    answer = { run: simulate(compiled, point, seed, () => {}) };
  } catch (error) {
    answer = { failed: error.message };
  }
  console.log(JSON.stringify(answer));
}
