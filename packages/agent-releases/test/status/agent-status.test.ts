import { OPERATIONS } from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeAgentStatus } from '../../src/status/agent-status.ts';
import { agent, condition, deployment, event, objects, READY, release } from './samples.ts';

const NAME = { namespace: 'default', name: 'sre' };

describe('a status', () => {
  it('shows nothing of absent objects', () => {
    expect(computeAgentStatus(NAME, objects({}))).toEqual({
      name: 'sre',
      namespace: 'default',
      verdict: 'unknown',
      summary: 'there is neither an Agent nor a HelmRelease',
      agent: { exists: false, ready: null, accepted: null, conditions: [] },
      helmRelease: {
        exists: false,
        ready: null,
        suspended: false,
        gitOpsOwned: false,
        deleting: false,
        conditions: [],
        history: [],
      },
      deployment: {
        exists: false,
        replicas: 0,
        readyReplicas: 0,
        availableReplicas: 0,
        conditions: [],
      },
      pods: [],
      events: [],
    });
  });

  it('shows the conditions of the Agent', () => {
    const given = agent(condition('Accepted', 'False', { reason: 'Invalid' }), READY);
    expect(computeAgentStatus(NAME, objects({ agent: given })).agent).toEqual({
      exists: true,
      ready: true,
      accepted: false,
      conditions: [
        { type: 'Accepted', status: 'False', reason: 'Invalid' },
        { type: 'Ready', status: 'True' },
      ],
    });
  });

  it('shows the last five installations of the release, and its owner', () => {
    const history = [6, 5, 4, 3, 2, 1].map((version) => ({
      version,
      chartVersion: `0.6.${version}`,
      status: 'deployed',
      lastDeployed: '2026-11-21T10:00:00Z',
      digest: 'sha256:0',
    }));
    const given = {
      ...release(),
      metadata: { ...NAME, labels: { 'kustomize.toolkit.fluxcd.io/name': 'flux-system' } },
      spec: { suspend: true },
      status: { history, lastAttemptedRevision: '0.6.6', conditions: [READY] },
    };
    const shown = computeAgentStatus(NAME, objects({ release: given })).helmRelease;
    expect(shown).toMatchObject({
      exists: true,
      ready: true,
      suspended: true,
      gitOpsOwned: true,
      deleting: false,
      lastAttemptedRevision: '0.6.6',
    });
    expect(shown.history.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2]);
    expect(shown.history[0]).toEqual({
      version: 6,
      chartVersion: '0.6.6',
      status: 'deployed',
      lastDeployed: '2026-11-21T10:00:00Z',
    });
  });

  it('shows the desired number of pods: one for a Deployment without a number', () => {
    const silent = { ...deployment(1, 1), spec: {} };
    expect(computeAgentStatus(NAME, objects({ deployment: silent })).deployment).toEqual({
      exists: true,
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      conditions: [],
    });
  });

  it('shows pods with their containers, those of the init phase first', () => {
    const given = {
      metadata: { name: 'sre-0', namespace: 'default' },
      status: {
        phase: 'Running',
        conditions: [READY],
        initContainerStatuses: [
          { name: 'skills', restartCount: 1, state: { terminated: { reason: 'Completed' } } },
        ],
        containerStatuses: [
          { name: 'agent', restartCount: 2, state: { running: { startedAt: 'now' } } },
          { name: 'other', state: {} },
        ],
      },
    };
    expect(computeAgentStatus(NAME, objects({ pods: [given] })).pods).toEqual([
      {
        name: 'sre-0',
        phase: 'Running',
        ready: true,
        restarts: 3,
        containers: [
          { name: 'skills', state: 'terminated', reason: 'Completed', init: true },
          { name: 'agent', state: 'running' },
          { name: 'other', state: 'unknown' },
        ],
      },
    ]);
  });

  it('shows the last ten events, the newest first, of either kind', () => {
    const at = (minute: string) => ({
      ...event('Normal', minute, 'm'),
      lastTimestamp: `2026-11-21T10:${minute}:00Z`,
    });
    const minutes = ['03', '11', '07', '01', '05', '02', '09', '10', '04', '08', '06'];
    const series = {
      metadata: { name: 'x', namespace: 'default' },
      type: 'Warning',
      reason: 'BackOff',
      note: 'again',
      regarding: { kind: 'Pod', name: 'sre-0' },
      eventTime: '2026-11-21T09:00:00.000000Z',
      series: { count: 7, lastObservedTime: '2026-11-21T10:59:00.000000Z' },
    } as never;
    const shown = computeAgentStatus(
      NAME,
      objects({ events: [...minutes.map(at), series] }),
    ).events;
    expect(shown[0]).toEqual({
      type: 'Warning',
      reason: 'BackOff',
      message: 'again',
      object: 'Pod/sre-0',
      count: 7,
      lastTimestamp: '2026-11-21T10:59:00.000000Z',
    });
    expect(shown.slice(1).map(({ reason }) => reason)).toEqual([
      '11',
      '10',
      '09',
      '08',
      '07',
      '06',
      '05',
      '04',
      '03',
    ]);
  });

  it('puts events without a time last', () => {
    const timeless = { ...event('Normal', 'Timeless', 'm'), lastTimestamp: 'yesterday' };
    const events = [timeless, event('Normal', 'Timed', 'm')];
    expect(
      computeAgentStatus(NAME, objects({ events })).events.map(({ reason }) => reason),
    ).toEqual(['Timed', 'Timeless']);
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
  const workload = fc.record({
    deployment: fc.option(anything, { nil: undefined }),
    pods: fc.array(anything, { maxLength: 3 }),
    events: fc.array(anything, { maxLength: 3 }),
  });

  it('never throws, and always returns a status by the schema of the operation', () => {
    fc.assert(
      fc.property(
        fc.option(anything, { nil: undefined }),
        fc.option(anything, { nil: undefined }),
        workload,
        (given, resource, running) => {
          const status = computeAgentStatus(NAME, {
            release: given,
            agent: resource,
            workload: running,
          });
          expect(OPERATIONS.get_agent_status.output.parse(status)).toEqual(status);
          expect(JSON.parse(JSON.stringify(status))).toEqual(status);
        },
      ),
      { numRuns: 150 },
    );
  });
});
