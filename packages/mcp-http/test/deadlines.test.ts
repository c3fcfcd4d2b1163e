import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from '../src/calls/running-call.ts';

describe('deadlines', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  const noted = (delayMs = 100) => {
    const due: string[] = [];
    return { due, deadlines: new Deadlines<string>(delayMs, (name) => due.push(name)) };
  };

  it('expire in order, each at its own time', () => {
    const { due, deadlines } = noted();
    deadlines.set('a');
    vi.advanceTimersByTime(60);
    deadlines.set('b');
    deadlines.set('c');
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
    const { due, deadlines } = noted();
    const names = ['a', 'b', 'c'];
    const set = names.map((name) => deadlines.set(name));
    deadlines.cancel(set[at] as never);
    deadlines.cancel(set[at] as never);
    vi.advanceTimersByTime(1_000);
    expect(due).toEqual(names.filter((_, index) => index !== at));
  });

  it('have their owners in the order in which they are due', () => {
    const { deadlines } = noted();
    const [, b] = ['a', 'b', 'c'].map((name) => deadlines.set(name));
    expect(deadlines.listOwners()).toEqual(['a', 'b', 'c']);
    deadlines.cancel(b as never);
    expect(deadlines.listOwners()).toEqual(['a', 'c']);
    vi.advanceTimersByTime(100);
    expect(deadlines.listOwners()).toEqual([]);
  });

  it('need one timer, however many there are', () => {
    const { deadlines } = noted();
    for (let count = 0; count < 1_000; count += 1) {
      deadlines.cancel(deadlines.set('a'));
    }
    deadlines.set('a');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be set again by a listener that is due', () => {
    const due: string[] = [];
    const deadlines = new Deadlines<string>(100, (name) => {
      due.push(name);
      if (name === 'a') deadlines.set('b');
    });
    deadlines.set('a');
    vi.advanceTimersByTime(100);
    expect(due).toEqual(['a']);
    vi.advanceTimersByTime(100);
    expect(due).toEqual(['a', 'b']);
  });

  it('may be further away than a timer can reach', () => {
    const { due, deadlines } = noted(2 ** 40);
    deadlines.set('a');
    vi.advanceTimersByTime(1_000_000);
    expect(due).toEqual([]);
  });
});
