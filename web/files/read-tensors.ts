// The one way in for files: finds the format, reads every array, and lets nothing out but FileError.

import { FileError } from "./errors.js";
import { detectFormat, isJson } from "./format.js";
import { readJson } from "./json.js";
import { readNpy } from "./npy.js";
import { readNpz } from "./npz.js";
import { defaultMaxBytes, refusingOutOfMemory, type ReadOptions } from "./options.js";
import { readSafetensors } from "./safetensors.js";
import { readTable } from "./table.js";
import type { Tensor } from "./tensor.js";
import { decodeText } from "./text.js";

/**
 * Every array of a .npy, .npz, .safetensors, .json, .csv, .tsv or .txt file, as float32 in C order.
 * The content decides the format, then the name's ending. A table or .npy is one tensor, named as the file.
 *
 * Integers and float64 are rounded to float32; integers that it cannot hold exactly are reported in `warnings`.
 * The bytes are not changed and not kept.
 * @throws FileError, and nothing else, for whatever the bytes are (the promise is rejected with it).
 */
export async function readTensors(bytes: Uint8Array, fileName: string, options: ReadOptions = {}): Promise<Tensor[]> {
  const limit = options.maxBytes ?? defaultMaxBytes;
  if (bytes.length > limit) throw new FileError("too-large", { got: bytes.length, limit });
  return refusingOutOfMemory(bytes.length, () => read(bytes, fileName, options));
}

function read(bytes: Uint8Array, fileName: string, options: ReadOptions): Tensor[] {
  const format = detectFormat(bytes, fileName);
  const name = baseName(fileName);
  if (format === "npy") return [readNpy(bytes, name, options)];
  if (format === "npz") return readNpz(bytes, options);
  if (format === "safetensors") return readSafetensors(bytes, options);
  const { text, warnings } = decodeText(bytes);
  if (isJson(text, fileName)) {
    return readJson(text, name, options).map((tensor) => ({ ...tensor, warnings: [...warnings, ...tensor.warnings] }));
  }
  const table = readTable(text, options);
  return [{ name, shape: [table.rows, table.cols], data: table.data, dtype: "text", warnings: [...warnings, ...table.warnings] }];
}

/** "runs/hidden.v2.npy" is hidden.v2. */
function baseName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1)!;
  return last.replace(/(.)\.[^.]*$/, "$1");
}
