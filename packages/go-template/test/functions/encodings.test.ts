import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Encodings and hashes', () => {
  printsEach([
    ['{{ b64enc "héllo" }}', 'aMOpbGxv'],
    ['{{ b64dec "aMOpbGxv" }}', 'héllo'],
    ['{{ b32enc "héllo" }}', 'NDB2S3DMN4======'],
    ['{{ b32dec "NDB2S3DMN4======" }}', 'héllo'],
    ['{{ b64enc "" }}', ''],
    ['{{ b64enc "a" }}', 'YQ=='],
    ['{{ b64enc "ab" }}', 'YWI='],
    ['{{ b32enc "a" }}', 'ME======'],
    ['{{ b32enc "abcd" }}', 'MFRGGZA='],
    ['{{ sha1sum "" }}', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['{{ sha256sum "é" }}', '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
    [
      '{{ sha512sum "a" }}',
      '1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75',
    ],
    ['{{ adler32sum "hello" }}', '103547413'],
    ['{{ adler32sum "" }}', '1'],
    ['{{ adler32sum "Wikipedia" }}', '300286872'],
  ]);

  failsEach([
    ['{{ b64dec "%%" }}', 'b64dec: the text is not Base64'],
    ['{{ b64dec "YQ" }}', 'b64dec: the text is not Base64'],
    ['{{ b32dec "a" }}', 'b32dec: the text is not Base32'],
    ['{{ b64dec "/w==" }}', 'b64dec: what is encoded is not text in UTF-8'],
  ]);
});
