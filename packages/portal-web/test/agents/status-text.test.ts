import { expect, it } from 'vitest';
import { statusText } from '../../src/pages/agents/status-text.ts';

type Status = Parameters<typeof statusText>[0];

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
  expect(statusText(STATUS)).toMatch(/Flux in the cluster has not installed it yet/);
  expect(statusText(STATUS)).toMatch(/as in the example, there is no cluster/);
});

it('says of a release that is being installed what is missing', () => {
  const helmRelease = { ...STATUS.helmRelease, ready: true };
  const text = statusText({ ...STATUS, helmRelease });
  expect(text).toMatch(/ready when its pods run/);
  expect(text).not.toMatch(/example/);
});

it('explains what is not known', () => {
  expect(statusText({ ...STATUS, verdict: 'unknown' })).toMatch(/^Unknown: nothing reports/);
});

it('leaves other verdicts, and a release that is deleted, to the sentence of agent-manager', () => {
  expect(statusText({ ...STATUS, verdict: 'ready' })).toBe(undefined);
  expect(statusText({ ...STATUS, verdict: 'failed' })).toBe(undefined);
  const helmRelease = { ...STATUS.helmRelease, deleting: true };
  expect(statusText({ ...STATUS, helmRelease })).toBe(undefined);
});
