/** The largest prime below 2^16. */
const MODULUS = 65_521;

/** Returns the Adler-32 checksum. RFC 1950 section 8. */
export const adler32 = (bytes: Uint8Array): number => {
  let sum = 1;
  let sums = 0;
  for (const byte of bytes) {
    sum = (sum + byte) % MODULUS;
    sums = (sums + sum) % MODULUS;
  }
  return sums * 0x1_0000 + sum;
};
