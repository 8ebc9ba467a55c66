// Looks at bytes of a file: parts as text or hexadecimal, and never past the end.

import { FileError } from "./errors.js";

/** Bytes as a message shows them: "50 4b 03 04", or "the end of the file". */
export function hex(bytes: Uint8Array): string {
  return bytes.length ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ") : "the end of the file";
}

export function startsWith(bytes: Uint8Array, magic: readonly number[], offset = 0): boolean {
  return magic.every((byte, i) => bytes[offset + i] === byte);
}

export function dataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * The `count` bytes from `offset` on, as a view.
 * @throws FileError truncated when they are not all there.
 */
export function take(bytes: Uint8Array, offset: number, count: number): Uint8Array {
  const got = Math.max(0, bytes.length - offset);
  if (count > got) throw new FileError("truncated", { offset, expected: count, got });
  return bytes.subarray(offset, offset + count);
}

/** The text with one character a byte. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x2000) text += String.fromCharCode(...bytes.subarray(i, i + 0x2000));
  return text;
}
