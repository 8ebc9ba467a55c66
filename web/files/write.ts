// Writes a matrix as .npy or .csv so that reading it gives the same float32 values, bit for bit.

import { hostByteOrder } from "./byte-order.js";
import { npyMagic } from "./npy.js";
import { shortestFloat32 } from "./shortest-float32.js";
import type { Matrix } from "./tensor.js";

/**
 * A .npy file, version 1.0, of little-endian float32 with shape (rows, cols).
 * @throws RangeError when data does not hold rows * cols values.
 */
export function writeNpy(matrix: Matrix): Uint8Array {
  checkMatrix("writeNpy", matrix);
  const { rows, cols, data } = matrix;
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  const dataAt = Math.ceil((npyMagic.length + 4 + header.length + 1) / 64) * 64; // numpy.lib.format aligns the data so
  const bytes = new Uint8Array(dataAt + data.length * 4);
  bytes.set(npyMagic);
  bytes.set([1, 0, dataAt - 10, 0], npyMagic.length);
  bytes.set(new TextEncoder().encode(`${header.padEnd(dataAt - 11)}\n`), 10);
  if (hostByteOrder === "little") {
    new Float32Array(bytes.buffer, dataAt).set(data);
  } else {
    const view = new DataView(bytes.buffer, dataAt);
    data.forEach((value, i) => view.setFloat32(i * 4, value, true));
  }
  return bytes;
}

/**
 * One line a row, cells separated by commas, each number in the fewest digits that read back to the same float32.
 * @throws RangeError when data does not hold rows * cols values.
 */
export function writeCsv(matrix: Matrix): string {
  checkMatrix("writeCsv", matrix);
  const { rows, cols, data } = matrix;
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    lines.push(Array.from(data.subarray(row * cols, (row + 1) * cols), shortestFloat32).join(",") + "\n");
  }
  return lines.join("");
}

function checkMatrix(caller: string, { rows, cols, data }: Matrix): void {
  if (!(data instanceof Float32Array)) throw new TypeError(`${caller}: data must be a Float32Array`);
  if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows < 0 || cols < 0 || rows * cols !== data.length) {
    throw new RangeError(`${caller}: data has ${data.length} values, rows x cols is ${rows} x ${cols}`);
  }
}
