// Valid files with random damage: every reader ends, quickly, in tensors that keep their promises or in a FileError.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileError, readTensors, type Tensor } from "../../web/files/index.js";
import { float32Bytes, npy, propertySeed, safetensors, utf8 } from "./files-support.js";

const sample = (file: string) => new Uint8Array(readFileSync(new URL(`../golden/${file}`, import.meta.url)));

const files: [name: string, bytes: Uint8Array][] = [
  ["activations.npz", sample("activations.npz")],
  ["activations.safetensors", sample("activations.safetensors")],
  ["activations_f64_fortran.npy", sample("activations_f64_fortran.npy")],
  ["activations_last.csv", sample("activations_last.csv")],
  ["small.npy", npy(float32Bytes(1, 2, 3, 4), { shape: "(2, 2)" })],
  ["small.safetensors", safetensors({ x: { dtype: "F32", shape: [2], data_offsets: [0, 8] } }, float32Bytes(1, 2))],
  ["small.json", utf8('{"x": [[1, -2.5e-3], [3, 4]], "y": [[[1]], [[2]]]}')],
  ["small.tsv", utf8('a\t"b ""c"""\r\n1,5\t\u22122\r\n3\t"4"\r\n')],
];

/** A change of a byte, a bit, a cut, an insertion, or a piece copied elsewhere, near the beginning as often as anywhere. */
const position = fc.oneof(fc.nat(160), fc.nat(0xffffff));
const interesting = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0x22, 0x2c, 0x2d, 0x5b, 0x5c, 0x7b, 0x0a));
const damage = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), at: position, value: interesting }),
  fc.record({ kind: fc.constant("flip" as const), at: position, value: fc.nat(7) }),
  fc.record({ kind: fc.constant("cut" as const), at: position, value: fc.constant(0) }),
  fc.record({ kind: fc.constant("insert" as const), at: position, value: interesting }),
  fc.record({ kind: fc.constant("copy" as const), at: position, value: fc.nat(0xffff) }),
);

function damaged(bytes: Uint8Array, steps: { kind: "set" | "flip" | "cut" | "insert" | "copy"; at: number; value: number }[]): Uint8Array {
  let result = bytes.slice();
  for (const { kind, at: anywhere, value } of steps) {
    if (result.length === 0) break;
    const at = anywhere % result.length;
    if (kind === "set") result[at] = value;
    else if (kind === "flip") result[at] ^= 1 << value;
    else if (kind === "cut") result = result.slice(0, at);
    else if (kind === "insert") result = Uint8Array.from([...result.subarray(0, at), value, ...result.subarray(at)]);
    else result.copyWithin(at, value % result.length, (value % result.length) + 16);
  }
  return result;
}

function keepsItsPromises({ shape, data }: Tensor): boolean {
  return shape.every((size) => size > 0) && data.length === shape.reduce((product, size) => product * size, 1) && data.every(Number.isFinite);
}

describe("damaged files", () => {
  it.each(files)("%s, damaged at random, is read soundly or refused by a FileError, without delay", async (name, bytes) => {
    expect((await readTensors(bytes, name)).every(keepsItsPromises)).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), fc.boolean(), async (steps, lenient) => {
        const start = performance.now();
        try {
          const tensors = await readTensors(damaged(bytes, steps), name, lenient ? { onRefused: () => {} } : {});
          expect(tensors.length).toBeGreaterThan(0);
          expect(tensors.every(keepsItsPromises)).toBe(true);
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          expect(error.code).not.toBe("out-of-memory");
          expect(error.message).not.toMatch(/undefined|\[object|NaN (bytes|is there)/);
        }
        expect(performance.now() - start).toBeLessThan(10_000);
      }),
      { seed: propertySeed, numRuns: 500 },
    );
  });

  it("random bytes under every name are read soundly or refused by a FileError", async () => {
    const names = fc.constantFrom("a.npy", "a.npz", "a.safetensors", "a.json", "a.csv", "a.txt", "a");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), names, async (bytes, name) => {
        const outcome = await readTensors(bytes, name).then((tensors) => tensors.every(keepsItsPromises), (error: unknown) => error instanceof FileError);
        expect(outcome).toBe(true);
      }),
      { seed: propertySeed, numRuns: 1000 },
    );
  });
});
