import { DEFAULT_MCP_HTTP_LIMITS } from '../src/protocol/limits.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatEventPlace, parseEventId, EventLog } from '../src/sessions/session-streams.ts';
import { ExpiringSet } from '../src/sessions/session-store.ts';

const LIMITS = {
  ...DEFAULT_MCP_HTTP_LIMITS,
  maxLoggedEvents: 3,
  maxLoggedBytes: 100,
  maxLoggedBytesTotal: 150,
};

const messagesOf = (log: EventLog, stream: string, after = 0): readonly string[] =>
  [...log.after(stream, after)].map(([, message]) => message);

describe('the log of a session', () => {
  it('returns the events that follow an event of its stream, and none of another stream', () => {
    const log = new EventLog(LIMITS, { bytes: 0 });
    const first = log.append('post1', 'a');
    log.append('post2', 'b');
    log.append('post1', 'c');
    expect(messagesOf(log, 'post1')).toEqual(['a', 'c']);
    expect(messagesOf(log, 'post1', first)).toEqual(['c']);
    expect(messagesOf(log, '__proto__')).toEqual([]);
  });

  it('never exceeds its limits, whatever is sent', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(120)), (sizes) => {
        const budget = { bytes: 0 };
        const logs = [new EventLog(LIMITS, budget), new EventLog(LIMITS, budget)];
        for (const [at, size] of sizes.entries()) logs[at % 2]?.append('get1', 'x'.repeat(size));
        for (const log of logs) {
          expect(log.size).toBeLessThanOrEqual(3);
          expect(messagesOf(log, 'get1').join('').length).toBeLessThanOrEqual(100);
        }
        expect(budget.bytes).toBeLessThanOrEqual(150);
        for (const log of logs) log.clear();
        expect(budget.bytes).toBe(0);
      }),
    );
  });
});

describe('the id of an event', () => {
  it('round-trips', () => {
    const place = { owner: 'w-1_x', stream: 'post12', event: 345 };
    expect(parseEventId(formatEventPlace(place))).toEqual(place);
  });

  const INCOMPLETE = ['', '1', 'a.b.c', 'a.get1', 'a.get1.', '.get1.1'];
  it.each([...INCOMPLETE, 'a.put1.1', 'a.get1.1e3', '😀.get1.1'])('is not %j', (id) => {
    expect(parseEventId(id)).toBeUndefined();
  });
});

describe('a set of texts that expire', () => {
  it('evicts the oldest beyond its limit, and all after their lifetime', () => {
    const clock = { now: 0 };
    const set = new ExpiringSet(2, 10, () => clock.now);
    for (const text of ['a', 'b', 'a', 'c']) set.add(text);
    const known = ['a', 'b', 'c', '__proto__'].filter((text) => set.has(text));
    expect(known).toEqual(['a', 'c']);
    clock.now = 10;
    expect(set.has('c')).toBe(false);
    set.add('d');
    expect(set.size).toBe(1);
  });
});
