// CRC-32 as ZIP uses it (polynomial 0xEDB88320), four bytes at a time.

const tables = Array.from({ length: 4 }, () => new Uint32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  tables[0][byte] = crc;
}
for (let byte = 0; byte < 256; byte++) {
  for (let k = 1; k < 4; k++) tables[k][byte] = (tables[k - 1][byte] >>> 8) ^ tables[0][tables[k - 1][byte] & 0xff];
}

export function crc32(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = tables;
  const whole = bytes.length & ~3;
  let crc = -1;
  let i = 0;
  for (; i < whole; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t3[crc & 0xff] ^ t2[(crc >>> 8) & 0xff] ^ t1[(crc >>> 16) & 0xff] ^ t0[crc >>> 24];
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}
