import { expect, it } from 'vitest';
import { oneByteComments } from '../program/one-byte-comments.mjs';

it('replaces each wide character of a comment by one character, and no other', () => {
  const program = ['/** a — b', ' * “c” ü', ' */', '  // d → e', "const f = '—'; // g — h", ''];
  expect(oneByteComments(program.join('\n'))).toBe(
    ['/** a - b', ' * -c- ü', ' */', '  // d - e', "const f = '—'; // g — h", ''].join('\n'),
  );
});
