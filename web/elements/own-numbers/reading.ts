/** Reads what a person gave, here or in a worker, and reports it in plain records that can cross to the page. */
import type { FileErrorCode, FileErrorDetails, FileWarning, Tensor } from "../../files/index.js";
import { FileError } from "../../files/errors.js";
import { readTensors } from "../../files/read-tensors.js";
import { readTable } from "../../files/table.js";

/** A file's bytes, or pasted text. */
export type Given = { readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string } | { readonly text: string; readonly name: string };

/** A FileError as a record: class and prototype do not cross a worker's border. */
export type Fault = {
  [C in FileErrorCode]: { readonly code: C; readonly details: FileErrorDetails[C]; readonly tensor: string | undefined; readonly message: string };
}[FileErrorCode];

export type Reading = { readonly tensors: readonly Tensor[]; readonly refused: readonly Fault[] } | { readonly fault: Fault };

const faultOf = ({ code, details, tensor, message }: FileError): Fault => ({ code, details, tensor, message }) as Fault;

/** Never rejects for what the numbers are: a FileError becomes a fault. */
export async function read(given: Given): Promise<Reading> {
  const refused: Fault[] = [];
  try {
    if ("text" in given) return { tensors: [tableTensor(given)], refused };
    const tensors = await readTensors(given.bytes, given.name, { onRefused: (_, error) => refused.push(faultOf(error)) });
    return { tensors, refused };
  } catch (error) {
    if (error instanceof FileError) return { fault: faultOf(error) };
    throw error;
  }
}

function tableTensor({ text, name }: { text: string; name: string }): Tensor {
  const { rows, cols, data, warnings } = readTable(text);
  return { name, shape: [rows, cols], data, dtype: "text", warnings };
}

export type { FileWarning, Tensor };
