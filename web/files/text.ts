// Bytes of a text file to text: UTF-8, UTF-16 as Excel's "Unicode text" has it, or what older spreadsheets wrote.

import { startsWith } from "./bytes.js";
import { fileWarning, type FileWarning } from "./warnings.js";

const utf16 = [
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
];

export function hasUtf16Mark(bytes: Uint8Array): boolean {
  return utf16.some(({ mark }) => startsWith(bytes, mark));
}

/**
 * A byte order mark decides, else UTF-8. Text that is neither is read as GB 18030 if it is valid so, else as
 * Windows-1252, with a warning: digits, separators and line ends are the same bytes in all three, only names differ.
 */
export function decodeText(bytes: Uint8Array): { text: string; warnings: FileWarning[] } {
  const wide = utf16.find(({ mark }) => startsWith(bytes, mark));
  if (wide) return { text: new TextDecoder(wide.encoding).decode(bytes), warnings: [] };
  const text = tryDecode(bytes, "utf-8");
  if (text !== undefined) return { text, warnings: [] };
  const offset = firstInvalidUtf8(bytes);
  const chinese = tryDecode(bytes, "gb18030");
  const encoding = chinese === undefined ? "windows-1252" : "gb18030";
  return { text: chinese ?? new TextDecoder(encoding).decode(bytes), warnings: [fileWarning("not-utf8", { offset, encoding })] };
}

function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function firstInvalidUtf8(bytes: Uint8Array): number {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return new TextEncoder().encode(text.slice(0, text.indexOf("\ufffd"))).length;
}
