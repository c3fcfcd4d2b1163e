import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import {
  INITIAL_STATE,
  isTrying,
  type MachineAction,
  type MachineEvent,
  type MachineState,
  type PhaseKind,
  toStatusState,
  computeTransition,
  TRANSITIONS,
} from '../src/connections/machine.ts';

const world = {
  opens: 'by-itself' as const,
  random: 0,
  backoff: { firstMs: 100, maxMs: 1_000, jitter: 0.5, stableAfterMs: 500, checkMs: 40 },
};

const createFailure = (attempt: number, missing = false): MachineEvent => ({
  kind: 'failed',
  attempt,
  failure: { reason: 'gone', code: 'other', missing },
});

const run = (
  events: readonly MachineEvent[],
  from: MachineState = INITIAL_STATE,
): { state: MachineState; actions: readonly MachineAction[] } => {
  let state = from;
  let actions: readonly MachineAction[] = [];
  for (const event of events) ({ state, actions } = computeTransition(state, event, world));
  return { state, actions };
};

const resolveLive: readonly MachineEvent[] = [{ kind: 'start' }, { kind: 'connected', attempt: 1 }];

const formatMoves = (opens: keyof typeof TRANSITIONS): unknown => {
  const moves = Object.entries(TRANSITIONS[opens]).map(([phase, events]) => [
    phase,
    Object.entries(events).map(([event, { to, actions }]) =>
      [event, '->', to, ...actions].join(' '),
    ),
  ]);
  return Object.fromEntries(moves) as unknown;
};

it('allows exactly these transitions from every phase', () => {
  expect(formatMoves('by-itself')).toEqual({
    stopped: ['start -> starting open', 'restart -> starting open'],
    starting: [
      'stop -> stopping close',
      'restart -> restarting close',
      'redefined -> restarting close',
      'rotated -> restarting close',
      'connected -> live await-stability',
      'failed -> waiting close plan-retry',
      'unauthorized -> auth-required close plan-retry',
      'sign-in-required -> auth-required close',
    ],
    live: [
      'stop -> stopping close',
      'restart -> restarting close',
      'redefined -> restarting close',
      'rotated -> starting open',
      'session-ended -> starting open',
      'stable -> live',
      'failed -> waiting close plan-retry',
      'unauthorized -> auth-required close plan-retry',
      'sign-in-required -> auth-required close',
    ],
    waiting: [
      'start -> starting open',
      'stop -> stopped',
      'restart -> starting open',
      'redefined -> starting open',
      'rotated -> starting open',
      'retry-due -> starting open',
      'appeared -> starting open',
    ],
    'auth-required': [
      'start -> starting open',
      'stop -> stopped',
      'restart -> starting open',
      'redefined -> starting open',
      'rotated -> starting open',
      'retry-due -> starting open',
    ],
    stopping: ['start -> restarting', 'restart -> restarting', 'closed -> stopped'],
    restarting: ['stop -> stopping', 'closed -> starting open'],
  });
});

it('allows exactly these transitions to connections that open for a request', () => {
  expect(formatMoves('on-request')).toEqual({
    stopped: ['start -> starting open'],
    starting: [
      'stop -> stopped close',
      'rotated -> stopped close',
      'evicted -> stopped close',
      'connected -> live',
      'failed -> waiting',
      'unauthorized -> auth-required',
    ],
    live: [
      'stop -> stopped close',
      'rotated -> stopped drain',
      'session-ended -> stopped drain',
      'evicted -> stopped close',
      'failed -> stopped close',
    ],
    waiting: ['start -> starting open', 'stop -> stopped', 'rotated -> stopped'],
    'auth-required': ['start -> starting open', 'stop -> stopped', 'rotated -> stopped'],
    stopping: [],
    restarting: [],
  });
});

const starting = (attempt: number) => ({
  state: { phase: { kind: 'starting', attempt }, attempts: attempt, failures: 0, earlyStarts: 0 },
  actions: ['open'],
});
const waiting = (delayMs: number, checkMs?: number) => {
  const phase = { kind: 'waiting', code: 'other', reason: 'gone', delayMs };
  return checkMs === undefined ? phase : { ...phase, checkMs };
};

describe('a start', () => {
  it('opens the first attempt, and replaces a planned retry without failures', () => {
    expect(run([{ kind: 'start' }])).toEqual(starting(1));
    expect(run([{ kind: 'start' }, createFailure(1), { kind: 'start' }])).toEqual(starting(2));
  });

  it('during a stop waits for its end', () => {
    const { state } = run([...resolveLive, { kind: 'stop' }, { kind: 'start' }]);
    expect(state.phase).toEqual({ kind: 'restarting', attempt: 1 });
    expect(run([{ kind: 'closed', attempt: 1 }], state)).toEqual(starting(2));
  });
});

describe('a failure', () => {
  it('plans a retry, twice as late each time, up to the cap', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((times) => {
      const events = Array.from({ length: times }, (_, index): readonly MachineEvent[] => [
        index === 0 ? { kind: 'start' } : { kind: 'retry-due' },
        createFailure(index + 1),
      ]).flat();
      return run(events).state.phase;
    });
    expect(delays).toEqual([50, 100, 200, 400, 500, 500].map((delayMs) => waiting(delayMs)));
  });

  it('caused by a missing dependency is followed by checks, half as often after each early start', () => {
    const looks: unknown[] = [];
    let { state } = run([{ kind: 'start' }]);
    for (const attempt of [1, 2, 3]) {
      state = run([createFailure(attempt, true)], state).state;
      looks.push(state.phase);
      state = run([{ kind: 'appeared' }], state).state;
    }
    expect(looks).toEqual([waiting(50, 40), waiting(100, 80), waiting(200, 160)]);
    const { state: calm } = run(
      [{ kind: 'connected', attempt: 4 }, { kind: 'stable', attempt: 4 }, createFailure(4, true)],
      state,
    );
    expect(calm.phase).toEqual(waiting(50, 40));
  });

  const failure = { reason: 'no', code: 'auth-required' as const };

  it('with a 401 to the credentials of the definition plans a retry', () => {
    const refused: MachineEvent = { kind: 'unauthorized', attempt: 1, failure };
    const { state, actions } = run([{ kind: 'start' }, refused]);
    expect(actions).toEqual(['close', 'plan-retry']);
    const phase = { kind: 'auth-required', ...failure, delayMs: 50 };
    expect(state).toMatchObject({ phase, failures: 1 });
    expect(run([{ kind: 'retry-due' }], state).actions).toEqual(['open']);
  });

  it('with a 401 that requires a sign-in plans nothing', () => {
    const refused: MachineEvent = { kind: 'sign-in-required', attempt: 1, failure };
    const phase = { kind: 'auth-required', ...failure };
    expect(run([{ kind: 'start' }, refused])).toEqual({
      state: { phase, attempts: 1, failures: 0, earlyStarts: 0 },
      actions: ['close'],
    });
  });

  it('of an earlier attempt changes nothing', () => {
    const { state } = run([{ kind: 'start' }, createFailure(1), { kind: 'retry-due' }]);
    expect(computeTransition(state, createFailure(1), world)).toEqual({ state, actions: [] });
  });

  it('of a stable connection is the first one again', () => {
    const phase = { kind: 'live', attempt: 5 } as const;
    const before: MachineState = { phase, attempts: 5, failures: 4, earlyStarts: 1 };
    expect(run([createFailure(5)], before).state.failures).toBe(5);
    expect(run([{ kind: 'stable', attempt: 5 }, createFailure(5)], before).state.failures).toBe(1);
  });
});

const attempts = fc.integer({ min: 1, max: 6 });
const withAttempt = <K extends string>(...kinds: readonly K[]) =>
  fc.record({ kind: fc.constantFrom(...kinds), attempt: attempts });
const refusal = { reason: 'sign in', code: 'auth-required' as const };
const anyEvent: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc
    .constantFrom('start', 'stop', 'restart', 'redefined', 'retry-due', 'appeared')
    .map((kind): MachineEvent => ({ kind })),
  withAttempt('connected', 'stable', 'closed'),
  fc.tuple(attempts, fc.boolean()).map(([attempt, missing]) => createFailure(attempt, missing)),
  withAttempt('unauthorized', 'sign-in-required').map((event) => ({ ...event, failure: refusal })),
);
const anyEvents = fc.array(anyEvent, { maxLength: 40 });
/** The phases without a running attempt. */
const RESTING: ReadonlySet<PhaseKind> = new Set(['stopped', 'waiting', 'auth-required']);

describe('any course of events', () => {
  it('opens each attempt once, in order, never beside another one, and can be stopped', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        let state = INITIAL_STATE;
        let opened = 0;
        for (const event of [...events, { kind: 'stop' } as const]) {
          const next = computeTransition(state, event, world);
          if (next.actions.includes('open')) {
            opened += 1;
            expect(next.state.phase).toEqual({ kind: 'starting', attempt: opened });
            const { kind } = state.phase;
            expect(RESTING.has(kind) || (kind === 'restarting' && event.kind === 'closed')).toBe(
              true,
            );
          }
          state = next.state;
        }
        expect(state.attempts).toBe(opened);
        const { state: end } = run([{ kind: 'closed', attempt: state.attempts }], state);
        expect(end.phase).toEqual({ kind: 'stopped' });
      }),
    );
  });

  it('leaves a stopped server stopped until it is started', () => {
    fc.assert(
      fc.property(anyEvents, anyEvents, (before, after) => {
        const stop: MachineEvent = { kind: 'stop' };
        const unasked = after.filter(({ kind }) => kind !== 'start' && kind !== 'restart');
        const { kind } = run([...before, stop, ...unasked]).state.phase;
        expect(['stopped', 'stopping']).toContain(kind);
        const asked = run([...before, stop, ...unasked, { kind: 'start' }]).state.phase.kind;
        expect(['starting', 'restarting']).toContain(asked);
      }),
    );
  });

  it('bounds every delay by the cap', () => {
    fc.assert(
      fc.property(anyEvents, fc.double({ min: 0, max: 0.999, noNaN: true }), (events, random) => {
        let state = INITIAL_STATE;
        for (const event of events) {
          ({ state } = computeTransition(state, event, { ...world, random }));
          if (state.phase.kind !== 'waiting') continue;
          expect(state.phase.delayMs).toBeGreaterThanOrEqual(50);
          expect(state.phase.delayMs).toBeLessThanOrEqual(1_000);
          expect(state.phase.checkMs ?? 40).toBeLessThanOrEqual(1_000);
        }
      }),
    );
  });
});

const requirement = defineRequirements(requirements);

/** The states that are shown for all phases, in the order of the table. */
const statesOf = (type: 'stdio' | 'streamable-http' | 'sse'): string =>
  (Object.keys(TRANSITIONS['by-itself']) as PhaseKind[])
    .map((phase) => `${phase}: ${toStatusState(type, phase)}`)
    .join(', ');

requirement('2.6/state-stdio', () => {
  it('shows four states of a stdio server', () => {
    expect(statesOf('stdio')).toBe(
      'stopped: Stopped, starting: Starting, live: Running, waiting: Failed, auth-required: Failed, stopping: Stopped, restarting: Starting',
    );
  });
});

requirement('2.6/state-remote', () => {
  it.each(['streamable-http', 'sse'] as const)('shows five states of type %s', (type) => {
    expect(statesOf(type)).toBe(
      'stopped: Disconnected, starting: Connecting, live: Connected, waiting: Failed, auth-required: Auth Required, stopping: Disconnected, restarting: Connecting',
    );
  });
});

it('distinguishes the first attempt, and those after a failure, from requested starts', () => {
  const phase = { kind: 'starting', attempt: 1 } as const;
  const wait = { kind: 'waiting', code: 'other', reason: 'r', delayMs: 500 } as const;
  expect(isTrying({ phase, failures: 0 }, false)).toBe(true);
  expect(isTrying({ phase, failures: 1 }, true)).toBe(true);
  expect(isTrying({ phase, failures: 0 }, true)).toBe(false);
  expect(isTrying({ phase: wait, failures: 1 }, false)).toBe(false);
  expect(isTrying({ phase: { ...wait, isHalfTried: true }, failures: 1 }, false)).toBe(true);
});
