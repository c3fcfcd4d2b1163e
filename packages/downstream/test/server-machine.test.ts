import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_STATE, transition } from '../src/supervision/server-machine.ts';
import type {
  MachineAction,
  MachineEvent,
  MachineState,
} from '../src/supervision/server-machine.ts';

const world = {
  now: 1_000,
  random: 0,
  backoff: { initialMs: 100, maxMs: 1_000, stableAfterMs: 500 },
};

const failedEvent = (attempt: number, authRequired = false): MachineEvent => ({
  kind: 'failed',
  attempt,
  failure: { reason: 'gone', authRequired },
});

const run = (
  events: readonly MachineEvent[],
  from: MachineState = INITIAL_STATE,
): { state: MachineState; actions: readonly MachineAction[] } => {
  let state = from;
  let actions: readonly MachineAction[] = [];
  for (const event of events) {
    const next = transition(state, event, world);
    state = next.state;
    actions = next.actions;
  }
  return { state, actions };
};

const live: readonly MachineEvent[] = [{ kind: 'start' }, { kind: 'connected', attempt: 1 }];

describe('a start', () => {
  it('opens the first attempt', () => {
    expect(run([{ kind: 'start' }])).toEqual({
      state: { phase: { kind: 'starting', attempt: 1 }, attempts: 1, failures: 0 },
      actions: [{ kind: 'open', attempt: 1 }],
    });
  });

  it('changes nothing for a live server', () => {
    expect(run([...live, { kind: 'start' }]).actions).toEqual([]);
  });

  it('overtakes a planned retry', () => {
    const { state, actions } = run([{ kind: 'start' }, failedEvent(1), { kind: 'start' }]);
    expect(actions).toEqual([{ kind: 'cancel-retry' }, { kind: 'open', attempt: 2 }]);
    expect(state.failures).toBe(0);
  });

  it('during a stop waits for its end', () => {
    const { state } = run([...live, { kind: 'stop' }, { kind: 'start' }]);
    expect(state.phase).toEqual({ kind: 'restarting', attempt: 1 });
    expect(run([{ kind: 'closed', attempt: 1 }], state).actions).toEqual([
      { kind: 'open', attempt: 2 },
    ]);
  });
});

describe('a failure', () => {
  it('plans a retry, twice as late each time, up to the cap', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((times) => {
      const events = Array.from({ length: times }, (_, index): readonly MachineEvent[] => [
        index === 0 ? { kind: 'start' } : { kind: 'retry-due' },
        failedEvent(index + 1),
      ]).flat();
      return run(events).actions;
    });
    expect(delays).toEqual(
      [50, 100, 200, 400, 500, 500].map((delayMs) => [{ kind: 'schedule-retry', delayMs }]),
    );
  });

  it('with a 401 plans none', () => {
    expect(run([{ kind: 'start' }, failedEvent(1, true)])).toEqual({
      state: { phase: { kind: 'auth-required', reason: 'gone' }, attempts: 1, failures: 0 },
      actions: [],
    });
  });

  it('of an earlier attempt changes nothing', () => {
    const { state } = run([{ kind: 'start' }, failedEvent(1), { kind: 'retry-due' }]);
    expect(transition(state, failedEvent(1), world)).toEqual({ state, actions: [] });
  });

  it('after a stable time counts from one again', () => {
    const before: MachineState = {
      phase: { kind: 'live', attempt: 5, since: 500 },
      attempts: 5,
      failures: 4,
    };
    expect(transition(before, failedEvent(5), world).state.failures).toBe(1);
    const brief: MachineState = { ...before, phase: { kind: 'live', attempt: 5, since: 501 } };
    expect(transition(brief, failedEvent(5), world).state.failures).toBe(5);
  });
});

describe('a stop', () => {
  it('closes a live server and rests once it is closed', () => {
    const stopping = run([...live, { kind: 'stop' }]);
    expect(stopping.actions).toEqual([{ kind: 'close', attempt: 1 }]);
    expect(run([{ kind: 'closed', attempt: 1 }], stopping.state).state.phase).toEqual({
      kind: 'stopped',
    });
  });

  it('ends the retries', () => {
    const stopped = run([{ kind: 'start' }, failedEvent(1), { kind: 'stop' }]);
    expect(stopped.actions).toEqual([{ kind: 'cancel-retry' }]);
    expect(run([{ kind: 'retry-due' }], stopped.state).state.phase).toEqual({ kind: 'stopped' });
  });
});

const anyEvent: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc.constantFrom<MachineEvent>(
    { kind: 'start' },
    { kind: 'stop' },
    { kind: 'restart' },
    { kind: 'retry-due' },
  ),
  fc.integer({ min: 1, max: 6 }).map((attempt): MachineEvent => ({ kind: 'connected', attempt })),
  fc.integer({ min: 1, max: 6 }).map((attempt): MachineEvent => ({ kind: 'closed', attempt })),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.boolean())
    .map(([attempt, authRequired]) => failedEvent(attempt, authRequired)),
);

describe('any course of events', () => {
  it('opens each attempt once, in order, and ends stopped after a stop and its end', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        let state = INITIAL_STATE;
        const opened: number[] = [];
        for (const event of [...events, { kind: 'stop' } as const]) {
          const next = transition(state, event, world);
          state = next.state;
          for (const action of next.actions)
            if (action.kind === 'open') opened.push(action.attempt);
        }
        expect(opened).toEqual(opened.map((_, index) => index + 1));
        const { state: end } = run([{ kind: 'closed', attempt: state.attempts }], state);
        expect(end.phase).toEqual({ kind: 'stopped' });
      }),
    );
  });
});
