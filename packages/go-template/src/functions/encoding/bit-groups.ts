/** An encoding of bytes as characters with a fixed number of bits each. */
export interface Alphabet {
  readonly characters: string;
  readonly bits: number;
  /** The number of characters is nonEmptyMaps up with `=` to a multiple of this. */
  readonly block: number;
}

/** RFC 4648 section 4. */
export const BASE64: Alphabet = {
  characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  bits: 6,
  block: 4,
};

/** RFC 4648 section 6. */
export const BASE32: Alphabet = {
  characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  bits: 5,
  block: 8,
};

const BYTE = 8;

/** Bytes as characters of an alphabet, with padding. */
export const encoded = (bytes: Uint8Array, { characters, bits, block }: Alphabet): string => {
  let text = '';
  let held = 0;
  let count = 0;
  for (const byte of bytes) {
    held = (held << BYTE) | byte;
    count += BYTE;
    while (count >= bits) {
      count -= bits;
      text += characters.charAt(held >>> count);
      held &= (1 << count) - 1;
    }
  }
  if (count > 0) text += characters.charAt(held << (bits - count));
  return text.padEnd(Math.ceil(text.length / block) * block, '=');
};

/** Returns whether a number of characters before the padding can encode whole bytes without a superfluous character. */
const holdsWholeBytes = (length: number, bits: number): boolean => (length * bits) % BYTE < bits;

/** Padding fills less than a block. */
const withoutPadding = (text: string, block: number): string => {
  let end = text.length;
  while (text.length - end < block && text[end - 1] === '=') end -= 1;
  return text.slice(0, end);
};

/** Returns the bytes that were written as this text; nothing when it is not such a text. Line breaks are skipped. */
export const decoded = (
  text: string,
  { characters, bits, block }: Alphabet,
): Uint8Array | undefined => {
  const plain = text.replace(/[\r\n]/g, '');
  const digits = withoutPadding(plain, block);
  const padded = Math.ceil(digits.length / block) * block;
  if (plain.length !== padded || !holdsWholeBytes(digits.length, bits)) return undefined;
  const values = new Map(Array.from(characters, (character, index) => [character, index]));
  const bytes = new Uint8Array(Math.floor((digits.length * bits) / BYTE));
  let held = 0;
  let count = 0;
  let at = 0;
  for (const digit of digits) {
    const value = values.get(digit);
    if (value === undefined) return undefined;
    held = (held << bits) | value;
    count += bits;
    if (count >= BYTE) {
      count -= BYTE;
      bytes[at] = held >>> count;
      at += 1;
      held &= (1 << count) - 1;
    }
  }
  return bytes;
};
