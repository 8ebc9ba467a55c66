// Collects the arrays of a file that may hold several, and decides what one unreadable array means for the rest.

import { FileError } from "./errors.js";
import type { ReadOptions } from "./options.js";
import type { Tensor } from "./tensor.js";

export class Members {
  readonly #tensors: Tensor[] = [];
  readonly #names = new Set<string>();
  #firstError: FileError | undefined;

  constructor(private readonly options: ReadOptions) {}

  /** Reads one array; false when it was refused. Its errors name it. @throws FileError duplicate-name. */
  add(name: string, read: () => Tensor): boolean {
    if (this.#names.has(name)) throw new FileError("duplicate-name", { value: name });
    this.#names.add(name);
    try {
      this.#tensors.push(read());
      return true;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const named = error.within(name);
      if (!this.options.onRefused) throw named;
      this.#firstError ??= named;
      this.options.onRefused(name, named);
      return false;
    }
  }

  /** @throws FileError no-arrays, or the first error when every array was refused. */
  finish(format: string): Tensor[] {
    if (this.#tensors.length === 0) throw this.#firstError ?? new FileError("no-arrays", { format });
    return this.#tensors;
  }
}
