import type { StoredEvent } from '@gateway/events';
import { expect, it } from 'vitest';
import { EventBacklog } from '../../src/kubernetes/event-backlog.ts';
import { successionOf } from '../../src/kubernetes/event-succession.ts';

const event = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  ...{ id: 1, kind: 'MCPServer', name: 'a', namespace: 'default', type: 'Normal', count: 1 },
  ...{ reason: 'MCPServerStarted', message: 'started', firstAt: 100_000, lastAt: 100_000 },
  ...more,
});

const known = (more: Partial<StoredEvent> = {}) => [{ object: 'a.1', event: event(more) }];

it('continues the same event of another replica, and counts what it lacks', () => {
  const of = (own: Partial<StoredEvent>, other: Partial<StoredEvent> = {}) =>
    successionOf(known(other), event(own), 'default');
  const continued = { object: 'a.1', firstAt: 100_000, more: 0 };
  expect(of({ firstAt: 101_000, lastAt: 101_000 })).toEqual({ continued, isBehind: false });
  expect(of({ count: 2 })).toEqual({ continued, isBehind: true });
  expect(of({ count: 2 }, { count: 5 })).toEqual({
    continued: { ...continued, more: 3 },
    isBehind: false,
  });
  expect(of({ count: 2, lastAt: 140_000 }, { count: 5 })).toEqual({
    continued: { ...continued, more: 4 },
    isBehind: true,
  });
});

it('does not continue an event about something else, or of another time', () => {
  for (const more of [
    { name: 'b' },
    { reason: 'MCPServerStopped' },
    { message: 'other' },
    { firstAt: 700_001 },
  ])
    expect(successionOf(known(), event(more), 'default')).toBe(undefined);
  expect(successionOf(known(), event(), 'tenant')).toBe(undefined);
});

it('keeps the newest events of a minute, each in its last occurrence', () => {
  const backlog = new EventBacklog();
  backlog.add(event(), 100_000);
  backlog.add(event({ count: 2, lastAt: 120_000 }), 120_000);
  expect(backlog.events(130_000)).toEqual([event({ count: 2, lastAt: 120_000 })]);
  expect(backlog.events(180_001)).toEqual([]);
  for (let index = 0; index < 1_100; index += 1)
    backlog.add(event({ message: String(index) }), 100_000);
  const messages = backlog.events(100_000).map(({ message }) => message);
  expect([messages.length, messages[0]]).toEqual([1_000, '100']);
});
