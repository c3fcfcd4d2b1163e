import { expect, it } from 'vitest';
import { ServerLogLines } from '../../src/local/create-services.ts';

it('returns the last lines of one server with their times, oldest first', () => {
  let now = 1_000;
  const log = new ServerLogLines(() => (now += 1));
  log.add('a', 'one');
  log.add('b', 'other');
  log.add('a', 'two');
  log.add('a', 'three');
  expect(log.read('a', 2)).toEqual([
    { id: 2, at: 1_003, line: 'two' },
    { id: 3, at: 1_004, line: 'three' },
  ]);
  expect(log.read('__proto__', 2)).toEqual([]);
});

it('keeps 500 lines, and 256 KiB of characters', () => {
  const log = new ServerLogLines();
  for (let number = 1; number <= 600; number += 1) log.add('a', String(number));
  expect(log.read('a', 1_000).map(({ line }) => line)).toEqual(
    Array.from({ length: 500 }, (_, index) => String(index + 101)),
  );
  for (let number = 0; number < 40; number += 1) log.add('b', 'x'.repeat(16 * 1024));
  expect(log.read('b', 1_000)).toHaveLength(16);
});
