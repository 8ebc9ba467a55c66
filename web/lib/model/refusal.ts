// Why the model refuses a config whose single values are all right.

export interface Shape {
  rows: number;
  layers: number;
  dInput: number;
  dModel: number;
  heads: number;
  dFf: number;
  groups: number;
}

/** @param reason what modelCheck gave: Refusal of cpp/model/config.h, from 1 */
export function refusal(call: string, reason: number, shape: Shape): RangeError {
  const { rows, layers, dInput, dModel, heads, dFf, groups } = shape;
  const messages: Record<number, string> = {
    3: `heads is ${heads}, expected a divisor of dModel, which is ${dModel}`,
    4: dModel % groups !== 0
      ? `groups is ${groups}, expected a divisor of dModel, which is ${dModel}`
      : `groups is ${groups}, expected a divisor of x's width too, which is ${dInput}`,
    5: `F(x) is ${dModel} wide (dModel) and x is ${dInput} wide: they cannot be added; give projection: true, which puts ` +
      `x W^T in x's place, or residual: "none", or an x that is ${dModel} wide`,
    6: dModel === dInput
      ? `projection is true, but F(x) and x are both ${dModel} wide and are added as they are; leave projection out`
      : 'projection is true, but residual is "none", so that x is not added to F(x); leave projection out',
    7: 'finalNorm is true, but norm is "none"; leave finalNorm out, or choose a norm',
    8: `${layers} layers of ${rows} rows with dModel ${dModel}, dFf ${dFf} and ${heads} heads are more than wasm memory ` +
      "holds (536870912 values of a kind); give fewer layers, fewer rows or less width",
  };
  return new RangeError(`${call}: ${messages[reason]}`);
}
