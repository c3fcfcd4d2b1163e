import { expect, it } from 'vitest';
import { computeAgentStatus } from '../../src/status/agent-status.ts';
import { agent, condition, deployment, event, objects, pod, READY, release } from './samples.ts';

const NAME = { namespace: 'default', name: 'sre' };

const running = { agent: agent(READY), deployment: deployment(1, 1) };
const message = 'back-off 40s restarting failed container\nwith a second line';
const crashing = pod({ waiting: { reason: 'CrashLoopBackOff', message } });
const CRASHING =
  'pod sre-0 container agent is CrashLoopBackOff: back-off 40s restarting failed container';
const rejecting = condition('Accepted', 'False', { message: 'no such model' });
const failure = condition('Ready', 'False', { reason: 'InstallFailed', message: 'no chart' });
const unreachable = condition('Ready', 'False', { reason: 'Unreachable', message: 'gone' });
const unknown = condition('Ready', 'Unknown', { message: 'x' });
const deleting = (given: object): never =>
  ({ ...given, metadata: { ...NAME, deletionTimestamp: '2026-11-21T10:00:00Z' } }) as never;
const NEW = 'HelmRelease created; Flux has not reconciled it yet';
const RENDERING = 'HelmRelease is ready; the Agent is not there yet';
const warning = (reason: string) => [event('Warning', reason, 'no node\nat all')];

type Case = readonly [string, string, Parameters<typeof objects>[0]];

const FAILED: readonly Case[] = [
  [
    'the release is not ready',
    'HelmRelease is not ready (InstallFailed): no chart',
    { release: release(failure) },
  ],
  [
    'the release is not ready, without details',
    'HelmRelease is not ready',
    { release: release(condition('Ready', 'False')) },
  ],
  [
    'a container waits for nothing: with the first line of the reason',
    CRASHING,
    { ...running, release: release(READY), pods: [crashing] },
  ],
  [
    'a container ended with an error',
    'pod sre-0 container agent is Error',
    { ...running, pods: [pod({ terminated: { reason: 'Error' } })] },
  ],
  ...['ImagePullBackOff', 'ErrImagePull', 'CreateContainerConfigError', 'OOMKilled'].map(
    (reason): Case => [
      `a container is ${reason}`,
      `pod sre-0 container agent is ${reason}`,
      { ...running, pods: [pod({ waiting: { reason } })] },
    ],
  ),
  [
    'the runtime does not accept the Agent',
    'the runtime rejected the Agent configuration: no such model',
    { release: release(READY), agent: agent(rejecting, READY) },
  ],
];

const PROGRESSING: readonly Case[] = [
  [
    'the release is being deleted',
    'HelmRelease is being deleted',
    { ...running, release: deleting(release(READY)) },
  ],
  ['the release has no ready condition', NEW, { release: release(unknown) }],
  ['Flux has not reconciled the release', NEW, { release: release() }],
  [
    'pods are desired and none is available',
    'waiting for pods; 0/2 pods available',
    { agent: agent(READY), deployment: deployment(2, 0) },
  ],
  ...['FailedScheduling', 'Failed', 'BackOff'].map((reason): Case => [
    `there is a warning ${reason}: with its first line`,
    `Pod/sre-0 ${reason}: no node`,
    { release: release(READY), events: warning(reason) },
  ]),
  [
    'there is a warning of another reason',
    RENDERING,
    { release: release(READY), events: warning('Unhealthy') },
  ],
  [
    'there is an event that is no warning',
    RENDERING,
    { release: release(READY), events: [event('Normal', 'FailedOver', 'x')] },
  ],
  ['the Agent is not there', RENDERING, { release: release(READY) }],
  [
    'the runtime reports nothing about the Agent',
    'Agent is there; the runtime has not reported it ready yet',
    { release: release(READY), agent: agent() },
  ],
];

const OK: readonly Case[] = [
  ...[
    { waiting: { reason: 'ContainerCreating' } },
    { waiting: { reason: 'PodInitializing' } },
    { terminated: { reason: 'Completed' } },
    { running: {} },
  ].map((state): Case => [
    `a container is ${JSON.stringify(state)}`,
    'Agent is Ready; 1/1 pods available',
    { ...running, pods: [pod(state)] },
  ]),
  [
    'the runtime accepts the Agent',
    'Agent is Ready',
    { agent: agent(condition('Accepted', 'True'), READY) },
  ],
  ['all pods are available', 'Agent is Ready; 1/1 pods available', running],
  [
    'one of the pods is available',
    'Agent is Ready; 1/3 pods available',
    { ...running, deployment: deployment(3, 1) },
  ],
  [
    'no pod is desired',
    'Agent is Ready; 0/0 pods available',
    { ...running, deployment: deployment(0, 0) },
  ],
  ['there is no Deployment', 'Agent is Ready', { agent: agent(READY) }],
];

const UNKNOWN: readonly Case[] = [
  [
    'the Agent is not ready without a known reason',
    'Agent is not Ready (Unreachable): gone',
    { release: release(READY), agent: agent(unreachable) },
  ],
  ['there is no object', 'there is neither an Agent nor a HelmRelease', {}],
];

it.each([
  ...FAILED.map((row) => ['failed', ...row] as const),
  ...PROGRESSING.map((row) => ['progressing', ...row] as const),
  ...OK.map((row) => ['ready', ...row] as const),
  ...UNKNOWN.map((row) => ['unknown', ...row] as const),
])('the verdict is %s when %s', (verdict, _when, summary, given) => {
  expect(computeAgentStatus(NAME, objects(given))).toMatchObject({ verdict, summary });
});

const notReady = agent(condition('Ready', 'False'));

it.each<Case>([
  [
    'a deletion before a release that is not ready',
    'HelmRelease is being deleted',
    { release: deleting(release(failure)), pods: [crashing] },
  ],
  [
    'a release that is not ready before a container',
    'HelmRelease is not ready (InstallFailed): no chart',
    { release: release(failure), pods: [crashing], agent: agent(rejecting) },
  ],
  ['a container before a rejection', CRASHING, { pods: [crashing], agent: agent(rejecting) }],
  [
    'a rejection before a ready Agent',
    'the runtime rejected the Agent configuration: no such model',
    { ...running, agent: agent(rejecting, READY) },
  ],
  [
    'a ready Agent before a warning and a release that is not reconciled',
    'Agent is Ready; 1/1 pods available',
    { ...running, events: warning('BackOff'), release: release() },
  ],
  [
    'a warning before a release that is not reconciled',
    'Pod/sre-0 BackOff: no node',
    { events: warning('BackOff'), release: release() },
  ],
  [
    'a release that is not reconciled before an Agent without a ready condition',
    NEW,
    { release: release(), agent: agent() },
  ],
  [
    'an Agent without a ready condition before absent pods',
    'Agent is there; the runtime has not reported it ready yet',
    { agent: agent(), deployment: deployment(1, 0) },
  ],
  [
    'pods that are not there before an Agent that is not ready',
    'waiting for pods; 0/1 pods available',
    { agent: notReady, deployment: deployment(1, 0) },
  ],
])('the verdict puts %s', (_order, summary, given) => {
  expect(computeAgentStatus(NAME, objects(given)).summary).toBe(summary);
});
