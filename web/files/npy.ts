// Reads .npy, versions 1 to 3. Source of the format: numpy.lib.format, and NEP 1.

import { hostByteOrder, type ByteOrder } from "./byte-order.js";
import { dataView, hex, latin1, take } from "./bytes.js";
import { byteCount, decodeTensor } from "./decode-tensor.js";
import { dtypes, type Dtype } from "./dtypes.js";
import { FileError } from "./errors.js";
import { parseNpyHeader } from "./npy-header.js";
import type { ReadOptions } from "./options.js";
import type { Tensor } from "./tensor.js";
import { fileWarning } from "./warnings.js";

export const npyMagic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY

const maxHeaderBytes = 2 ** 20; // NumPy writes some hundred; a structured dtype of many fields needs more

const dtypeOfCode: Record<string, Dtype> = {
  b1: dtypes.bool, "?": dtypes.bool,
  i1: dtypes.int8, i2: dtypes.int16, i4: dtypes.int32, i8: dtypes.int64,
  u1: dtypes.uint8, u2: dtypes.uint16, u4: dtypes.uint32, u8: dtypes.uint64,
  f2: dtypes.float16, f4: dtypes.float32, f8: dtypes.float64,
};

const kindOfLetter: Record<string, string> = {
  O: "pickled Python objects", c: "complex numbers", U: "text", S: "bytes of text", a: "bytes of text",
  M: "dates", m: "time spans", V: "raw bytes", f: "a float of unusual size",
};

/**
 * One array of any shape, C or Fortran order, either byte order.
 * @throws FileError wrong-magic, unsupported-version, bad-header, unsupported-dtype, bad-shape, zero-size, truncated,
 * non-finite, overflow.
 */
export function readNpy(bytes: Uint8Array, name: string, options: ReadOptions): Tensor {
  const magic = bytes.subarray(0, npyMagic.length);
  if (!magic.every((byte, i) => byte === npyMagic[i])) {
    throw new FileError("wrong-magic", { format: ".npy", offset: 0, expected: hex(Uint8Array.from(npyMagic)), got: hex(magic) });
  }
  const [major, minor] = take(bytes, 6, 2);
  if (major < 1 || major > 3 || minor !== 0) {
    throw new FileError("unsupported-version", { format: ".npy", got: `${major}.${minor}`, expected: "1.0, 2.0 and 3.0" });
  }
  const lengthBytes = major === 1 ? 2 : 4;
  const length = dataView(take(bytes, 8, lengthBytes))[major === 1 ? "getUint16" : "getUint32"](0, true);
  const headerAt = 8 + lengthBytes;
  if (length > maxHeaderBytes) {
    const expected = `a header of at most ${maxHeaderBytes} bytes`;
    throw new FileError("bad-header", { format: ".npy", offset: 8, expected, got: String(length) });
  }
  const header = parseNpyHeader(latin1(take(bytes, headerAt, length)), headerAt);
  const { dtype, order } = parseDescr(header.descr);
  const dataAt = headerAt + length;
  const size = byteCount(header.shape, dtype.size);
  const data = take(bytes, dataAt, size);
  const tensor = decodeTensor(data, { name, dtype, order, shape: header.shape, fortran: header.fortranOrder }, options);
  const excess = bytes.length - dataAt - size;
  if (excess > 0) tensor.warnings.push(fileWarning("trailing-bytes", { offset: dataAt + size, got: excess }));
  return tensor;
}

function parseDescr(descr: string): { dtype: Dtype; order: ByteOrder } {
  const match = /^([<>=|]?)(.+)$/s.exec(descr);
  const dtype = match && Object.hasOwn(dtypeOfCode, match[2]) ? dtypeOfCode[match[2]] : undefined;
  if (!dtype) {
    const letter = /^[<>=|]?([a-zA-Z])\d*(?:\[|$)/.exec(descr)?.[1] ?? "";
    const kind = descr.startsWith("[") ? "records of several fields" : (kindOfLetter[letter] ?? "unknown here");
    throw new FileError("unsupported-dtype", { value: descr, kind });
  }
  return { dtype, order: match![1] === ">" ? "big" : match![1] === "<" ? "little" : hostByteOrder };
}
