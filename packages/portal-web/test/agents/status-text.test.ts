import { expect, it } from 'vitest';
import { explainStatus } from '../../src/pages/agents/agent-status.tsx';

type Status = Parameters<typeof explainStatus>[0];

const RELEASE = { exists: true, ready: null, suspended: false, gitOpsOwned: false };
const status = (more: object = {}, release: object = {}): Status => ({
  verdict: 'progressing',
  agent: { exists: false, ready: null, accepted: null, conditions: [] },
  helmRelease: { ...RELEASE, deleting: false, conditions: [], history: [], ...release },
  ...more,
});

it('says of a release that nothing installs that it stays so without a cluster', () => {
  const text = explainStatus(status());
  expect(text).toMatch(/Flux in the cluster has not installed it yet/);
  expect(text).toMatch(/as in the example, there is no cluster/);
});

it('says of a release that is being installed what is missing', () => {
  const text = explainStatus(status({}, { ready: true }));
  expect(text).toMatch(/ready when its pods run/);
  expect(text).not.toMatch(/example/);
});

it('explains what is not known', () => {
  expect(explainStatus(status({ verdict: 'unknown' }))).toMatch(/^Nothing reports/);
});

it.each([
  status({ verdict: 'ready' }),
  status({ verdict: 'failed' }),
  status({}, { deleting: true }),
])(
  'leaves other verdicts, and a release that is deleted, to the sentence of agent-manager: %#',
  (given) => {
    expect(explainStatus(given)).toBe(undefined);
  },
);
