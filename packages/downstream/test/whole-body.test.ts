import { expect, it } from 'vitest';
import { EventStreamReader } from '@gateway/mcp-wire';
import { WholeBody } from '../src/wire/http/http-wire.ts';

const BYTES = 1_000_000;
const ONE = Buffer.from('x');
const ignore = (): void => undefined;

const used = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

it.each([
  ['a body', () => new WholeBody(BYTES, undefined, ignore, ignore)],
  [
    'an event',
    () => new EventStreamReader(BYTES, { onEvent: ignore, onId: ignore, onRetry: ignore }),
  ],
])('%s that arrives byte by byte needs no object for each byte', (_kind, create) => {
  const before = used();
  const reader = create();
  for (let index = 0; index < BYTES; index += 1) reader.push(ONE);
  // An object for each byte has more than 100 bytes. Objects that are not used any more are a few megabytes.
  expect((used() - before) / BYTES).toBeLessThan(60);
  expect(reader.push(ONE)).toBe(false);
});

it('a body that arrives byte by byte is read as a whole', () => {
  let read = '';
  const body = new WholeBody(10_000, undefined, (bytes) => (read = bytes.toString()), ignore);
  const text = Array.from({ length: 10_000 }, (_, index) => String(index % 10)).join('');
  for (const byte of text) body.push(Buffer.from(byte));
  body.end();
  expect(read).toBe(text);
});
