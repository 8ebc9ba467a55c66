// The two 16-bit floats as float32 values; both conversions are exact.

let table: Float32Array | undefined;

/** IEEE 754 binary16: 1 sign, 5 exponent (bias 15) and 10 fraction bits. */
export function float16ToFloat32(bits: Uint16Array): Float32Array {
  table ??= Float32Array.from({ length: 0x10000 }, (_, pattern) => float16Value(pattern));
  const values = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i]];
  return values;
}

function float16Value(pattern: number): number {
  const sign = pattern & 0x8000 ? -1 : 1;
  const exponent = (pattern >> 10) & 0x1f;
  const fraction = pattern & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** bfloat16: the upper half of a float32. */
export function bfloat16ToFloat32(bits: Uint16Array): Float32Array {
  const words = new Uint32Array(bits.length);
  for (let i = 0; i < bits.length; i++) words[i] = bits[i] << 16;
  return new Float32Array(words.buffer);
}
