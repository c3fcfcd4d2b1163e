import { expect, it } from 'vitest';
import { MessageParts, toParts } from '../../src/replicas/join-replicas.ts';

const LONG = 'x'.repeat(400_000);

it('joins parts in any order, and of several messages', () => {
  const parts = new MessageParts();
  const [a0, a1, a2] = toParts(`${LONG}a`);
  const [b0, b1, b2] = toParts(`${LONG}b`);
  expect([a2, b0, a0, b2, b1].map((part) => parts.add(part ?? ''))).toEqual([
    ...[undefined, undefined, undefined, undefined],
    `${LONG}b`,
  ]);
  expect(parts.add(a1 ?? '')).toBe(`${LONG}a`);
});

it.each([0, 1])('divides no character in two: %i', (ahead) => {
  const message = 'x'.repeat(ahead) + '😀'.repeat(200_000);
  const parts = new MessageParts();
  const received = toParts(message).map((part) => parts.add(Buffer.from(part).toString()));
  expect(received.at(-1) === message).toBe(true);
});

it('counts no part twice', () => {
  const parts = new MessageParts();
  const [first, second, third] = toParts(LONG);
  for (const part of [first, first, second]) expect(parts.add(part ?? '')).toBeUndefined();
  expect(parts.add(third ?? '')).toBe(LONG);
});

it('drops the oldest of more than 256 incomplete messages', () => {
  const parts = new MessageParts();
  const messages = Array.from({ length: 257 }, () => toParts(LONG));
  for (const [first = ''] of messages) parts.add(first);
  const finish = (at: number): string | undefined => {
    const [, second = '', third = ''] = messages[at] ?? [];
    parts.add(second);
    return parts.add(third);
  };
  expect(finish(256)).toBe(LONG);
  expect(finish(1)).toBe(LONG);
  expect(finish(0)).toBeUndefined();
});
