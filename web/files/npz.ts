// Reads .npz: a ZIP archive of .npy members, as numpy.savez and savez_compressed write it.

import { FileError } from "./errors.js";
import { Members } from "./members.js";
import { readNpy } from "./npy.js";
import type { ReadOptions } from "./options.js";
import type { Tensor } from "./tensor.js";
import { listZip, unpackEntry, type ZipEntry } from "./zip.js";

/**
 * Every member, named without ".npy".
 * @throws FileError as zip.ts and npy.ts say, with the member's name; duplicate-name, no-arrays, unsupported-format.
 */
export function readNpz(bytes: Uint8Array, options: ReadOptions): Tensor[] {
  const entries = listZip(bytes).filter((entry) => !entry.name.endsWith("/"));
  refuseOtherArchives(entries);
  const members = new Members(options);
  for (const entry of entries) {
    const name = entry.name.replace(/\.npy$/, "");
    members.add(name, () => readNpy(unpackEntry(bytes, entry), name, options));
  }
  return members.finish(".npz");
}

function refuseOtherArchives(entries: ZipEntry[]): void {
  const format = entries.some(({ name }) => name.endsWith("data.pkl"))
    ? "a PyTorch checkpoint (pickled Python objects)"
    : entries.some(({ name }) => name === "xl/workbook.xml")
      ? "an Excel workbook"
      : undefined;
  if (format) throw new FileError("unsupported-format", { format });
}
