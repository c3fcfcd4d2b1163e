import { expect, it } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import { isTrying, type PhaseKind, toStatusState } from '../src/connections/machine.ts';

const requirement = defineRequirements(requirements);
const phases: readonly PhaseKind[] = [
  'stopped',
  'starting',
  'live',
  'waiting',
  'auth-required',
  'stopping',
  'restarting',
];

requirement('2.6/state-stdio', () => {
  it('shows four states of a stdio server', () => {
    expect(phases.map((phase) => toStatusState('stdio', phase))).toEqual([
      'Stopped',
      'Starting',
      'Running',
      'Failed',
      'Failed',
      'Stopped',
      'Starting',
    ]);
  });
});

requirement('2.6/state-remote', () => {
  it.each(['streamable-http', 'sse'] as const)(
    'shows five states of a server of type %s',
    (type) => {
      expect(phases.map((phase) => toStatusState(type, phase))).toEqual([
        'Disconnected',
        'Connecting',
        'Connected',
        'Failed',
        'Auth Required',
        'Disconnected',
        'Connecting',
      ]);
    },
  );
});

it('distinguishes the first attempt, and those after a failure, from requested starts', () => {
  const starting = { kind: 'starting', attempt: 1 } as const;
  const waiting = { kind: 'waiting', code: 'other', reason: 'r', delayMs: 500 } as const;
  expect(isTrying({ phase: starting, failures: 0 }, false)).toBe(true);
  expect(isTrying({ phase: starting, failures: 1 }, true)).toBe(true);
  expect(isTrying({ phase: starting, failures: 0 }, true)).toBe(false);
  expect(isTrying({ phase: waiting, failures: 1 }, false)).toBe(false);
  expect(isTrying({ phase: { ...waiting, isHalfTried: true }, failures: 1 }, false)).toBe(true);
});
