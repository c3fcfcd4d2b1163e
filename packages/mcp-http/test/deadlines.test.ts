import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from '../src/calls/deadlines.ts';

describe('deadlines', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  const noted = () => {
    const due: string[] = [];
    return { due, note: (name: string) => () => due.push(name) };
  };

  it('expire in order, each at its own time', () => {
    const { due, note } = noted();
    const deadlines = new Deadlines(100);
    deadlines.set(note('a'));
    vi.advanceTimersByTime(60);
    deadlines.set(note('b'));
    deadlines.set(note('c'));
    vi.advanceTimersByTime(39);
    expect(due).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(due).toEqual(['a']);
    vi.advanceTimersByTime(59);
    expect(due).toEqual(['a']);
    vi.advanceTimersByTime(1);
    expect(due).toEqual(['a', 'b', 'c']);
  });

  it.each([0, 1, 2])('do not expire when they are cancelled: number %i of three', (at) => {
    const { due, note } = noted();
    const deadlines = new Deadlines(100);
    const names = ['a', 'b', 'c'];
    const set = names.map((name) => deadlines.set(note(name)));
    deadlines.cancel(set[at] as never);
    deadlines.cancel(set[at] as never);
    vi.advanceTimersByTime(1_000);
    expect(due).toEqual(names.filter((_, index) => index !== at));
  });

  it('need one timer, however many there are', () => {
    const deadlines = new Deadlines(100);
    for (let count = 0; count < 1_000; count += 1) {
      deadlines.cancel(deadlines.set(() => undefined));
    }
    deadlines.set(() => undefined);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be set again by a listener that is due', () => {
    const { due, note } = noted();
    const deadlines = new Deadlines(100);
    deadlines.set(() => {
      due.push('a');
      deadlines.set(note('b'));
    });
    vi.advanceTimersByTime(100);
    expect(due).toEqual(['a']);
    vi.advanceTimersByTime(100);
    expect(due).toEqual(['a', 'b']);
  });

  it('may be further away than a timer can reach', () => {
    const { due, note } = noted();
    new Deadlines(2 ** 40).set(note('a'));
    vi.advanceTimersByTime(1_000_000);
    expect(due).toEqual([]);
  });
});
