import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FunctionFailure } from '../values/template-value.ts';
import { encodeUtf8, decodeUtf8 } from '../values/utf8.ts';
import {
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  readTextArgument,
  withArguments,
} from './definition.ts';

/** The largest prime below 2^16. */
const MODULUS = 65_521;

/** Returns the Adler-32 checksum. RFC 1950 section 8. */
const computeAdler32 = (bytes: Uint8Array): number => {
  let sum = 1;
  let sums = 0;
  for (const byte of bytes) {
    sum = (sum + byte) % MODULUS;
    sums = (sums + sum) % MODULUS;
  }
  return sums * 0x1_0000 + sum;
};

/** An encoding of bytes as characters with a fixed number of bits each. */
export interface Alphabet {
  readonly characters: string;
  readonly bits: number;
  /** The number of characters is nonEmptyMaps up with `=` to a multiple of this. */
  readonly block: number;
}

/** RFC 4648 section 4. */
const BASE64: Alphabet = {
  characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  bits: 6,
  block: 4,
};

/** RFC 4648 section 6. */
const BASE32: Alphabet = {
  characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  bits: 5,
  block: 8,
};

const BYTE = 8;

/** Bytes as characters of an alphabet, with padding. */
const encodeBytes = (bytes: Uint8Array, { characters, bits, block }: Alphabet): string => {
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
const hasWholeBytes = (length: number, bits: number): boolean => (length * bits) % BYTE < bits;

/** Padding fills less than a block. */
const withoutPadding = (text: string, block: number): string => {
  let end = text.length;
  while (text.length - end < block && text[end - 1] === '=') end -= 1;
  return text.slice(0, end);
};

/** Returns the bytes that were written as this text; nothing when it is not such a text. Line breaks are skipped. */
const decodeText = (
  text: string,
  { characters, bits, block }: Alphabet,
): Uint8Array | undefined => {
  const plain = text.replace(/[\r\n]/g, '');
  const digits = withoutPadding(plain, block);
  const padded = Math.ceil(digits.length / block) * block;
  if (plain.length !== padded || !hasWholeBytes(digits.length, bits)) return undefined;
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

const encodings = createEntryFactory('Encodings');
const hashes = createEntryFactory('Hashes');

const createEncoder = (alphabet: Alphabet) =>
  withArguments([readTextArgument], ([value], context) =>
    // A character of a text has up to three bytes, and a byte up to two characters.
    makeWithinBudget(context, 6 * value.length, () => encodeBytes(encodeUtf8(value), alphabet)),
  );

const createDecoder = (name: string, alphabet: Alphabet) =>
  withArguments([readTextArgument], ([value], context) =>
    makeWithinBudget(context, 2 * value.length, () => {
      const bytes = decodeText(value, alphabet);
      if (bytes === undefined) return new FunctionFailure(`the text is not ${name}`);
      return decodeUtf8(bytes) ?? new FunctionFailure('what is encoded is not text in UTF-8');
    }),
  );

/** A hash is computed in whole blocks. */
const UNITS_PER_HASH = 256;
/** Hashing one byte is as much work as reading a few. */
const HASHING = 4;

const createHashFunction = (digest: (bytes: Uint8Array) => string) =>
  withArguments([readTextArgument], ([value], context) =>
    makeWithinBudget(context, UNITS_PER_HASH + HASHING * value.length, () =>
      digest(encodeUtf8(value)),
    ),
  );

/** Functions that encode, decode and hash texts. */
export const encodingFunctions = {
  b64enc: encodings(createEncoder(BASE64), 'b64enc text', 'The text in Base64.', [
    '{{ b64enc "hello" }}',
    'aGVsbG8=',
  ]),
  b64dec: encodings(createDecoder('Base64', BASE64), 'b64dec text', 'The decoded text.', [
    '{{ b64dec "aGVsbG8=" }}',
    'hello',
  ]),
  b32enc: encodings(createEncoder(BASE32), 'b32enc text', 'The text in Base32.', [
    '{{ b32enc "hello" }}',
    'NBSWY3DP',
  ]),
  b32dec: encodings(createDecoder('Base32', BASE32), 'b32dec text', 'The decoded text.', [
    '{{ b32dec "NBSWY3DP" }}',
    'hello',
  ]),
  sha1sum: hashes(
    createHashFunction((bytes) => bytesToHex(sha1(bytes))),
    'sha1sum text',
    'The SHA-1 hash of a text in hexadecimal. Not for secrets.',
    ['{{ sha1sum "hello" }}', 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'],
  ),
  sha256sum: hashes(
    createHashFunction((bytes) => bytesToHex(sha256(bytes))),
    'sha256sum text',
    'The SHA-256 hash of a text in hexadecimal.',
    ['{{ sha256sum "hello" }}', '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
  ),
  sha512sum: hashes(
    createHashFunction((bytes) => bytesToHex(sha512(bytes))),
    'sha512sum text',
    'The SHA-512 hash of a text in hexadecimal.',
    ['{{ sha512sum "hello" | trunc 32 }}', '9b71d224bd62f3785d96d46ad3ea3d73'],
  ),
  adler32sum: hashes(
    createHashFunction((bytes) => String(computeAdler32(bytes))),
    'adler32sum text',
    'The Adler-32 checksum of a text in decimal.',
    ['{{ adler32sum "hello" }}', '103547413'],
  ),
} satisfies FunctionEntries;
