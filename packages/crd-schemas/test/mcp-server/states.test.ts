import { defineRequirements } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { REMOTE_STATES, STDIO_STATES } from '../../src/index.ts';

const requirement = defineRequirements(requirements);

requirement('2.6/stdio-states', () => {
  it('are Running, Starting, Stopped and Failed', () => {
    expect(STDIO_STATES).toEqual(['Running', 'Starting', 'Stopped', 'Failed']);
  });
});

requirement('2.6/remote-states', () => {
  it('are Connected, Auth Required, Connecting, Disconnected and Failed', () => {
    expect(REMOTE_STATES).toEqual([
      'Connected',
      'Auth Required',
      'Connecting',
      'Disconnected',
      'Failed',
    ]);
  });
});
