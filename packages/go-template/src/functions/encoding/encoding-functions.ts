import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FunctionFailure } from '../../values/template-value.ts';
import { bytesOf, textOfBytes } from '../../values/utf8.ts';
import { withArguments, text } from '../definition/arguments.ts';
import { makeWithinBudget } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import { adler32 } from './adler32.ts';
import { BASE32, BASE64, decoded, encoded, type Alphabet } from './bit-groups.ts';

const encodings = entryIn('Encodings');
const hashes = entryIn('Hashes');

const encoding = (alphabet: Alphabet) =>
  withArguments([text], ([value], context) =>
    // A character of a text has up to three bytes, and a byte up to two characters.
    makeWithinBudget(context, 6 * value.length, () => encoded(bytesOf(value), alphabet)),
  );

const decoding = (name: string, alphabet: Alphabet) =>
  withArguments([text], ([value], context) =>
    makeWithinBudget(context, 2 * value.length, () => {
      const bytes = decoded(value, alphabet);
      if (bytes === undefined) return new FunctionFailure(`the text is not ${name}`);
      return textOfBytes(bytes) ?? new FunctionFailure('what is encoded is not text in UTF-8');
    }),
  );

/** A hash is computed in whole blocks. */
const UNITS_PER_HASH = 256;
/** Hashing one byte is as much work as reading a few. */
const HASHING = 4;

const hash = (digest: (bytes: Uint8Array) => string) =>
  withArguments([text], ([value], context) =>
    makeWithinBudget(context, UNITS_PER_HASH + HASHING * value.length, () =>
      digest(bytesOf(value)),
    ),
  );

/** Functions that encode, decode and hash texts. */
export const encodingFunctions = {
  b64enc: encodings(encoding(BASE64), 'b64enc text', 'The text in Base64.', [
    '{{ b64enc "hello" }}',
    'aGVsbG8=',
  ]),
  b64dec: encodings(
    decoding('Base64', BASE64),
    'b64dec text',
    'The text that was encoded in Base64.',
    ['{{ b64dec "aGVsbG8=" }}', 'hello'],
  ),
  b32enc: encodings(encoding(BASE32), 'b32enc text', 'The text in Base32.', [
    '{{ b32enc "hello" }}',
    'NBSWY3DP',
  ]),
  b32dec: encodings(
    decoding('Base32', BASE32),
    'b32dec text',
    'The text that was encoded in Base32.',
    ['{{ b32dec "NBSWY3DP" }}', 'hello'],
  ),
  sha1sum: hashes(
    hash((bytes) => bytesToHex(sha1(bytes))),
    'sha1sum text',
    'The SHA-1 hash of a text in UTF-8, in hexadecimal. Not for secrets.',
    ['{{ sha1sum "hello" }}', 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'],
  ),
  sha256sum: hashes(
    hash((bytes) => bytesToHex(sha256(bytes))),
    'sha256sum text',
    'The SHA-256 hash of a text in UTF-8, in hexadecimal.',
    ['{{ sha256sum "hello" }}', '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
  ),
  sha512sum: hashes(
    hash((bytes) => bytesToHex(sha512(bytes))),
    'sha512sum text',
    'The SHA-512 hash of a text in UTF-8, in hexadecimal.',
    ['{{ sha512sum "hello" | trunc 32 }}', '9b71d224bd62f3785d96d46ad3ea3d73'],
  ),
  adler32sum: hashes(
    hash((bytes) => String(adler32(bytes))),
    'adler32sum text',
    'The Adler-32 checksum of a text in UTF-8, in decimal.',
    ['{{ adler32sum "hello" }}', '103547413'],
  ),
} satisfies FunctionEntries;
