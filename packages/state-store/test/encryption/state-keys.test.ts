import { expect, it } from 'vitest';
import { parseStateKey } from '../../src/encryption/encrypted-store.ts';

const BYTES = Buffer.from('fb'.repeat(32), 'hex');

it('parses 32 bytes in each notation to the same key', () => {
  const texts = [
    BYTES.toString('base64'),
    BYTES.toString('base64url'),
    BYTES.toString('hex'),
    BYTES.toString('hex').toUpperCase(),
    ` ${BYTES.toString('base64')}\n`,
  ];
  const ids = texts.map((text) => {
    const parsed = parseStateKey(text, 'GATEWAY_STATE_KEY');
    return parsed.ok ? parsed.key.id : parsed.problem;
  });
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[\w-]{8}$/);
});

it.each([
  '',
  'secret-secret',
  BYTES.subarray(1).toString('base64'),
  `${BYTES.toString('hex')}00`,
  Buffer.alloc(33, 1).toString('base64'),
  `${BYTES.toString('base64')}${BYTES.toString('base64')}`,
  '!'.repeat(43),
])('refuses %j in one sentence that names the source and not the text', (text) => {
  expect(parseStateKey(text, 'GATEWAY_STATE_KEY')).toEqual({
    ok: false,
    problem:
      'GATEWAY_STATE_KEY: the state key must be 32 random bytes in base64 or hexadecimal digits, for example of "openssl rand -base64 32"',
  });
});
