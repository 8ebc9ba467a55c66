// .npz: members, and archives that are cut, damaged, too large when unpacked, or of another kind.

import { constants, deflateRawSync } from "node:zlib";
import { zipSync, type Zippable } from "fflate";
import { describe, expect, it } from "vitest";
import { readTensors } from "../../web/files/index.js";
import { concatenated, float32Bytes, npy, refusal, utf8 } from "./files-support.js";

const first = npy(float32Bytes(1, 2, 3, 4), { shape: "(2, 2)" });
const second = npy(float32Bytes(5, 6));
const archive = (files: Zippable) => zipSync(files, { mtime: "2020-01-01" });
const two = archive({ "first.npy": first, "layer/second.npy": [second, { level: 0 }] });

/** Positions of a four-byte record mark. */
function positions(bytes: Uint8Array, ...mark: number[]): number[] {
  return Array.from(bytes.keys()).filter((at) => mark.every((byte, i) => bytes[at + i] === byte));
}
const directoryOf = (bytes: Uint8Array) => positions(bytes, 0x50, 0x4b, 1, 2);
const endOf = (bytes: Uint8Array) => positions(bytes, 0x50, 0x4b, 5, 6)[0];

function edited(bytes: Uint8Array, edit: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  edit(new DataView(copy.buffer));
  return copy;
}

/** The archive with the sizes and the offset of its only member moved into a ZIP64 field, and a ZIP64 end record. */
function asZip64(bytes: Uint8Array): Uint8Array {
  const [at] = directoryOf(bytes);
  const view = new DataView(bytes.buffer);
  const nameLength = view.getUint16(at + 28, true);
  const extra = new DataView(new ArrayBuffer(28));
  extra.setUint16(0, 1, true);
  extra.setUint16(2, 24, true);
  extra.setBigUint64(4, BigInt(view.getUint32(at + 24, true)), true);
  extra.setBigUint64(12, BigInt(view.getUint32(at + 20, true)), true);
  extra.setBigUint64(20, BigInt(view.getUint32(at + 42, true)), true);
  const entry = edited(bytes.slice(at, at + 46 + nameLength), (v) => {
    for (const field of [20, 24, 42]) v.setUint32(field, 0xffffffff, true);
    v.setUint16(30, 28, true);
  });
  const end64 = new DataView(new ArrayBuffer(56));
  end64.setUint32(0, 0x06064b50, true);
  end64.setBigUint64(32, 1n, true);
  end64.setBigUint64(48, BigInt(at), true);
  const locator = new DataView(new ArrayBuffer(20));
  locator.setUint32(0, 0x07064b50, true);
  locator.setBigUint64(8, BigInt(at + entry.length + 28), true);
  const end = edited(bytes.slice(endOf(bytes)), (v) => {
    v.setUint16(10, 0xffff, true);
    v.setUint32(16, 0xffffffff, true);
  });
  const bytesOf = (v: DataView) => new Uint8Array(v.buffer);
  return concatenated(bytes.slice(0, at), entry, bytesOf(extra), bytesOf(end64), bytesOf(locator), end);
}

describe(".npz members", () => {
  it("are named without .npy, packed or stored", async () => {
    const tensors = await readTensors(two, "two.npz");
    expect(tensors.map(({ name, shape, data }) => ({ name, shape, data: Array.from(data) }))).toEqual([
      { name: "first", shape: [2, 2], data: [1, 2, 3, 4] },
      { name: "layer/second", shape: [2], data: [5, 6] },
    ]);
  });

  it("are found behind a comment at the archive's end", async () => {
    const commented = concatenated(edited(two, (view) => view.setUint16(endOf(two) + 20, 5, true)), utf8("hello"));
    expect(await readTensors(commented, "two.npz")).toHaveLength(2);
  });

  it("are read from ZIP64 records too", async () => {
    const [tensor] = await readTensors(asZip64(archive({ "first.npy": first })), "a.npz");
    expect(Array.from(tensor.data)).toEqual([1, 2, 3, 4]);
  });

  it("that cannot be read are reported one by one when asked, and the others are read", async () => {
    const mixed = archive({ "labels.npy": npy(new Uint8Array(20), { descr: "<U5", shape: "(1,)" }), "first.npy": first, "readme.txt": utf8("hello, world") });
    const refused: string[] = [];
    const tensors = await readTensors(mixed, "mixed.npz", { onRefused: (name, error) => refused.push(`${name}|${error.code}|${error.message}`) });
    expect(tensors.map(({ name }) => name)).toEqual(["first"]);
    expect(refused).toEqual([
      'labels|unsupported-dtype|labels: values of type "<U5" (text) cannot be shown as float32 numbers',
      "readme.txt|wrong-magic|readme.txt: not a .npy file: byte 0 on should be 93 4e 55 4d 50 59, it is 68 65 6c 6c 6f 2c",
    ]);
    expect(await refusal(mixed, "mixed.npz")).toMatchObject({ code: "unsupported-dtype", tensor: "labels" });
  });

  it("that are all refused end in the first one's error", async () => {
    const none = archive({ "a.npy": utf8("what?"), "b.npy": first.subarray(0, 100) });
    expect(await refusal(none, "none.npz", { onRefused: () => {} })).toMatchObject({ code: "wrong-magic", tensor: "a" });
  });
});

describe(".npz faults", () => {
  const packed = archive({ "first.npy": first });
  const [entry] = directoryOf(packed);
  const dataAt = 30 + "first.npy".length;

  it.each([
    ["a cut archive", two.subarray(0, two.length - 30), "bad-archive", `the archive cannot be read at byte ${two.length - 30}: expected the record 50 4b 05 06 that ends every archive, got none: the file is cut off`],
    ["an empty archive", archive({}), "no-arrays", "the .npz file holds no arrays"],
    ["only a folder", archive({ "folder/": new Uint8Array(0) }), "no-arrays", "the .npz file holds no arrays"],
    ["a damaged byte of packed data", edited(packed, (v) => v.setUint8(dataAt + 8, v.getUint8(dataAt + 8) ^ 0x10)), "corrupt-data", /^first: the packed data is damaged: expected /],
    ["a wrong checksum", edited(packed, (v) => v.setUint32(entry + 16, 0x12345678, true)), "corrupt-data", /^first: the packed data is damaged: expected checksum 12345678, got [0-9a-f]{8}$/],
    ["packed data that ends early", edited(packed, (v) => v.setUint32(entry + 20, 40, true)), "corrupt-data", "first: the packed data is damaged: expected deflated data, got unexpected EOF"],
    ["a size smaller than the data", edited(packed, (v) => v.setUint32(entry + 24, 100, true)), "corrupt-data", "first: the packed data is damaged: expected 100 bytes, got more"],
    ["a size larger than the data", edited(packed, (v) => v.setUint32(entry + 24, 200, true)), "corrupt-data", "first: the packed data is damaged: expected 200 bytes, got 144"],
    ["a directory that points nowhere", edited(packed, (v) => v.setUint32(endOf(packed) + 16, 0xfffffff, true)), "bad-archive", "the archive cannot be read at byte 268435455: expected 50 4b 01 02, got the end of the file"],
    ["a member that lies past the end", edited(packed, (v) => v.setUint32(entry + 42, 0xfffffff, true)), "bad-archive", "first: the archive cannot be read at byte 268435455: expected 50 4b 03 04, got the end of the file"],
    ["a member longer than the file", edited(packed, (v) => v.setUint32(entry + 20, 0xfffffff, true)), "truncated", new RegExp(`^first: the file is cut off: 268435455 bytes should follow from byte ${dataAt} on, \\d+ are there$`)],
    ["encryption", edited(packed, (v) => v.setUint16(entry + 8, 1, true)), "unsupported-format", "first: this is an encrypted archive; save the array as .npy, .npz, .safetensors, .csv or .json instead"],
    ["another packing method", edited(packed, (v) => v.setUint16(entry + 10, 93, true)), "unsupported-format", "first: this is an archive packed by method 93; save the array as .npy, .npz, .safetensors, .csv or .json instead"],
    ["a PyTorch checkpoint", archive({ "model/data.pkl": utf8("x"), "model/data/0": utf8("y") }), "unsupported-format", "this is a PyTorch checkpoint (pickled Python objects); save the array as .npy, .npz, .safetensors, .csv or .json instead"],
    ["an Excel workbook", archive({ "xl/workbook.xml": utf8("<x/>") }), "unsupported-format", "this is an Excel workbook; save the array as .npy, .npz, .safetensors, .csv or .json instead"],
    ["one name twice", archive({ "first.npy": first, first }), "duplicate-name", 'the name "first" occurs twice'],
    ["NaN in a member", archive({ "first.npy": npy(float32Bytes(1, NaN)) }), "non-finite", "first: row 1, column 2: NaN is not a finite number"],
    ["another file named .npz", utf8("no archive"), "wrong-magic", "not a .npz file: byte 0 on should be 50 4b 03 04, it is 6e 6f 20 61 72 63 68 69"],
  ])("%s: the message says so", async (_, bytes, code, message) => {
    const error = await refusal(bytes, "array.npz");
    expect(error.code).toBe(code);
    if (typeof message === "string") expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });

  it("refuses an archive of more than 512 MiB unpacked by its directory, before unpacking", async () => {
    const claims = edited(two, (view) => directoryOf(two).forEach((at) => view.setUint32(at + 24, 300 * 2 ** 20, true)));
    expect(await refusal(claims, "bomb.npz")).toMatchObject({
      code: "archive-too-large",
      message: "unpacked, the archive would hold 600 MiB, the limit is 512 MiB",
      details: { got: 600 * 2 ** 20, limit: 512 * 2 ** 20 },
    });
  });

  it("does not reserve memory for a size that so few packed bytes cannot hold", async () => {
    const claim = edited(packed, (view) => view.setUint32(entry + 24, 500 * 2 ** 20, true));
    expect((await refusal(claim, "bomb.npz")).message).toMatch(/^first: the packed data is damaged: expected 524288000 bytes, got \d+ packed bytes, which cannot hold as many$/);
  });

  it("stops unpacking soon after a bomb exceeds the size it claims, not at its end", async () => {
    const mebibyte = deflateRawSync(new Uint8Array(2 ** 20), { finishFlush: constants.Z_SYNC_FLUSH }); // can follow itself
    const bomb = concatenated(...Array<Uint8Array>(4096).fill(mebibyte), Uint8Array.of(1, 0, 0, 0xff, 0xff)); // 4 GiB of zeros
    const stored = archive({ "zeros.npy": [bomb, { level: 0 }] });
    const lying = edited(stored, (view) => {
      const at = stored.length - 22 - 46 - "zeros.npy".length;
      view.setUint16(at + 10, 8, true);
      view.setUint32(at + 24, 1000, true);
    });
    const start = performance.now();
    expect((await refusal(lying, "bomb.npz")).message).toBe("zeros: the packed data is damaged: expected 1000 bytes, got more");
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
