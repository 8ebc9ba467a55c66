// What the project holds itself to, as ratios within one run.
import { SCALING_SIZES } from "./tasks.mjs";

const MAIN_SIZES = [[128, 768], [2048, 768], [512, 4096]];

/** `contender` against `beside`: "at least" times faster, or "at most" so many times its time. */
const RATIOS = [
  ...["onnxruntime-web", "tfjs-wasm"].map((beside) => ({ op: "layer_norm", contender: "addnorm-api", beside, bound: "at least", of: () => 10 })),
  { op: "add_norm", contender: "addnorm-api", beside: "onnxruntime-web", bound: "at least", of: () => 10 },
  { op: "layer_norm", contender: "addnorm-memory", beside: "simd-copy", bound: "at most", of: (rows) => (rows === 128 ? 3 : 2.5) },
  { op: "add_norm", contender: "addnorm-memory", beside: "simd-add", bound: "at most", of: () => 2.2 },
  { op: "layer_norm_backward", contender: "addnorm-memory", beside: "simd-copy", bound: "at most", of: () => 6 },
];

/**
 * The goals that the results allow to judge.
 *
 * @returns each { goal, size, measured, bound: "at least" | "at most", limit, unit, met }
 */
export function goalsOf(results) {
  const msOf = (op, [rows, cols], contender) =>
    results.find((r) => r.op === op && r.rows === rows && r.cols === cols && r.contender === contender)?.ms;
  const goals = [];
  const judge = (goal, size, measured, bound, limit, unit) => {
    if (!Number.isFinite(measured)) return;
    const met = bound === "at least" ? measured >= limit : measured <= limit;
    goals.push({ goal, size, measured, bound, limit, unit, met });
  };

  for (const { op, contender, beside, bound, of } of RATIOS) {
    for (const size of MAIN_SIZES) {
      const own = msOf(op, size, contender);
      const other = msOf(op, size, beside);
      judge(`${op}: ${contender} against ${beside}`, size.join(" x "), bound === "at least" ? other / own : own / other, bound, of(...size), "x");
    }
  }
  const perElement = SCALING_SIZES.map(([rows, cols]) => msOf("layer_norm", [rows, cols], "addnorm-memory") / (rows * cols));
  judge("layer_norm: addnorm-memory, time per element, worst against best", "10^4 to 10^7", Math.max(...perElement) / Math.min(...perElement), "at most", 1.5, "x");
  judge("layer_norm: addnorm-api, one call", "7 x 8", 1e3 * msOf("layer_norm", [7, 8], "addnorm-api"), "at most", 2, "us");
  const stack = (contender) => msOf("stack_backward", [64, 256], contender);
  judge("stack_backward: addnorm-api against tfjs-wasm", "12 layers, 64 x 256", stack("tfjs-wasm") / stack("addnorm-api"), "at least", 3, "x");
  return goals;
}
