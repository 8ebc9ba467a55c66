// A model's weights: the caller's checked, and read back as records.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { Values } from "../types.js";
import { isMatrixName, isWeightName, type BlockArrays, type BlockWeights } from "./names.js";
import type { Parameter } from "./plan.js";

/**
 * The caller's weights in the order of the parameters; null for one that is to be drawn.
 *
 * @throws TypeError for a name that no weight has, and for a matrix that is missing where others are given
 * @throws RangeError for lengths that do not fit
 */
export function checkedWeights(
  heap: Heap, call: string, given: readonly BlockWeights[], parameters: readonly Parameter[],
): (Values | null)[] {
  const names = given.map((record) => Object.keys(record));
  names.forEach((keys, block) => {
    const unknown = keys.find((name) => !isWeightName(name));
    if (unknown !== undefined) throw new TypeError(`${call}: weights[${block}] has a key "${unknown}", which names no weight`);
  });
  const someMatrix = names.flat().some(isMatrixName);
  return parameters.map(({ name, block, rows, cols }) => {
    const path = `weights[${block}].${name}`;
    const value = given[block]![name] ?? null;
    if (value === null) {
      if (someMatrix && isMatrixName(name)) {
        throw new TypeError(`${call}: ${path} is missing, expected ${rows} x ${cols} values; matrices are given all or not at all`);
      }
      return null;
    }
    const values = check.matrix(heap, call, path, value, 0);
    check.length(call, path, values, rows * cols, rows === 1 ? "its length" : `${rows} x ${cols}`);
    return values;
  });
}

/** One record a block of what `copy` gives for each parameter. */
export function blockArrays(
  layers: number, parameters: readonly Parameter[], copy: (place: number, count: number) => Float32Array,
): BlockArrays[] {
  const blocks: BlockArrays[] = Array.from({ length: layers }, () => ({}));
  for (const { name, block, rows, cols, place } of parameters) blocks[block]![name] = copy(place, rows * cols);
  return blocks;
}

/** How many floats of weights lie before each block's, and how many the largest block has. */
export function blockPlaces(layers: number, parameters: readonly Parameter[]): { starts: number[]; most: number } {
  const starts = new Array<number>(layers).fill(0);
  const ends = new Array<number>(layers).fill(0);
  for (const { block, rows, cols, place } of parameters) {
    if (ends[block] === 0) starts[block] = place;
    ends[block] = place + rows * cols;
  }
  return { starts, most: Math.max(...ends.map((end, block) => end - starts[block]!)) };
}
