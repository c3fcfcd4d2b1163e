import { expect, it } from 'vitest';
import { requirementsOf } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import type { PhaseKind } from '../src/supervision/machine/phase.ts';
import { statusState } from '../src/supervision/machine/phase-table.ts';

const requirement = requirementsOf(requirements);
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
    expect(phases.map((phase) => statusState('stdio', phase))).toEqual([
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
      expect(phases.map((phase) => statusState(type, phase))).toEqual([
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
