// Tells what kind of file some bytes are: by what they begin with, then by the file's name.

import { hex, startsWith } from "./bytes.js";
import { FileError } from "./errors.js";
import { npyMagic } from "./npy.js";
import { looksLikeSafetensors } from "./safetensors.js";
import { hasUtf16Mark } from "./text.js";
import { looksLikeZip } from "./zip.js";

export type Format = "npy" | "npz" | "safetensors" | "text";

/** Kinds of file that people save arrays in and that are not read here, so that the message can name them. */
const otherFormats: { magic: number[]; format: string }[] = [
  { magic: [0x89, 0x48, 0x44, 0x46], format: "an HDF5 file" },
  { magic: [0x1f, 0x8b], format: "a gzip archive" },
  { magic: [0x50, 0x41, 0x52, 0x31], format: "a Parquet file" },
  { magic: [0xd0, 0xcf, 0x11, 0xe0], format: "an old Excel workbook" },
  { magic: [0x89, 0x50, 0x4e, 0x47], format: "a PNG picture" },
  { magic: [0x25, 0x50, 0x44, 0x46], format: "a PDF document" },
  { magic: [0x47, 0x47, 0x55, 0x46], format: "a GGUF model" },
  { magic: [0x80, 0x02], format: "a Python pickle" },
  { magic: [0x80, 0x03], format: "a Python pickle" },
  { magic: [0x80, 0x04], format: "a Python pickle" },
  { magic: [0x80, 0x05], format: "a Python pickle" },
  { magic: [0x4d, 0x41, 0x54, 0x4c, 0x41, 0x42], format: "a MATLAB file" },
];

/** @throws FileError empty-file, wrong-magic (the name promises what the content is not), unsupported-format, unknown-format. */
export function detectFormat(bytes: Uint8Array, fileName: string): Format {
  if (bytes.length === 0) throw new FileError("empty-file", { got: 0 });
  if (startsWith(bytes, npyMagic)) return "npy";
  if (looksLikeZip(bytes)) return "npz";
  if (looksLikeSafetensors(bytes)) return "safetensors";
  const other = otherFormats.find(({ magic }) => startsWith(bytes, magic));
  if (other) throw new FileError("unsupported-format", { format: other.format });

  const ending = fileEnding(fileName);
  const got = hex(bytes.subarray(0, 8));
  if (ending === "npz") throw new FileError("wrong-magic", { format: ".npz", offset: 0, expected: "50 4b 03 04", got });
  if (ending === "npy" || ending === "safetensors") return ending; // whose reader tells what is wrong with it
  if (bytes.subarray(0, 4096).includes(0) && !hasUtf16Mark(bytes)) throw new FileError("unknown-format", { offset: 0, got });
  return "text";
}

/** Whether a text is JSON: a .csv or .tsv never is, a .json always, else the first character tells. */
export function isJson(text: string, fileName: string): boolean {
  const ending = fileEnding(fileName);
  return ending === "json" || (ending !== "csv" && ending !== "tsv" && /^\s*[[{]/.test(text));
}

function fileEnding(fileName: string): string {
  return /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase() ?? "";
}
