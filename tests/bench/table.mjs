// What a run prints: a table an operation, a line a size, a column a contender; then the goals. And the README's table.

const COLUMNS = ["addnorm-memory", "addnorm-api", "addnorm-nosimd", "onnxruntime-web", "tfjs-wasm", "js", "simd-copy", "simd-add"];

/** Three digits that count; two below 1. */
function short(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value < 1 ? 2 : 3);
}

/** Columns as wide as their widest cell, the first to the left. */
function aligned(rows) {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  return rows.map((row) => row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join("  ").trimEnd()).join("\n");
}

/** Microseconds a call and, in brackets, how many times addnorm-api's. */
export function resultTables(results) {
  const tableOf = (op) => {
    const own = results.filter((r) => r.op === op);
    const contenders = COLUMNS.filter((name) => own.some((r) => r.contender === name));
    const sizes = [...new Set(own.map(({ rows, cols }) => `${rows} x ${cols}`))];
    const lines = sizes.map((size) => {
      const at = own.filter(({ rows, cols }) => `${rows} x ${cols}` === size);
      const msOf = (name) => at.find((r) => r.contender === name)?.ms;
      const base = msOf("addnorm-api");
      const cellOf = (ms) => `${short(1e3 * ms)}${base === undefined ? "" : ` (${short(ms / base)})`}`;
      return [size, ...contenders.map((name) => (msOf(name) === undefined ? "" : cellOf(msOf(name))))];
    });
    return aligned([[op, ...contenders], ...lines]);
  };
  return [...new Set(results.map((r) => r.op))].map(tableOf).join("\n\n");
}

export function goalTable(goals) {
  return aligned([
    ["goal", "size", "measured", "wanted", ""],
    ...goals.map(({ goal, size, measured, bound, limit, unit, met }) =>
      [goal, size, `${measured.toFixed(2)} ${unit}`, `${bound} ${limit} ${unit}`, met ? "met" : "MISSED"]),
  ]);
}

const README_SIZES = ["128 x 768", "2048 x 768", "512 x 4096", "64 x 256"];
const README_NAMES = { "addnorm-memory": "in memory", "addnorm-api": "through the API", "addnorm-nosimd": "in memory, no SIMD" };

function duration(ms) {
  return ms < 1 ? `${short(1e3 * ms)} us` : `${short(ms)} ms`;
}

/** A line an operation and size, in Markdown. */
export function markdownTable(results) {
  const contenders = COLUMNS.filter((name) => results.some((r) => r.contender === name));
  const lines = new Map();
  for (const { op, rows, cols, contender, ms } of results) {
    const size = `${rows} x ${cols}`;
    if (!README_SIZES.includes(size)) continue;
    const label = `${op} ${size}`;
    lines.set(label, { ...lines.get(label), [contender]: duration(ms) });
  }
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [
    line(["a call", ...contenders.map((name) => README_NAMES[name] ?? name)]),
    line(["---", ...contenders.map(() => "--:")]),
    ...[...lines].map(([label, cells]) => line([label, ...contenders.map((name) => cells[name] ?? "")])),
  ].join("\n");
}
