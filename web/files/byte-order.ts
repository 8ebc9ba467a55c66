// Raw bytes of a file brought into this machine's byte order and alignment, so that a typed array can read them.

export type ByteOrder = "little" | "big";

export const hostByteOrder: ByteOrder = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? "little" : "big";

/**
 * The same values in the host's order at an address that is a multiple of `size` (1, 2, 4 or 8).
 * A view of `bytes` where nothing has to change, else a copy.
 */
export function toHostOrder(bytes: Uint8Array, size: number, order: ByteOrder): Uint8Array {
  if (size > 1 && order !== hostByteOrder) return reversed(bytes, size);
  return bytes.byteOffset % size === 0 ? bytes : bytes.slice();
}

function reversed(bytes: Uint8Array, size: number): Uint8Array {
  const copy = bytes.slice();
  if (size === 2) {
    const words = new Uint16Array(copy.buffer);
    for (let i = 0; i < words.length; i++) words[i] = (words[i] << 8) | (words[i] >> 8);
    return copy;
  }
  const words = new Uint32Array(copy.buffer);
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    words[i] = (word << 24) | ((word & 0xff00) << 8) | ((word >> 8) & 0xff00) | (word >>> 24);
  }
  if (size === 8) {
    for (let i = 0; i < words.length; i += 2) {
      const low = words[i];
      words[i] = words[i + 1];
      words[i + 1] = low;
    }
  }
  return copy;
}
