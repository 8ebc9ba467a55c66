// Lists and unpacks the members of a ZIP archive, trusting none of its claims. Source: PKWARE APPNOTE 6.3, sections 4.3 to 4.5.

import { Inflate } from "fflate";
import { dataView, hex, startsWith, take } from "./bytes.js";
import { crc32 } from "./crc32.js";
import { FileError } from "./errors.js";

const localMagic = [0x50, 0x4b, 0x03, 0x04];
const directoryMagic = [0x50, 0x4b, 0x01, 0x02];
const endMagic = [0x50, 0x4b, 0x05, 0x06];
const end64Magic = [0x50, 0x4b, 0x06, 0x06];
const locator64Magic = [0x50, 0x4b, 0x06, 0x07];

const endBytes = 22;
const maxComment = 0xffff;
const maxUnpacked = 512 * 2 ** 20;
const maxDeflateRatio = 1032; // 258 bytes from two bits
const inflateStep = 2 ** 20; // unpacked bytes a step, roughly: bounds what a lying size costs before it is noticed

export interface ZipEntry {
  name: string;
  method: number;
  encrypted: boolean;
  crc: number;
  packedSize: number;
  size: number;
  offset: number;
}

export function looksLikeZip(bytes: Uint8Array): boolean {
  return startsWith(bytes, localMagic) || startsWith(bytes, endMagic);
}

/**
 * The central directory.
 * @throws FileError bad-archive, truncated, archive-too-large (more than 512 MiB unpacked, by the directory's sum).
 */
export function listZip(bytes: Uint8Array): ZipEntry[] {
  const end = findEnd(bytes);
  const directory = findDirectory(bytes, end);
  const entries: ZipEntry[] = [];
  let at = directory.offset;
  for (let i = 0; i < directory.count; i++) {
    const { entry, next } = readEntry(bytes, at);
    entries.push(entry);
    at = next;
  }
  const got = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (got > maxUnpacked) throw new FileError("archive-too-large", { got, limit: maxUnpacked });
  return entries;
}

/**
 * A member's bytes; a view of `bytes` when it was stored unpacked.
 * @throws FileError bad-archive, truncated, unsupported-format (encrypted, another method than deflate), corrupt-data.
 */
export function unpackEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  if (entry.encrypted) throw new FileError("unsupported-format", { format: "an encrypted archive" });
  expectMagic(bytes, entry.offset, localMagic);
  const header = dataView(take(bytes, entry.offset, 30));
  const start = entry.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = take(bytes, start, entry.packedSize);
  if (entry.method !== 0 && entry.method !== 8) {
    throw new FileError("unsupported-format", { format: `an archive packed by method ${entry.method}` });
  }
  const data = entry.method === 0 ? packed : inflate(packed, entry.size);
  if (data.length !== entry.size) throw wrongSize(entry.size, String(data.length));
  const crc = crc32(data);
  if (crc !== entry.crc) {
    throw new FileError("corrupt-data", { expected: `checksum ${checksum(entry.crc)}`, got: checksum(crc) });
  }
  return data;
}

function inflate(packed: Uint8Array, size: number): Uint8Array {
  if (size > packed.length * maxDeflateRatio) {
    throw wrongSize(size, `${packed.length} packed bytes, which cannot hold as many`);
  }
  const data = new Uint8Array(size);
  let length = 0;
  const stream = new Inflate((chunk) => {
    if (length + chunk.length > size) throw wrongSize(size, "more");
    data.set(chunk, length);
    length += chunk.length;
  });
  const step = Math.min(2 ** 16, Math.ceil((inflateStep * packed.length) / size));
  try {
    for (let at = 0; at < packed.length; at += step) {
      const next = at + step;
      stream.push(packed.subarray(at, next), next >= packed.length);
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("corrupt-data", { expected: "deflated data", got: (error as Error).message });
  }
  return data.subarray(0, length);
}

const checksum = (crc: number) => crc.toString(16).padStart(8, "0");

function wrongSize(size: number, got: string) {
  return new FileError("corrupt-data", { expected: `${size} bytes`, got });
}

function expectMagic(bytes: Uint8Array, offset: number, magic: number[]): void {
  if (startsWith(bytes, magic, offset)) return;
  const got = hex(bytes.subarray(offset, offset + 4));
  throw new FileError("bad-archive", { offset, expected: hex(Uint8Array.from(magic)), got });
}

/** The end record stands last, behind it only a comment of known length. */
function findEnd(bytes: Uint8Array): number {
  const lowest = Math.max(0, bytes.length - endBytes - maxComment);
  for (let at = bytes.length - endBytes; at >= lowest; at--) {
    if (!startsWith(bytes, endMagic, at)) continue;
    const commentLength = bytes[at + 20] | (bytes[at + 21] << 8);
    if (at + endBytes + commentLength <= bytes.length) return at;
  }
  throw new FileError("bad-archive", {
    offset: bytes.length, expected: `the record ${hex(Uint8Array.from(endMagic))} that ends every archive`, got: "none: the file is cut off",
  });
}

function findDirectory(bytes: Uint8Array, end: number): { offset: number; count: number } {
  const view = dataView(bytes);
  const count = view.getUint16(end + 10, true);
  const offset = view.getUint32(end + 16, true);
  if (count !== 0xffff && offset !== 0xffffffff) return { offset, count };
  const locator = end - 20;
  if (locator < 0 || !startsWith(bytes, locator64Magic, locator)) return { offset, count };
  const end64 = Number(view.getBigUint64(locator + 8, true));
  expectMagic(bytes, end64, end64Magic);
  const record = dataView(take(bytes, end64, 56));
  return { offset: Number(record.getBigUint64(48, true)), count: Number(record.getBigUint64(32, true)) };
}

function readEntry(bytes: Uint8Array, at: number): { entry: ZipEntry; next: number } {
  expectMagic(bytes, at, directoryMagic);
  const view = dataView(take(bytes, at, 46));
  const nameLength = view.getUint16(28, true);
  const extraLength = view.getUint16(30, true);
  const variable = take(bytes, at + 46, nameLength + extraLength + view.getUint16(32, true));
  const [size, packedSize, offset] = widen(
    [view.getUint32(24, true), view.getUint32(20, true), view.getUint32(42, true)],
    variable.subarray(nameLength, nameLength + extraLength),
  );
  const entry = {
    name: new TextDecoder().decode(variable.subarray(0, nameLength)),
    method: view.getUint16(10, true),
    encrypted: (view.getUint16(8, true) & 1) !== 0,
    crc: view.getUint32(16, true),
    packedSize, size, offset,
  };
  return { entry, next: at + 46 + variable.length };
}

/** Replaces fields of all ones by the 64-bit values of the ZIP64 extra field, which come in this order. */
function widen(fields: number[], extra: Uint8Array): number[] {
  const view = dataView(extra);
  let at = 0;
  while (at + 4 <= extra.length && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true);
  let value = at + 4;
  return fields.map((field) => {
    if (field !== 0xffffffff || value + 8 > extra.length) return field;
    value += 8;
    return Number(view.getBigUint64(value - 8, true));
  });
}
