// npm run bench in its short mode, so that the harness cannot rot: our own contenders on one small size, two turns.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goalsOf } from "../bench/goals.mjs";
import { layerNorm } from "../bench/plain/norms.mjs";
import { errorsOf, runTasks } from "../bench/suite.mjs";
import { Task } from "../bench/tasks.mjs";

const MAIN = fileURLToPath(new URL("../bench/main.mjs", import.meta.url));
const run = promisify(execFile);

describe("a quick run", () => {
  let folder, report, printed;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "addnorm-bench-"));
    ({ stdout: printed } = await run(process.execPath, [MAIN, "--quick", "--json", join(folder, "bench.json")]));
    report = JSON.parse(await readFile(join(folder, "bench.json"), "utf8"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("writes where it ran and one result a contender", () => {
    const { machine, node, commit, results } = report;
    for (const text of [machine, commit]) expect(text).toMatch(/\S/);
    expect(node).toBe(process.version);
    const whole = ["addnorm-memory", "addnorm-api", "addnorm-nosimd", "js"];
    for (const [op, limit] of [["layer_norm", "simd-copy"], ["rms_norm", "simd-copy"], ["add_norm", "simd-add"], ["layer_norm_backward", "simd-copy"]]) {
      const own = results.filter((result) => result.op === op);
      expect(own.map((result) => result.contender).sort(), op).toEqual([...whole, limit].sort());
    }
    for (const result of results) {
      expect(Object.keys(result)).toEqual(["op", "rows", "cols", "contender", "ms", "gbps", "maxError"]);
      expect([result.rows, result.cols]).toEqual([7, 8]);
      expect(result.ms).toBeGreaterThan(0);
      expect(result.gbps).toBeGreaterThan(0);
      expect(result.maxError).toBeLessThan(1e-4);
    }
    expect(results.find((result) => result.contender === "simd-copy").maxError).toBe(0);
    expect(results.some((result) => result.maxError > 0)).toBe(true);
  });

  test("judges the goal that it has measured, and prints both", () => {
    expect(report.goals.map(({ goal, size }) => [goal, size])).toEqual([["layer_norm: addnorm-api, one call", "7 x 8"]]);
    expect(printed).toContain("layer_norm: addnorm-api, one call");
    expect(printed).toContain("addnorm-nosimd");
  });
});

test("an operation or contender that does not exist is refused with a list of those that do", async () => {
  await expect(run(process.execPath, [MAIN, "--ops", "layer_nrom"])).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("layer_norm_backward") });
});

describe("errors", () => {
  const right = { y: Float64Array.of(3, -4) };

  test("are the largest difference, and the root mean square beside that of the right values", () => {
    const { maxError, relative } = errorsOf({ y: Float32Array.of(3, -4.5) }, right);
    expect(maxError).toBe(0.5);
    expect(relative).toBeCloseTo(0.1, 12);
  });

  test("are infinite for NaN, for a wrong length, for an output that nobody asked for and for none", () => {
    for (const outputs of [{ y: [3, NaN] }, { y: [3] }, { z: [3, -4] }, {}]) {
      expect(errorsOf(outputs, right)).toEqual({ maxError: Infinity, relative: Infinity });
    }
  });
});

test("a contender that computes something else is not timed", async () => {
  const task = new Task((seed, count) => Float64Array.from({ length: count }, (_, i) => Math.sin(seed + i)), "layer_norm", 3, 5);
  let calls = 0;
  const entry = (contender, outputs) => ({ prepare: () => [{ contender, call: () => { calls += 1; }, outputs }] });
  const without = () => layerNorm(Float32Array, task.size, { ...task.inputs, beta: new Float32Array(5) });
  const { results, wrong } = await runTasks([task], [entry("wrong", without)], { warmMs: 0, turns: 1 });
  expect(results).toEqual([]);
  expect(wrong).toEqual([expect.stringMatching(/^wrong: layer_norm 3 x 5 is wrong by [\d.]+$/)]);
  expect(calls).toBe(0);
});

test("goals are ratios within one run, faster than others and not slower than the limit", () => {
  const at = (op, contender, ms) => ({ op, rows: 128, cols: 768, contender, ms });
  const goals = goalsOf([
    at("layer_norm", "addnorm-api", 0.05), at("layer_norm", "onnxruntime-web", 0.6), at("layer_norm", "tfjs-wasm", 0.4),
    at("layer_norm", "addnorm-memory", 0.03), at("layer_norm", "simd-copy", 0.009),
  ]);
  expect(goals.map(({ measured, limit, met }) => [Number(measured.toFixed(3)), limit, met])).toEqual([[12, 10, true], [8, 10, false], [3.333, 3, false]]);
});
