// What a run prints: a table an operation, a line a size, a column a contender; then the goals.

const COLUMNS = ["addnorm-memory", "addnorm-api", "addnorm-nosimd", "onnxruntime-web", "tfjs-wasm", "js", "simd-copy", "simd-add"];

/** Three digits that count. */
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
