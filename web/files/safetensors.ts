// Reads .safetensors. Source of the format: github.com/huggingface/safetensors, README "Format".

import { dataView, hex, take } from "./bytes.js";
import { byteCount, decodeTensor } from "./decode-tensor.js";
import { dtypes, type Dtype } from "./dtypes.js";
import { FileError, formatShape } from "./errors.js";
import { JsonCursor, type JsonValue } from "./json-cursor.js";
import { Members } from "./members.js";
import type { ReadOptions } from "./options.js";
import type { Tensor } from "./tensor.js";
import { fileWarning } from "./warnings.js";

const format = ".safetensors";
const entryShape = '{"dtype": text, "shape": [sizes], "data_offsets": [begin, end]}';
const maxHeaderBytes = 100_000_000; // the reference implementation's limit

const dtypeOfName: Record<string, Dtype> = {
  BOOL: dtypes.bool,
  I8: dtypes.int8, I16: dtypes.int16, I32: dtypes.int32, I64: dtypes.int64,
  U8: dtypes.uint8, U16: dtypes.uint16, U32: dtypes.uint32, U64: dtypes.uint64,
  F16: dtypes.float16, BF16: dtypes.bfloat16, F32: dtypes.float32, F64: dtypes.float64,
};

interface Entry {
  name: string;
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

/**
 * All arrays of the file, in the header's order: 8 bytes of header length, a JSON header, then little-endian values.
 * @throws FileError truncated, bad-header, duplicate-name, bad-offsets, no-arrays; for one array unsupported-dtype,
 * bad-shape, zero-size, non-finite, overflow.
 */
export function readSafetensors(bytes: Uint8Array, options: ReadOptions): Tensor[] {
  const length = Number(dataView(take(bytes, 0, 8)).getBigUint64(0, true));
  if (length > maxHeaderBytes) {
    const expected = `a header of at most ${maxHeaderBytes} bytes`;
    throw new FileError("bad-header", { format, offset: 0, expected, got: String(length) });
  }
  const entries = parseHeader(take(bytes, 8, length));
  const data = bytes.subarray(8 + length);
  const used = checkOffsets(entries, data.length, 8 + length);
  const members = new Members(options);
  for (const entry of entries) members.add(entry.name, () => decodeEntry(entry, data, options));
  const tensors = members.finish(format);
  if (used < data.length) {
    tensors[0].warnings.push(fileWarning("trailing-bytes", { offset: 8 + length + used, got: data.length - used }));
  }
  return tensors;
}

/** Whether the bytes begin as a .safetensors file does, whose header is a JSON object. */
export function looksLikeSafetensors(bytes: Uint8Array): boolean {
  return bytes.length > 8 && bytes[8] === 0x7b && dataView(bytes).getBigUint64(0, true) <= BigInt(maxHeaderBytes);
}

function parseHeader(bytes: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FileError("bad-header", { format, offset: 8, expected: "UTF-8 text", got: hex(bytes.subarray(0, 8)) });
  }
  const cursor = new JsonCursor(text);
  try {
    cursor.object((name) => {
      const at = cursor.at;
      const value = cursor.value();
      if (name !== "__metadata__") entries.push(parseEntry(name, value) ?? cursor.fail(entryShape, at));
    });
    cursor.end();
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== "bad-json") throw error;
    const { offset, expected, got } = (error as FileError<"bad-json">).details;
    const before = new TextEncoder().encode(text.slice(0, offset)).length;
    throw new FileError("bad-header", { format, offset: 8 + before, expected, got });
  }
  return entries;
}

function parseEntry(name: string, value: JsonValue): Entry | undefined {
  if (!(value instanceof Map)) return undefined;
  const dtype = value.get("dtype");
  const shape = value.get("shape");
  const offsets = value.get("data_offsets");
  if (typeof dtype !== "string" || !isCounts(shape) || !isCounts(offsets) || offsets.length !== 2) return undefined;
  return { name, dtype, shape, begin: offsets[0], end: offsets[1] };
}

function isCounts(value: JsonValue | undefined): value is number[] {
  return Array.isArray(value) && value.every((count) => typeof count === "number" && count >= 0 && Number.isInteger(count));
}

/** The arrays must follow each other without overlap or gap and end within the file; the end of the last is returned. */
function checkOffsets(entries: Entry[], available: number, dataAt: number): number {
  let used = 0;
  for (const { name, begin, end } of entries.toSorted((a, b) => a.begin - b.begin || a.end - b.end)) {
    const expected =
      begin < used ? `a begin of ${used} or more, since the array before it ends there`
      : begin > used ? `a begin of ${used}, without a gap to the array before it`
      : end < begin ? "an end that is not before the begin"
      : undefined;
    if (expected) throw new FileError("bad-offsets", { begin, end, expected }, name);
    if (end > available) throw new FileError("truncated", { offset: dataAt, expected: end, got: available }, name);
    used = end;
  }
  return used;
}

function decodeEntry({ name, dtype: dtypeName, shape, begin, end }: Entry, data: Uint8Array, options: ReadOptions): Tensor {
  const dtype = Object.hasOwn(dtypeOfName, dtypeName) ? dtypeOfName[dtypeName] : undefined;
  if (!dtype) throw new FileError("unsupported-dtype", { value: dtypeName, kind: "unknown here" });
  const size = byteCount(shape, dtype.size);
  if (size !== end - begin) {
    throw new FileError("bad-offsets", { begin, end, expected: `${size} bytes for ${formatShape(shape)} of ${dtypeName}` });
  }
  return decodeTensor(data.subarray(begin, end), { name, dtype, shape, order: "little", fortran: false }, options);
}
