import type { GatewayEvent } from '@gateway/events';
import type { HealthNews } from '../../connection/health-check.ts';
import type { Phase, PhaseKind } from '../machine/phase.ts';
import { isOwnStart } from './server-record.ts';
import type { Step } from './server-record.ts';

/** What was told of a server, as far as it decides what is told next. */
export interface Story {
  /** It failed, and nobody has asked for it since. */
  readonly outage?: {
    readonly isRecovering: boolean;
    /** Why the last recovery failed, if one did. */
    readonly failedWith?: string;
  };
  readonly isUnhealthy: boolean;
}

/** A new story, and what is to be told. */
export interface Told {
  readonly story: Story;
  readonly events: readonly GatewayEvent[];
}

/** Whom the events are about, and what they are made of. */
export interface Subject {
  readonly name: string;
  readonly namespace: string;
  /** Of the connection that was just made. */
  readonly tools: number;
}

/** Of a server that was just defined. */
export const NEW_STORY: Story = { isUnhealthy: false };

type About = Pick<Subject, 'name' | 'namespace'>;

/** Nothing is left of an outage; that the server was unhealthy is remembered until it is told that it is well. */
const asked = ({ isUnhealthy }: Story): Story => ({ isUnhealthy });

const starting = (story: Story, step: Step, about: About): Told => {
  if (isOwnStart(step))
    return {
      story: { ...story, outage: { ...story.outage, isRecovering: true } },
      events: story.outage?.isRecovering ? [] : [{ reason: 'MCPServerRecoveryStarted', ...about }],
    };
  // It was told when the restart began.
  if (step.before.phase.kind === 'restarting') return { story, events: [] };
  const isAgain = step.event.kind !== 'start' && step.before.phase.kind !== 'stopped';
  return {
    story: asked(story),
    events: [{ reason: isAgain ? 'MCPServerRestarting' : 'MCPServerStarting', ...about }],
  };
};

const live = (story: Story, _step: Step, { tools, ...about }: Subject): Told => ({
  story: NEW_STORY,
  events: [
    {
      reason:
        story.outage?.isRecovering === true ? 'MCPServerRecoverySucceeded' : 'MCPServerStarted',
      ...about,
    },
    ...(story.isUnhealthy ? [{ reason: 'MCPServerHealthCheckSucceeded', ...about } as const] : []),
    { reason: 'MCPServerToolsDiscovered', ...about, tools },
  ],
});

const reasonOf = (phase: Phase): string => ('reason' in phase ? phase.reason : '');

/** A connection is gone, and its tools with it. */
const lost = (step: Step, about: About): readonly GatewayEvent[] =>
  step.before.phase.kind === 'live'
    ? [{ reason: 'MCPServerToolsUnavailable', ...about, error: reasonOf(step.after.phase) }]
    : [];

const waiting = (story: Story, step: Step, { tools: _tools, ...about }: Subject): Told => {
  const error = reasonOf(step.after.phase);
  if (story.outage?.isRecovering !== true)
    return {
      story: { ...story, outage: { isRecovering: false } },
      events: [{ reason: 'MCPServerFailed', ...about, error }, ...lost(step, about)],
    };
  return {
    story: { ...story, outage: { isRecovering: true, failedWith: error } },
    events:
      story.outage.failedWith === error
        ? []
        : [{ reason: 'MCPServerRecoveryFailed', ...about, error }],
  };
};

const tellers: {
  readonly [P in PhaseKind]: (story: Story, step: Step, subject: Subject) => Told;
} = {
  starting: (story, step, { tools: _tools, ...about }) => starting(story, step, about),
  live,
  waiting,
  'auth-required': (story, step, { tools: _tools, ...about }) => ({
    story: asked(story),
    events: [{ reason: 'MCPServerAuthRequired', ...about }, ...lost(step, about)],
  }),
  stopping: (story) => ({ story: asked(story), events: [] }),
  stopped: (_story, _step, { tools: _tools, ...about }) => ({
    story: NEW_STORY,
    events: [{ reason: 'MCPServerStopped', ...about }],
  }),
  restarting: (story, _step, { tools: _tools, ...about }) => ({
    story: asked(story),
    events: [{ reason: 'MCPServerRestarting', ...about }],
  }),
};

/** What a transition has to tell: nothing unless the phase changed, and of the tries of one outage only what is new. @spec §6 */
export const toldOfStep = (story: Story, step: Step, subject: Subject): Told =>
  step.before.phase === step.after.phase
    ? { story, events: [] }
    : tellers[step.after.phase.kind](story, step, subject);

/** What a change of health has to tell: once when the server becomes unhealthy, and once when it is healthy again. @spec §6 */
export const toldOfHealth = (story: Story, health: HealthNews, about: About): Told => {
  const isUnhealthy = health.level === 'unhealthy';
  if (isUnhealthy === story.isUnhealthy) return { story, events: [] };
  const events: readonly GatewayEvent[] = isUnhealthy
    ? [{ reason: 'MCPServerHealthCheckFailed', ...about, error: health.reason ?? 'no answer' }]
    : [{ reason: 'MCPServerHealthCheckSucceeded', ...about }];
  return { story: { ...story, isUnhealthy }, events };
};
