// Builds small files of each format by hand, and catches what a reader throws, for the files-*.test.ts beside it.

import { expect, vi } from "vitest";
import { FileError, readTensors, type ReadOptions, type Tensor } from "../../web/files/index.js";

vi.setConfig({ testTimeout: 60_000 }); // for property tests on a busy machine; what hangs fails all the same

/** One seed for all property tests; a failure prints it with the path to the smallest counterexample. */
export const propertySeed = 20260042;

export const utf8 = (text: string) => new TextEncoder().encode(text);

export function concatenated(...parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export interface NpyParts {
  descr?: string;
  shape?: string;
  fortran?: boolean;
  version?: 1 | 2 | 3;
  /** Replaces the whole dictionary. */
  header?: string;
}

/** A .npy file; `descr` and `shape` as Python writes them, without quotes for descr. */
export function npy(data: Uint8Array, { descr = "<f4", shape = `(${data.length / 4},)`, fortran = false, version = 1, header }: NpyParts = {}): Uint8Array {
  const dictionary = header ?? `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${shape}, }`;
  const lengthBytes = version === 1 ? 2 : 4;
  const text = utf8(dictionary.padEnd(Math.ceil((8 + lengthBytes + dictionary.length + 1) / 64) * 64 - 9 - lengthBytes) + "\n");
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length, true);
  return concatenated(Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0), length.subarray(0, lengthBytes), text, data);
}

export function safetensors(header: string | object, data: Uint8Array): Uint8Array {
  const text = utf8(typeof header === "string" ? header : JSON.stringify(header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
  return concatenated(length, text, data);
}

export const float32Bytes = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);

export type Writer = (view: DataView, offset: number, value: number, little: boolean) => void;

/** Values in either byte order through DataView, which does not depend on the code under test. */
export function packed(values: number[], size: number, write: Writer, little: boolean): Uint8Array {
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => write(view, i * size, value, little));
  return bytes;
}

export async function readOne(bytes: Uint8Array, name = "array.npy", options?: ReadOptions): Promise<Tensor> {
  const tensors = await readTensors(bytes, name, options);
  expect(tensors).toHaveLength(1);
  return tensors[0];
}

/** The FileError that reading these bytes must end with. */
export async function refusal(bytes: Uint8Array, name: string, options?: ReadOptions): Promise<FileError> {
  return asFileError(await readTensors(bytes, name, options).then(() => undefined, (error: unknown) => error));
}

/** The FileError that a call must end with. */
export function thrownBy(call: () => unknown): FileError {
  try {
    call();
  } catch (error) {
    return asFileError(error);
  }
  return asFileError(undefined);
}

function asFileError(error: unknown): FileError {
  if (error instanceof FileError) return error;
  throw new Error(`expected a FileError, got ${error === undefined ? "no error" : (error as Error).stack ?? error}`);
}
