// npm run bench: what it measures and prints is told in the README. bench --native is the C++ program's, see scripts/bench.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { cpus, loadavg, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compileEmbind, compileGradients } from "./compiled.mjs";
import { OTHERS, OWN } from "./contenders/index.mjs";
import { goalsOf } from "./goals.mjs";
import { goalTable, markdownTable, resultTables } from "./table.mjs";
import { OPS } from "./tasks.mjs";

const USAGE = `bench [--browser] [--json FILE] [--markdown] [--check] [--ops A,B] [--contenders A,B] [--quick]
  --browser     in Chromium instead of Node
  --json FILE   writes the results
  --markdown    prints the table as the README has it
  --check       fails when a goal is missed
  --ops         some of ${OPS.join(", ")}
  --contenders  some of ${[...OWN, ...OTHERS].join(", ")}
  --quick       one small size of each norm, own contenders, two turns: shows that the bench works, measures nothing
bench --native [KERNEL...]    the C++ kernels, beside loops that move the same memory`;

function chosen(text, all, fallback) {
  if (text === undefined) return fallback;
  const names = text.split(",");
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new RangeError(`"${unknown}" is none of ${all.join(", ")}`);
  return names;
}

function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      browser: { type: "boolean" }, json: { type: "string" }, markdown: { type: "boolean" }, check: { type: "boolean" }, ops: { type: "string" },
      contenders: { type: "string" }, quick: { type: "boolean" }, help: { type: "boolean", short: "h" },
    },
  });
  const { quick = false } = values;
  const norms = OPS.filter((op) => op.includes("norm"));
  return {
    ...values,
    run: {
      quick,
      ops: chosen(values.ops, OPS, quick ? norms : OPS),
      contenders: chosen(values.contenders, [...OWN, ...OTHERS], quick ? OWN : [...OWN, ...OTHERS]),
      ...(quick ? { warmMs: 1, turns: 2 } : {}),
    },
  };
}

/** The short hash, with a + where files differ from it. */
function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8" }).trim();
  try {
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") ? "+" : "");
  } catch {
    return "unknown";
  }
}

async function main() {
  const { run, browser: inBrowser, json, markdown, check, help } = readOptions(process.argv.slice(2));
  if (help) return console.log(USAGE);
  await compileEmbind();
  if (run.contenders.includes("tfjs-wasm")) await compileGradients();
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1e3).toFixed(0);
  const report = (task) => console.error(`addnorm: ${seconds()} s, measured ${task.name}`);
  const { results, wrong, browser } = inBrowser
    ? await (await import("./browser.mjs")).runInBrowser({ ...run, report })
    : await (await import("./node.mjs")).runInNode({ ...run, report });
  const goals = goalsOf(results);
  const where = { machine: `${cpus().length} x ${cpus()[0].model}, ${platform()}`, node: process.version, ...(browser && { browser }), commit: commit() };

  console.log(`${where.machine}; ${browser ?? `Node ${where.node}`}; commit ${where.commit}; ${new Date().toISOString().slice(0, 10)}; load ${loadavg()[0].toFixed(1)}`);
  console.log(`microseconds a call, the shortest of the rounds (in brackets: times addnorm-api's)\n\n${resultTables(results)}`);
  if (goals.length > 0) console.log(`\n${goalTable(goals)}`);
  if (markdown) console.log(`\n${markdownTable(results)}`);
  for (const line of wrong) console.log(`not timed: ${line}`);
  console.log(`\n${seconds()} s`);
  if (json) await writeFile(json, `${JSON.stringify({ ...where, results, goals }, null, 1)}\n`);
  if (wrong.length > 0 || (check && goals.some((goal) => !goal.met))) process.exitCode = 1;
}

main().catch((error) => {
  console.error(`bench: ${error instanceof TypeError || error instanceof RangeError ? `${error.message}\n${USAGE}` : error.stack}`);
  process.exitCode = 2;
});
