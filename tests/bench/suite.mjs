// One run: every contender on every task, its results compared with the double reference before it is timed.
import { shortestTimes } from "./timing.mjs";

/**
 * How far results are from the right ones: the largest difference, and the root of the mean square relative to that of
 * the right ones, of the output that is worst. What is not a number is infinitely far.
 */
export function errorsOf(outputs, right) {
  if (Object.keys(outputs).length === 0) return { maxError: Infinity, relative: Infinity };
  let maxError = 0;
  let relative = 0;
  for (const [name, values] of Object.entries(outputs)) {
    const expected = right[name];
    if (expected?.length !== values.length) return { maxError: Infinity, relative: Infinity };
    let squares = 0;
    let scale = 0;
    for (let i = 0; i < values.length; i++) {
      const error = Math.abs(values[i] - expected[i]);
      if (!(error <= maxError)) maxError = Number.isNaN(error) ? Infinity : error;
      squares += error * error;
      scale += expected[i] * expected[i];
    }
    const found = Math.sqrt(squares / scale);
    if (!(found <= relative)) relative = Number.isNaN(found) ? Infinity : found;
  }
  return { maxError, relative };
}

/**
 * @param contenders each { prepare(task) => entries }, where an entry is { contender, call, outputs, bytes?,
 *   asynchronous?, free? }: `call` is timed, `outputs` calls once and gives the results by name
 * @param report told each task's results as they come
 * @returns results as the JSON holds them, and the names of those that were wrong
 */
export async function runTasks(tasks, contenders, { report = () => {}, ...timing } = {}) {
  const results = [];
  const wrong = [];
  for (const task of tasks) {
    const right = task.right();
    const entries = [];
    for (const contender of contenders) {
      for (const entry of await contender.prepare(task)) {
        const { maxError, relative } = errorsOf(await entry.outputs(), right);
        if (relative <= task.tolerance) entries.push({ ...entry, maxError });
        else wrong.push(`${entry.contender}: ${task.name} is wrong by ${maxError}`);
      }
    }
    const times = await shortestTimes(entries, timing);
    const found = entries.map(({ contender, maxError, bytes = task.bytes }, i) => ({
      op: task.op, rows: task.rows, cols: task.cols, contender, ms: times[i], gbps: (bytes * 1e-6) / times[i], maxError,
    }));
    for (const entry of entries) entry.free?.();
    results.push(...found);
    report(task, found);
  }
  return { results, wrong };
}
