import type { StoredEvent } from '@gateway/events';
import { expect, it } from 'vitest';
import {
  EventBacklog,
  EventSubjects,
  FormerEvents,
  type KnownEvent,
} from '../../src/kubernetes/event-succession.ts';

const event = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  ...{ id: 1, kind: 'MCPServer', name: 'a', namespace: 'default', type: 'Normal', count: 1 },
  ...{ reason: 'MCPServerStarted', message: 'started', firstAt: 100_000, lastAt: 100_000 },
  ...more,
});

const OBJECT = 'a.1';
const IN_DEFAULT = { namespace: 'default' };

const known = (more: Partial<StoredEvent> = {}): KnownEvent[] => [
  { object: OBJECT, event: event(more) },
];

/** Returns what a process that led from second 150 on knows of an event. */
const successionOf = (
  former: readonly KnownEvent[],
  own: StoredEvent,
  place: { readonly namespace: string; readonly uid?: string } = IN_DEFAULT,
) => new FormerEvents(former, 150_000).find(own, place);

it('continues the same event of another replica, and counts what it lacks', () => {
  const of = (own: Partial<StoredEvent>, other: Partial<StoredEvent> = {}) =>
    successionOf(known(other), event(own));
  const continued = { object: OBJECT, firstAt: 100_000, more: 0 };
  expect(of({ firstAt: 101_000, lastAt: 101_000 })).toEqual({ continued, isBehind: false });
  expect(of({ count: 2 })).toEqual({ continued, isBehind: true });
  const lacking = (more: number) => ({ ...continued, more });
  expect(of({ count: 2 }, { count: 5 })).toEqual({ continued: lacking(3), isBehind: false });
  const later = of({ count: 2, lastAt: 140_000 }, { count: 5 });
  expect(later).toEqual({ continued: lacking(4), isBehind: true });
});

it('does not continue an event about something else, or of another time', () => {
  const others = [{ name: 'b' }, { kind: 'Workflow' as const }, { reason: 'MCPServerStopped' }];
  for (const more of [...others, { message: 'other' }, { firstAt: 700_001 }])
    expect(successionOf(known(), event(more))).toBe(undefined);
  expect(successionOf(known(), event(), { namespace: 'tenant' })).toBe(undefined);
});

it('does not continue an event of a former leader by one that began after its time', () => {
  expect(successionOf(known(), event({ firstAt: 180_000 }))).toBeDefined();
  expect(successionOf(known(), event({ firstAt: 180_001 }))).toBe(undefined);
});

it('continues the event that began nearest, of the same object when it is known', () => {
  const former = [
    ...known({ lastAt: 140_000 }),
    { object: 'a.2', event: event({ firstAt: 120_000, lastAt: 120_000 }) },
    { object: 'a.3', uid: 'first', event: event({ firstAt: 130_000, lastAt: 130_000 }) },
  ];
  const events = new FormerEvents(former, 150_000);
  const found = (firstAt: number, uid?: string) =>
    events.find(event({ firstAt }), { ...IN_DEFAULT, ...(uid === undefined ? {} : { uid }) })
      ?.continued.object;
  expect([found(119_000), found(101_000)]).toEqual(['a.2', OBJECT]);
  expect(found(101_000, 'first')).toBe('a.3');
});

it('divides the occurrences of an event among the objects that they are about', () => {
  const subjects = new EventSubjects();
  const of = (count: number, uid?: string) => {
    const at = 100_000 + count;
    const { firstAt, ...found } = subjects.toSubjectEvent(event({ count, lastAt: at }), uid);
    return [found.uid, found.count, firstAt];
  };
  expect(of(1, 'first')).toEqual(['first', 1, 100_000]);
  expect(of(2)).toEqual(['first', 2, 100_000]);
  expect(of(4, 'second')).toEqual(['second', 2, 100_004]);
  expect(of(5, 'second')).toEqual(['second', 3, 100_004]);
  // A write that is repeated.
  expect(of(5, 'third')).toEqual(['second', 3, 100_004]);
  expect(of(6, 'third')).toEqual(['third', 1, 100_006]);
});

it('tells an object from one with its name that was deleted, where the event says which one it is', () => {
  const former = known().map((one) => ({ ...one, uid: 'first' }));
  const of = (uid?: string) =>
    successionOf(former, event(), { ...IN_DEFAULT, ...(uid === undefined ? {} : { uid }) });
  const continued = { object: OBJECT, uid: 'first', firstAt: 100_000, more: 0 };
  expect([of('first')?.continued, of()?.continued]).toEqual([continued, continued]);
  expect(of('second')).toBe(undefined);
  expect(successionOf(known(), event(), { ...IN_DEFAULT, uid: 'second' })?.continued).toEqual({
    ...{ object: OBJECT, firstAt: 100_000, more: 0 },
  });
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
