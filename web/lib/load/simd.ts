// Whether this engine has WebAssembly SIMD, and whether a loaded build computes what it should.
import type { Addnorm } from "../addnorm.js";

/** A module with one function of type () -> v128: i8x16.splat of 0, then i8x16.popcnt. */
const PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

export function engineHasSimd(): boolean {
  return WebAssembly.validate(new Uint8Array(PROBE));
}

/**
 * Engines are known that accept SIMD and compute wrong, so a few results with a closed form are computed: the 19
 * values 0 to 18 (full vectors and a rest) have mean 9 and variance 30; with eps 6 the normalized values are
 * (value - 9) / 6. Alternating signs have mean square 1; with eps 3 they are halved.
 */
export function computesRight(an: Addnorm): boolean {
  const cols = 19;
  const ramp = Float32Array.from({ length: cols }, (_, i) => i);
  const signs = ramp.map((i) => (i % 2 === 0 ? 1 : -1));
  const six = new Float32Array(cols).fill(6);
  const centered = an.layerNorm(ramp, { cols, gamma: six, beta: signs, eps: 6 }).y;
  const summed = an.addNorm(ramp, ramp.map((i) => 18 - 2 * i), { cols, gamma: six, eps: 6 });
  const halved = an.rmsNorm(signs, { cols, eps: 3 }).y;
  return (
    ramp.every((i) => near(centered[i]!, i - 9 + signs[i]!)) &&
    ramp.every((i) => near(summed.sum[i]!, 18 - i) && near(summed.y[i]!, 9 - i)) &&
    ramp.every((i) => near(halved[i]!, signs[i]! / 2))
  );
}

function near(value: number, expected: number): boolean {
  return Math.abs(value - expected) < 1e-4;
}
