import { expect, it } from 'vitest';
import { requirementsOf } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import type { PhaseKind } from '../src/supervision/machine/phase.ts';
import { stateWord } from '../src/supervision/machine/server-state.ts';

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
  it('knows four words for a stdio server', () => {
    expect(phases.map((phase) => stateWord('stdio', phase))).toEqual([
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
  it.each(['streamable-http', 'sse'] as const)('knows five words for a server of %s', (type) => {
    expect(phases.map((phase) => stateWord(type, phase))).toEqual([
      'Disconnected',
      'Connecting',
      'Connected',
      'Failed',
      'Auth Required',
      'Disconnected',
      'Connecting',
    ]);
  });
});
