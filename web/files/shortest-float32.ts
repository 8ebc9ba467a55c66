// A float32 in the fewest decimal digits that read back to the same float32.

const commonDigits = 7; // between the six that every float32 keeps and the nine that always suffice

const significandBits = new Uint32Array(1);
const significandFloat = new Float32Array(significandBits.buffer);

/** NaN is "nan" and the infinities are "inf" and "-inf", as NumPy writes them; -0 is "-0". */
export function shortestFloat32(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return Object.is(value, -0) ? "-0" : String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  let best = nearest(value, commonDigits);
  if (best === undefined) {
    for (let digits = commonDigits + 1; best === undefined; digits++) best = nearest(value, digits); // nine always suffice
  } else {
    for (let digits = commonDigits - 1; digits > 0; digits--) {
      const shorter = nearest(value, digits);
      if (shorter === undefined) break;
      best = shorter;
    }
  }
  return String(best);
}

/** The decimal of so many digits that reads back to `value`, if there is one. */
function nearest(value: number, digits: number): number | undefined {
  const text = value.toPrecision(digits);
  const decimal = Number(text);
  if (Math.fround(decimal) === value) return decimal;
  if (!isPowerOfTwo(value)) return undefined;
  // Below a power of two the next float is only half as far away: the nearest decimal can miss where the one above hits.
  const exponent = Number(decimal.toExponential().split("e")[1]);
  const away = Number((decimal + Math.sign(value) * 10 ** (exponent - digits + 1)).toPrecision(digits));
  return Math.fround(away) === value ? away : undefined;
}

function isPowerOfTwo(value: number): boolean {
  significandFloat[0] = value;
  return (significandBits[0] & 0x7fffff) === 0;
}
