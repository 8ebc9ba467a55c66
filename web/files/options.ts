// What a caller may ask of the readers, with the defaults.

import { FileError } from "./errors.js";

export interface ReadOptions {
  /** Refuse larger input, in bytes (characters for pasted text). Default 256 MiB. */
  maxBytes?: number;
  /** Let NaN and infinities through. Default false: they are refused with their place. */
  allowNonFinite?: boolean;
  /**
   * For files of several arrays. Called for each array that cannot be read, and the others are read;
   * when all are refused, the first error is thrown. Absent, the first error is thrown at once.
   */
  onRefused?: (name: string, error: FileError) => void;
}

export const defaultMaxBytes = 256 * 2 ** 20;

/** Runs a reader whose arrays may turn out larger than the machine allows. @throws FileError out-of-memory. */
export function refusingOutOfMemory<T>(bytes: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new FileError("out-of-memory", { got: bytes });
    throw error;
  }
}
