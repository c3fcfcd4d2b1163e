import { describe, expect, it } from 'vitest';
import { computeAgentStatus, type StatusObjects } from '../../src/status/agent-status.ts';
import { agent, condition, deployment, event, objects, pod, READY, release } from './samples.ts';

const NAME = { namespace: 'default', name: 'sre' };

const computeVerdict = (given: StatusObjects): readonly [string, string] => {
  const { verdict, summary } = computeAgentStatus(NAME, given);
  return [verdict, summary];
};

const running = { agent: agent(READY), deployment: deployment(1, 1) };
const crashing = pod({
  waiting: {
    reason: 'CrashLoopBackOff',
    message: 'back-off 40s restarting failed container\nwith a second line',
  },
});
const rejecting = condition('Accepted', 'False', { message: 'no such model' });
const failedRelease = release(
  condition('Ready', 'False', { reason: 'InstallFailed', message: 'no chart' }),
);
const leaving = (given: object): never =>
  ({ ...given, metadata: { ...NAME, deletionTimestamp: '2026-11-21T10:00:00Z' } }) as never;

describe('the rules of the verdict', () => {
  it('is progressing while the release is being deleted', () => {
    expect(computeVerdict(objects({ ...running, release: leaving(release(READY)) }))).toEqual([
      'progressing',
      'HelmRelease is being deleted',
    ]);
  });

  it('is failed when the release is not ready, with its reason and message', () => {
    expect(computeVerdict(objects({ release: failedRelease }))).toEqual([
      'failed',
      'HelmRelease is not ready (InstallFailed): no chart',
    ]);
  });

  it('omits absent details of a release that is not ready', () => {
    expect(computeVerdict(objects({ release: release(condition('Ready', 'False')) }))).toEqual([
      'failed',
      'HelmRelease is not ready',
    ]);
  });

  it('is not failed while the release has no ready condition', () => {
    expect(
      computeVerdict(
        objects({ release: release(condition('Ready', 'Unknown', { message: 'x' })) }),
      ),
    ).toEqual(['progressing', 'HelmRelease created; Flux has not reconciled it yet']);
  });

  it('is failed when a container waits for nothing, with the first line of why', () => {
    expect(
      computeVerdict(objects({ ...running, release: release(READY), pods: [crashing] })),
    ).toEqual([
      'failed',
      'pod sre-0 container agent is CrashLoopBackOff: back-off 40s restarting failed container',
    ]);
  });

  it.each(['ImagePullBackOff', 'ErrImagePull', 'CreateContainerConfigError', 'OOMKilled', 'Error'])(
    'is failed when a container is %s',
    (reason) => {
      const state = reason === 'Error' ? { terminated: { reason } } : { waiting: { reason } };
      expect(computeVerdict(objects({ ...running, pods: [pod(state)] }))).toEqual([
        'failed',
        `pod sre-0 container agent is ${reason}`,
      ]);
    },
  );

  it.each([
    { waiting: { reason: 'ContainerCreating' } },
    { waiting: { reason: 'PodInitializing' } },
    { terminated: { reason: 'Completed' } },
    { running: {} },
  ])('is not failed with a container that is %o', (state) => {
    expect(computeVerdict(objects({ ...running, pods: [pod(state)] }))).toEqual([
      'ready',
      'Agent is Ready; 1/1 pods available',
    ]);
  });

  it('is failed when the runtime does not accept the Agent', () => {
    expect(
      computeVerdict(objects({ release: release(READY), agent: agent(rejecting, READY) })),
    ).toEqual(['failed', 'the runtime rejected the Agent configuration: no such model']);
  });

  it('is not failed when the runtime accepts it', () => {
    expect(computeVerdict(objects({ agent: agent(condition('Accepted', 'True'), READY) }))).toEqual(
      ['ready', 'Agent is Ready'],
    );
  });

  it.each([
    [deployment(1, 1), 'Agent is Ready; 1/1 pods available'],
    [deployment(3, 1), 'Agent is Ready; 1/3 pods available'],
    [deployment(0, 0), 'Agent is Ready; 0/0 pods available'],
    [undefined, 'Agent is Ready'],
  ])('is ready when the Agent is, with pods or with none desired (%#)', (given, summary) => {
    expect(computeVerdict(objects({ agent: agent(READY), deployment: given }))).toEqual([
      'ready',
      summary,
    ]);
  });

  it('is progressing when pods are desired and none is available', () => {
    expect(computeVerdict(objects({ agent: agent(READY), deployment: deployment(2, 0) }))).toEqual([
      'progressing',
      'waiting for pods; 0/2 pods available',
    ]);
  });

  it.each(['FailedScheduling', 'Failed', 'BackOff'])(
    'is progressing with a warning %s, and shows its first line',
    (reason) => {
      const events = [event('Warning', reason, 'no node\nat all')];
      expect(computeVerdict(objects({ release: release(READY), events }))).toEqual([
        'progressing',
        `Pod/sre-0 ${reason}: no node`,
      ]);
    },
  );

  it.each([
    ['Warning', 'Unhealthy'],
    ['Normal', 'FailedOver'],
  ])('passes over events of type %s and reason %s', (type, reason) => {
    const events = [event(type, reason, 'x')];
    expect(computeVerdict(objects({ release: release(READY), events }))).toEqual([
      'progressing',
      'HelmRelease is ready; the Agent is not there yet',
    ]);
  });

  it('is progressing until Flux has reconciled the release, as in a directory for ever', () => {
    expect(computeVerdict(objects({ release: release() }))).toEqual([
      'progressing',
      'HelmRelease created; Flux has not reconciled it yet',
    ]);
  });

  it('is progressing while the Agent is not there', () => {
    expect(computeVerdict(objects({ release: release(READY) }))).toEqual([
      'progressing',
      'HelmRelease is ready; the Agent is not there yet',
    ]);
  });

  it('is progressing while the runtime reports nothing about the Agent', () => {
    expect(computeVerdict(objects({ release: release(READY), agent: agent() }))).toEqual([
      'progressing',
      'Agent is there; the runtime has not reported it ready yet',
    ]);
  });

  it('is unknown when the Agent is not ready without a known reason', () => {
    const given = agent(condition('Ready', 'False', { reason: 'Unreachable', message: 'gone' }));
    expect(computeVerdict(objects({ release: release(READY), agent: given }))).toEqual([
      'unknown',
      'Agent is not Ready (Unreachable): gone',
    ]);
  });

  it('is unknown without any object', () => {
    expect(computeVerdict(objects({}))).toEqual([
      'unknown',
      'there is neither an Agent nor a HelmRelease',
    ]);
  });
});

describe('the order of the rules', () => {
  const warning = event('Warning', 'BackOff', 'pulling');

  it.each<readonly [string, StatusObjects, string]>([
    [
      'a deletion before a release that is not ready',
      objects({ release: leaving(failedRelease), pods: [crashing] }),
      'HelmRelease is being deleted',
    ],
    [
      'a release that is not ready before a container',
      objects({ release: failedRelease, pods: [crashing], agent: agent(rejecting) }),
      'HelmRelease is not ready (InstallFailed): no chart',
    ],
    [
      'a container before a rejection',
      objects({ pods: [crashing], agent: agent(rejecting) }),
      'pod sre-0 container agent is CrashLoopBackOff: back-off 40s restarting failed container',
    ],
    [
      'a rejection before a ready Agent',
      objects({ ...running, agent: agent(rejecting, READY) }),
      'the runtime rejected the Agent configuration: no such model',
    ],
    [
      'a ready Agent before a warning and a release that is not reconciled',
      objects({ ...running, events: [warning], release: release() }),
      'Agent is Ready; 1/1 pods available',
    ],
    [
      'a warning before a release that is not reconciled',
      objects({ events: [warning], release: release() }),
      'Pod/sre-0 BackOff: pulling',
    ],
    [
      'a release that is not reconciled before an Agent without a ready condition',
      objects({ release: release(), agent: agent() }),
      'HelmRelease created; Flux has not reconciled it yet',
    ],
    [
      'an Agent without a ready condition before absent pods',
      objects({ agent: agent(), deployment: deployment(1, 0) }),
      'Agent is there; the runtime has not reported it ready yet',
    ],
    [
      'pods that are not there before an Agent that is not ready',
      objects({ agent: agent(condition('Ready', 'False')), deployment: deployment(1, 0) }),
      'waiting for pods; 0/1 pods available',
    ],
  ])('puts %s', (_order, given, summary) => {
    expect(computeAgentStatus(NAME, given).summary).toBe(summary);
  });
});
