import { expect, it } from 'vitest';
import { explainStatus } from '../../src/pages/agents/agent-status.tsx';

type Status = Parameters<typeof explainStatus>[0];

const STATUS: Status = {
  verdict: 'progressing',
  agent: { exists: false, ready: null, accepted: null, conditions: [] },
  helmRelease: {
    exists: true,
    ready: null,
    suspended: false,
    gitOpsOwned: false,
    deleting: false,
    conditions: [],
    history: [],
  },
};

it('says of a release that nothing installs that it stays so without a cluster', () => {
  expect(explainStatus(STATUS)).toMatch(/Flux in the cluster has not installed it yet/);
  expect(explainStatus(STATUS)).toMatch(/as in the example, there is no cluster/);
});

it('says of a release that is being installed what is missing', () => {
  const helmRelease = { ...STATUS.helmRelease, ready: true };
  const text = explainStatus({ ...STATUS, helmRelease });
  expect(text).toMatch(/ready when its pods run/);
  expect(text).not.toMatch(/example/);
});

it('explains what is not known', () => {
  expect(explainStatus({ ...STATUS, verdict: 'unknown' })).toMatch(/^Unknown: nothing reports/);
});

it('leaves other verdicts, and a release that is deleted, to the sentence of agent-manager', () => {
  expect(explainStatus({ ...STATUS, verdict: 'ready' })).toBe(undefined);
  expect(explainStatus({ ...STATUS, verdict: 'failed' })).toBe(undefined);
  const helmRelease = { ...STATUS.helmRelease, deleting: true };
  expect(explainStatus({ ...STATUS, helmRelease })).toBe(undefined);
});
