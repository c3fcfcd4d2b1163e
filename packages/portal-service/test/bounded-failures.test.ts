import { expect, it } from 'vitest';
import { createFailureWriter } from '../src/serving/create-portal.ts';

it('writes each sentence 10 times a minute, and says that others are left out', () => {
  const lines: string[] = [];
  const clock = { now: 0 };
  const write = createFailureWriter(
    (line) => lines.push(line),
    () => clock.now,
  );
  for (let round = 0; round < 1_000; round += 1) write('a sign-in failed');
  write('a request failed');
  expect(lines).toEqual([
    ...Array.from({ length: 9 }, () => 'a sign-in failed'),
    'a sign-in failed; further ones are not logged for a minute',
    'a request failed',
  ]);
  clock.now = 60_000;
  write('a sign-in failed');
  expect(lines.at(-1)).toBe('a sign-in failed');
  expect(lines).toHaveLength(12);
});

it('counts a bounded number of sentences', () => {
  const lines: string[] = [];
  const write = createFailureWriter(
    (line) => lines.push(line),
    () => 0,
  );
  for (let at = 0; at < 1_000; at += 1) write(`sentence ${at}`);
  expect(lines).toHaveLength(1_000);
});
