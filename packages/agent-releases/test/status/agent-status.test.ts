import { OPERATIONS } from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeAgentStatus } from '../../src/status/agent-status.ts';
import { agent, condition, deployment, event, objects, READY, release } from './samples.ts';

const NAME = { namespace: 'default', name: 'sre' };
const compute = (given: Parameters<typeof objects>[0]) => computeAgentStatus(NAME, objects(given));
const ABSENT = { exists: false, ready: null, conditions: [] };
const AT = '2026-11-21T10:00:00Z';

describe('a status', () => {
  it('shows nothing of absent objects', () => {
    const flags = { suspended: false, gitOpsOwned: false, deleting: false };
    const replicas = { replicas: 0, readyReplicas: 0, availableReplicas: 0 };
    expect(compute({})).toEqual({
      ...NAME,
      verdict: 'unknown',
      summary: 'there is neither an Agent nor a HelmRelease',
      agent: { ...ABSENT, accepted: null },
      helmRelease: { ...ABSENT, ...flags, history: [] },
      deployment: { exists: false, ...replicas, conditions: [] },
      pods: [],
      events: [],
    });
  });

  it('shows the conditions of the Agent', () => {
    const refused = condition('Accepted', 'False', { reason: 'Invalid' });
    const conditions = [refused, { type: 'Ready', status: 'True' }];
    expect(compute({ agent: agent(refused, READY) }).agent).toEqual({
      ...{ exists: true, ready: true, accepted: false, conditions },
    });
  });

  it('shows the last five installations of the release, and its owner', () => {
    const installation = (version: number) => ({
      ...{ version, chartVersion: `0.6.${version}`, status: 'deployed', lastDeployed: AT },
    });
    const versions = [6, 5, 4, 3, 2, 1].map(installation);
    const history = versions.map((version) => ({ ...version, digest: 'sha256:0' }));
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'flux-system' };
    const given = {
      ...release(),
      metadata: { ...NAME, labels },
      spec: { suspend: true },
      status: { history, lastAttemptedRevision: '0.6.6', conditions: [READY] },
    };
    expect(compute({ release: given }).helmRelease).toMatchObject({
      exists: true,
      ready: true,
      suspended: true,
      gitOpsOwned: true,
      deleting: false,
      lastAttemptedRevision: '0.6.6',
    });
    expect(compute({ release: given }).helmRelease.history).toEqual(versions.slice(0, 5));
  });

  it('shows the desired number of pods: one for a Deployment without a number', () => {
    const replicas = { replicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const shown = compute({ deployment: { ...deployment(1, 1), spec: {} } }).deployment;
    expect(shown).toEqual({ exists: true, ...replicas, conditions: [] });
  });

  it('shows pods with their containers, those of the init phase first', () => {
    const completed = { terminated: { reason: 'Completed' } };
    const given = {
      metadata: { name: 'sre-0', namespace: 'default' },
      status: {
        phase: 'Running',
        conditions: [READY],
        initContainerStatuses: [{ name: 'skills', restartCount: 1, state: completed }],
        containerStatuses: [
          { name: 'agent', restartCount: 2, state: { running: { startedAt: 'now' } } },
          { name: 'other', state: {} },
        ],
      },
    };
    const containers = [
      { name: 'skills', state: 'terminated', reason: 'Completed', init: true },
      { name: 'agent', state: 'running' },
      { name: 'other', state: 'unknown' },
    ];
    expect(compute({ pods: [given] }).pods).toEqual([
      { name: 'sre-0', phase: 'Running', ready: true, restarts: 3, containers },
    ]);
  });

  it('shows the last ten events, the newest first, of either kind, those without a time last', () => {
    const at = (minute: string) => ({
      ...event('Normal', minute, 'm'),
      lastTimestamp: `2026-11-21T10:${minute}:00Z`,
    });
    const lastTimestamp = '2026-11-21T10:59:00.000000Z';
    const series = {
      metadata: { name: 'x', namespace: 'default' },
      type: 'Warning',
      reason: 'BackOff',
      note: 'again',
      regarding: { kind: 'Pod', name: 'sre-0' },
      eventTime: '2026-11-21T09:00:00.000000Z',
      series: { count: 7, lastObservedTime: lastTimestamp },
    } as never;
    const timeless = { ...event('Normal', 'Timeless', 'm'), lastTimestamp: 'yesterday' };
    const reasons = (...events: ReturnType<typeof event>[]) =>
      compute({ events }).events.map(({ reason }) => reason);
    const minutes = ['03', '11', '07', '01', '05', '02', '09', '10', '04', '08', '06'].map(at);
    expect(reasons(...minutes, series)).toEqual([
      ...['BackOff', '11', '10', '09', '08', '07', '06', '05', '04', '03'],
    ]);
    const shown = { type: 'Warning', reason: 'BackOff', message: 'again', object: 'Pod/sre-0' };
    expect(compute({ events: [series] }).events).toEqual([{ ...shown, count: 7, lastTimestamp }]);
    expect(reasons(timeless, event('Normal', 'Timed', 'm'))).toEqual(['Timed', 'Timeless']);
  });
});

describe('objects of any shape', () => {
  const KEYS = [
    'metadata', 'spec', 'status', 'conditions', 'history', 'state', 'waiting', 'labels', 'series',
    'containerStatuses', 'involvedObject', 'name', 'type', 'reason', 'message', 'replicas',
  ]; // prettier-ignore
  const { shape } = fc.letrec<{ shape: unknown }>((tie) => ({
    shape: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom<unknown>('True', 'False', 'Ready', 'Warning', 'BackOff', '', null, -1, 1e300),
      fc.array(tie('shape'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string()), tie('shape'), { maxKeys: 6 }),
    ),
  }));
  const anything = shape as fc.Arbitrary<never>;
  const optional = fc.option(anything, { nil: undefined });
  const several = fc.array(anything, { maxLength: 3 });
  const workload = fc.record({ deployment: optional, pods: several, events: several });
  const world = fc.record({ release: optional, agent: optional, workload });

  it('never throws, and always returns a status by the schema of the operation', () => {
    fc.assert(
      fc.property(world, (given) => {
        const status = computeAgentStatus(NAME, given);
        expect(OPERATIONS.get_agent_status.output.parse(status)).toEqual(status);
        expect(JSON.parse(JSON.stringify(status))).toEqual(status);
      }),
      { numRuns: 150 },
    );
  });
});
