import { describe, expect, it } from 'vitest';
import { FairQueue, type Turn } from '../src/fair-queue.ts';

const ONE = {};
const OTHER = {};

const queueOf = (items: readonly (readonly [string, Turn])[]): FairQueue<string> => {
  const queue = new FairQueue<string>();
  for (const [item, turn] of items) queue.add(item, turn);
  return queue;
};

const takeAll = (queue: FairQueue<string>): readonly string[] =>
  Array.from({ length: queue.size }, () => queue.take() ?? 'nothing');

describe('waiting work', () => {
  it('is done for the users in turn, however many runs a user has', () => {
    const queue = queueOf([
      ['a1', { user: 'a', run: ONE }],
      ['a2', { user: 'a', run: OTHER }],
      ['a3', { user: 'a', run: {} }],
      ['b1', { user: 'b' }],
      ['b2', { user: 'b' }],
    ]);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('of one user is done for the runs in turn, and in order within a run', () => {
    const queue = queueOf([
      ['a1', { user: 'a', run: ONE }],
      ['a2', { user: 'a', run: ONE }],
      ['a3', { user: 'a', run: ONE }],
      ['b1', { user: 'a', run: OTHER }],
    ]);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('of a user who comes after a turn of another is next', () => {
    const queue = queueOf([
      ['a1', { user: 'a' }],
      ['a2', { user: 'a' }],
      ['a3', { user: 'a' }],
    ]);
    expect(queue.take()).toBe('a1');
    queue.add('b1', { user: 'b' });
    expect(takeAll(queue)).toEqual(['b1', 'a2', 'a3']);
  });

  it('of a user is not passed again by users who return at once', () => {
    const queue = queueOf([
      ['a1', { user: 'a' }],
      ['b1', { user: 'b' }],
      ['c1', { user: 'c' }],
    ]);
    expect(queue.take()).toBe('a1');
    queue.add('a2', { user: 'a' });
    expect(queue.take()).toBe('b1');
    queue.add('b2', { user: 'b' });
    expect(takeAll(queue)).toEqual(['c1', 'a2', 'b2']);
  });

  it('that is removed is not done, and its user keeps no place', () => {
    const turn = { user: 'a', run: ONE };
    const queue = queueOf([
      ['a1', turn],
      ['b1', { user: 'b' }],
    ]);
    expect(queue.remove('a1', turn)).toBe(true);
    expect(queue.remove('a1', turn)).toBe(false);
    expect(takeAll(queue)).toEqual(['b1']);
    expect(queue.take()).toBeUndefined();
  });

  it('that is not ready keeps its place, and takes no turn of its user', () => {
    const queue = queueOf([
      ['a1', { user: 'a' }],
      ['a2', { user: 'a' }],
      ['b1', { user: 'b' }],
    ]);
    expect(queue.take((item) => item !== 'a1')).toBe('a2');
    expect(queue.take((item) => item === 'a2')).toBeUndefined();
    expect(takeAll(queue)).toEqual(['b1', 'a1']);
  });
});
