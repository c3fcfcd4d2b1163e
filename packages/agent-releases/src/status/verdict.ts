import type { AgentStatus } from '@gateway/agent-manager-client';
import type { AgentCondition } from '../read/object-facts.ts';

/** The parts of a status from which its verdict is derived. */
export type StatusBlocks = Omit<AgentStatus, 'verdict' | 'summary' | 'name' | 'namespace'>;

/** The verdict of an agent and a sentence that explains it. */
export type Verdict = Pick<AgentStatus, 'verdict' | 'summary'>;

interface Rule {
  readonly verdict: AgentStatus['verdict'];
  /** Returns the sentence when the rule applies. */
  readonly summary: (blocks: StatusBlocks) => string | undefined;
}

/** The reasons of a container state from which the container does not recover without a change. */
const FATAL_REASONS: ReadonlySet<string> = new Set([
  'ContainerCannotRun',
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'DeadlineExceeded',
  'ErrImageNeverPull',
  'ErrImagePull',
  'Error',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'OOMKilled',
  'RegistryUnavailable',
  'RunContainerError',
  'StartError',
]);

const findCondition = (
  conditions: readonly AgentCondition[],
  type: string,
): AgentCondition | undefined => conditions.find((condition) => condition.type === type);

const takeFirstLine = (text: string): string => text.split(/\r?\n/u, 1)[0] ?? '';

const withDetail = (sentence: string, detail: string | undefined): string =>
  detail === undefined || detail === '' ? sentence : `${sentence}: ${detail}`;

/** Returns `<subject> (<reason>): <message>`, without absent parts. */
const formatCondition = (subject: string, condition: AgentCondition | undefined): string =>
  withDetail(
    condition?.reason === undefined ? subject : `${subject} (${condition.reason})`,
    condition?.message,
  );

const findFatalContainer = ({ pods }: StatusBlocks): string | undefined => {
  for (const pod of pods)
    for (const { name, reason, message } of pod.containers)
      if (reason !== undefined && FATAL_REASONS.has(reason))
        return withDetail(
          `pod ${pod.name} container ${name} is ${reason}`,
          message === undefined ? undefined : takeFirstLine(message),
        );
  return undefined;
};

const findRejection = ({ agent }: StatusBlocks): string | undefined => {
  const condition = findCondition(agent.conditions, 'Accepted');
  return agent.accepted === false
    ? withDetail(
        'the runtime rejected the Agent configuration',
        condition?.message ?? condition?.reason,
      )
    : undefined;
};

const formatAvailability = ({ deployment }: StatusBlocks): string =>
  `${deployment.availableReplicas}/${deployment.replicas} pods available`;

const hasPodsToWaitFor = ({ deployment }: StatusBlocks): boolean =>
  deployment.exists && deployment.replicas !== 0 && deployment.availableReplicas <= 0;

const findReadiness = (blocks: StatusBlocks): string | undefined => {
  if (blocks.agent.ready !== true || hasPodsToWaitFor(blocks)) return undefined;
  return blocks.deployment.exists
    ? `Agent is Ready; ${formatAvailability(blocks)}`
    : 'Agent is Ready';
};

const findWarning = ({ events }: StatusBlocks): string | undefined => {
  const event = events.find(
    ({ type, reason }) =>
      type === 'Warning' && (reason.startsWith('Failed') || reason === 'BackOff'),
  );
  return event && withDetail(`${event.object} ${event.reason}`, takeFirstLine(event.message));
};

const chooseSummary = (applies: boolean, summary: string): string | undefined =>
  applies ? summary : undefined;

/** The rules of the verdict in order of precedence: the first rule that applies determines it. */
const RULES: readonly Rule[] = [
  {
    verdict: 'progressing',
    summary: ({ helmRelease }) =>
      chooseSummary(helmRelease.deleting, 'HelmRelease is being deleted'),
  },
  {
    verdict: 'failed',
    summary: ({ helmRelease }) =>
      chooseSummary(
        helmRelease.ready === false,
        formatCondition('HelmRelease is not ready', findCondition(helmRelease.conditions, 'Ready')),
      ),
  },
  { verdict: 'failed', summary: findFatalContainer },
  { verdict: 'failed', summary: findRejection },
  { verdict: 'ready', summary: findReadiness },
  { verdict: 'progressing', summary: findWarning },
  {
    verdict: 'progressing',
    summary: ({ helmRelease }) =>
      chooseSummary(
        helmRelease.exists && helmRelease.ready === null,
        'HelmRelease created; Flux has not reconciled it yet',
      ),
  },
  {
    verdict: 'progressing',
    summary: ({ helmRelease, agent }) =>
      chooseSummary(
        helmRelease.ready === true && !agent.exists,
        'HelmRelease is ready; the Agent is not there yet',
      ),
  },
  {
    verdict: 'progressing',
    summary: ({ agent }) =>
      chooseSummary(
        agent.exists && agent.ready === null,
        'Agent is there; the runtime has not reported it ready yet',
      ),
  },
  {
    verdict: 'progressing',
    summary: (blocks) =>
      chooseSummary(hasPodsToWaitFor(blocks), `waiting for pods; ${formatAvailability(blocks)}`),
  },
];

const createUnknownVerdict = ({ agent }: StatusBlocks): Verdict => ({
  verdict: 'unknown',
  summary: agent.exists
    ? formatCondition('Agent is not Ready', findCondition(agent.conditions, 'Ready'))
    : 'there is neither an Agent nor a HelmRelease',
});

/** Returns the verdict of a status. */
export const computeVerdict = (blocks: StatusBlocks): Verdict => {
  for (const { verdict, summary } of RULES) {
    const sentence = summary(blocks);
    if (sentence !== undefined) return { verdict, summary: sentence };
  }
  return createUnknownVerdict(blocks);
};
