// The number types that files hold: their size, how they become float32, and how one value is written in a message.

import { hostByteOrder } from "./byte-order.js";
import { bfloat16ToFloat32, float16ToFloat32 } from "./half-floats.js";
import { isInexactInteger } from "./numbers.js";

export interface Dtype {
  name: string;
  /** Bytes a value. */
  size: 1 | 2 | 4 | 8;
  /** Whole aligned values in host order to float32, in a fresh array. */
  toFloat32(raw: Uint8Array): Float32Array;
  /** One value as the file holds it, for messages and for telling an overflow from an infinity. */
  valueAt(raw: Uint8Array, index: number): number | bigint;
  /** Integers that float32 rounds; absent where the type's range has none. */
  inexact?(raw: Uint8Array): Inexact;
}

/** The position of the first in the file's order, -1 for none, and how many there are. */
export interface Inexact {
  first: number;
  count: number;
}

type NumberArray =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

interface ArrayType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

function view<T>(type: ArrayType<T>, raw: Uint8Array): T {
  return new type(raw.buffer, raw.byteOffset, raw.byteLength / type.BYTES_PER_ELEMENT);
}

/** A type whose values JavaScript reads by itself. */
function plain(name: string, size: Dtype["size"], type: ArrayType<NumberArray>): Dtype {
  return {
    name,
    size,
    toFloat32: (raw) => new Float32Array(view(type, raw)),
    valueAt: (raw, index) => view(type, raw)[index],
  };
}

function half(name: string, toFloat32: (bits: Uint16Array) => Float32Array): Dtype {
  return {
    name,
    size: 2,
    toFloat32: (raw) => toFloat32(view(Uint16Array, raw)),
    valueAt: (raw, index) => toFloat32(view(Uint16Array, raw).subarray(index, index + 1))[0],
  };
}

function integers32(name: string, type: ArrayType<NumberArray>): Dtype {
  return {
    ...plain(name, 4, type),
    inexact(raw) {
      const values = view(type, raw);
      return countInexact(values.length, (i) => values[i]);
    },
  };
}

function integers64(name: string, signed: boolean): Dtype {
  const low = hostByteOrder === "little" ? 0 : 1;
  const high = 1 - low;
  const valueAsDouble = (raw: Uint8Array) => {
    const words = view(Uint32Array, raw);
    return (i: number) => doubleForFloat32(signed ? words[2 * i + high] | 0 : words[2 * i + high], words[2 * i + low]);
  };
  return {
    name,
    size: 8,
    toFloat32(raw) {
      const value = valueAsDouble(raw);
      const floats = new Float32Array(raw.byteLength / 8);
      for (let i = 0; i < floats.length; i++) floats[i] = value(i);
      return floats;
    },
    valueAt: (raw, index) => (signed ? view(BigInt64Array, raw) : view(BigUint64Array, raw))[index],
    inexact: (raw) => countInexact(raw.byteLength / 8, valueAsDouble(raw)),
  };
}

/**
 * high * 2^32 + low as a double that rounds to float32 as the integer itself does. Beyond 2^53 the low 12 bits are
 * folded into one sticky bit, far below float32's last, so that rounding twice cannot differ from rounding once.
 */
function doubleForFloat32(high: number, low: number): number {
  const fitsDouble = high < 0x200000 && high >= -0x200000;
  const kept = fitsDouble ? low : ((low & 0xfffff000) | (low & 0xfff ? 0x1000 : 0)) >>> 0;
  return high * 0x100000000 + kept;
}

function countInexact(length: number, value: (index: number) => number): Inexact {
  const found = { first: -1, count: 0 };
  for (let i = 0; i < length; i++) {
    if (!isInexactInteger(value(i))) continue;
    if (found.count++ === 0) found.first = i;
  }
  return found;
}

/** NumPy's bool is a byte; any bit set is true, as `astype` reads it. */
const bool: Dtype = {
  name: "bool",
  size: 1,
  toFloat32(raw) {
    const floats = new Float32Array(raw.length);
    for (let i = 0; i < raw.length; i++) floats[i] = raw[i] ? 1 : 0;
    return floats;
  },
  valueAt: (raw, index) => (raw[index] ? 1 : 0),
};

export const dtypes = {
  bool,
  int8: plain("int8", 1, Int8Array),
  uint8: plain("uint8", 1, Uint8Array),
  int16: plain("int16", 2, Int16Array),
  uint16: plain("uint16", 2, Uint16Array),
  int32: integers32("int32", Int32Array),
  uint32: integers32("uint32", Uint32Array),
  int64: integers64("int64", true),
  uint64: integers64("uint64", false),
  float16: half("float16", float16ToFloat32),
  bfloat16: half("bfloat16", bfloat16ToFloat32),
  float32: plain("float32", 4, Float32Array),
  float64: plain("float64", 8, Float64Array),
} satisfies Record<string, Dtype>;
