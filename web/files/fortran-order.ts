// Column-major (Fortran) data to row-major (C), in square tiles so that large arrays stay in the cache.

const tile = 32;

/** `data` holds an array of `shape` with the first index fastest; the result holds it with the last index fastest. */
export function fortranToC(data: Float32Array, shape: readonly number[]): Float32Array {
  if (shape.length < 2) return data;
  const result = new Float32Array(data.length);
  const first = shape[0];
  const last = shape.at(-1)!;
  const middle = shape.slice(1, -1);
  const middleSize = middle.reduce((product, size) => product * size, 1);
  const index = middle.map(() => 0);

  for (let inC = 0; inC < middleSize; inC++) {
    let inFortran = 0;
    for (let axis = middle.length - 1; axis >= 0; axis--) inFortran = inFortran * middle[axis] + index[axis];
    transpose(data, inFortran * first, middleSize * first, result, inC * last, middleSize * last, first, last);
    for (let axis = middle.length - 1; axis >= 0 && ++index[axis] === middle[axis]; axis--) index[axis] = 0;
  }
  return result;
}

/** to[toStart + i * toStride + k] = from[fromStart + k * fromStride + i] for i below `rows`, k below `cols`. */
function transpose(
  from: Float32Array, fromStart: number, fromStride: number,
  to: Float32Array, toStart: number, toStride: number, rows: number, cols: number,
): void {
  for (let rowTile = 0; rowTile < rows; rowTile += tile) {
    const rowEnd = Math.min(rowTile + tile, rows);
    for (let colTile = 0; colTile < cols; colTile += tile) {
      const colEnd = Math.min(colTile + tile, cols);
      for (let i = rowTile; i < rowEnd; i++) {
        for (let k = colTile; k < colEnd; k++) to[toStart + i * toStride + k] = from[fromStart + k * fromStride + i];
      }
    }
  }
}

/** Where the value with position `position` in C order stands in column-major data. */
export function fortranPosition(position: number, shape: readonly number[]): number {
  let stride = shape.reduce((product, size) => product * size, 1);
  let result = 0;
  for (let axis = shape.length - 1, rest = position; axis >= 0; axis--) {
    stride /= shape[axis];
    result += (rest % shape[axis]) * stride;
    rest = Math.floor(rest / shape[axis]);
  }
  return result;
}
