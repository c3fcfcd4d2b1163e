import type {
  McpServerStatus,
  McpServerType,
  ReferencedValues,
  StatusCondition,
} from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { HealthReport } from '../connection/health-check.ts';
import { problemPhrase } from '../lists/server-lists.ts';
import type { ListProblem } from '../lists/server-lists.ts';
import { withoutFolders } from '../wire/reason.ts';
import type { MachineState } from '../connections/machine.ts';
import type { ServerRecord } from '../connections/server-record.ts';
import { statusState } from '../connections/phase-table.ts';

/** The input of a status. */
export interface StatusFacts {
  readonly type: McpServerType;
  /** The server was stopped on request. */
  readonly isStopRequested?: boolean;
  readonly state: MachineState;
  /** The values of Secrets and ConfigMaps; absent without references. */
  readonly referenced?: ReferencedValues | undefined;
  /** The reason why no token may be sent to the server. */
  readonly tokenProblem?: string | undefined;
  readonly record: ServerRecord;
  /** The health of the connection. */
  readonly health: HealthReport;
  /** Number of tools of a connected server. */
  readonly tools: number;
  /** The gaps in the lists of a connected server. */
  readonly listProblems: readonly ListProblem[];
  /** Time in milliseconds since the epoch. */
  readonly at: number;
}

type Verdict = Omit<StatusCondition, 'type' | 'lastTransitionTime'>;

const stamp = (ms: number): string => new Date(ms).toISOString();

const stampsOf = ({ lastError, lastConnectedAt, lastAttemptAt, nextRetryAt }: ServerRecord) => ({
  ...(lastError === undefined ? {} : { lastError: withoutFolders(lastError) }),
  ...(lastConnectedAt === undefined ? {} : { lastConnected: stamp(lastConnectedAt) }),
  ...(lastAttemptAt === undefined ? {} : { lastAttempt: stamp(lastAttemptAt) }),
  ...(nextRetryAt === undefined ? {} : { nextRetryAfter: stamp(nextRetryAt) }),
});

/** Returns a condition reason: one word in camel case. */
const wordOf = (state: string): string => state.replaceAll(' ', '');

const liveReadiness = (word: string, { level, reason }: HealthReport): Verdict => {
  if (level === 'unhealthy')
    return {
      status: 'False',
      reason: 'Unhealthy',
      message: withoutFolders(reason ?? 'health checks fail'),
    };
  const message =
    level === 'degraded' && reason !== undefined
      ? `The last health check failed: ${withoutFolders(reason)}`
      : 'The server answers requests.';
  return { status: 'True', reason: word, message };
};

const readiness = ({ type, state, record, health, isStopRequested }: StatusFacts): Verdict => {
  const { kind } = state.phase;
  const word = statusState(type, kind);
  if (kind === 'live') return liveReadiness(word, health);
  if ((kind === 'stopped' || kind === 'stopping') && isStopRequested === true)
    return {
      status: 'False',
      reason: 'StopRequested',
      message: 'The server was stopped on request. core_service_start starts it.',
    };
  const trouble = 'reason' in state.phase ? record.lastError : undefined;
  return {
    status: 'False',
    reason: wordOf(word),
    message: withoutFolders(trouble ?? `The server is ${word}.`),
  };
};

/** The message of the condition about a list that could not be read. */
const unreadMessage = (unread: string): string =>
  `${withoutFolders(unread)}. It is read again; entries that were listed before stay.`;

const discovery = ({ state, tools, listProblems }: StatusFacts): Verdict => {
  if (state.phase.kind !== 'live')
    return {
      status: 'False',
      reason: 'NotConnected',
      message: 'Tools are known while it is connected.',
    };
  const problem = listProblems.find(({ list }) => list === 'tools/list');
  if (problem?.unread !== undefined)
    return { status: 'False', reason: 'ListFailed', message: unreadMessage(problem.unread) };
  const phrase = problem && problemPhrase(problem);
  const gap = phrase === undefined ? '' : ` ${withoutFolders(phrase)}.`;
  return {
    status: 'True',
    reason: 'ToolsListed',
    message: `The server lists ${tools === 1 ? '1 tool' : `${tools} tools`}.${gap}`,
  };
};

/** The gaps in the lists other than the tools; `undefined` while they are complete. */
const completeness = ({ state, listProblems }: StatusFacts): Verdict | undefined => {
  const others = listProblems.filter(({ list }) => list !== 'tools/list');
  if (state.phase.kind !== 'live' || others.length === 0) return undefined;
  const unread = others.flatMap((problem) => problem.unread ?? []);
  if (unread.length > 0)
    return { status: 'False', reason: 'ListFailed', message: unreadMessage(unread.join('; ')) };
  const phrases = others.flatMap((problem) => problemPhrase(problem) ?? []);
  return {
    status: 'False',
    reason: 'EntriesLeftOut',
    message: `${withoutFolders(phrases.join('; '))}.`,
  };
};

/** Values that were read before stay in force while one is missing. */
const resolution = ({ problem }: ReferencedValues): Verdict =>
  problem === undefined
    ? {
        status: 'True',
        reason: 'ResolvedRefs',
        message: 'The values of Secrets and ConfigMaps are known.',
      }
    : { status: 'False', reason: 'UnresolvedRefs', message: problem };

/** The type of the condition of a server that no token may be sent to; absent otherwise. */
export const TOKENS_ALLOWED = 'TokensAllowed';

const plainHttp = (message: string): Verdict => ({ status: 'False', reason: 'PlainHttp', message });

/** Returns a condition. Its time stays while its status is unchanged. */
const condition = (
  type: string,
  verdict: Verdict,
  { before, at }: { readonly before: McpServerStatus | undefined; readonly at: number },
): StatusCondition => {
  const last = before?.conditions.find((one) => one.type === type);
  const lastTransitionTime = last?.status === verdict.status ? last.lastTransitionTime : stamp(at);
  return { type, ...verdict, lastTransitionTime };
};

/** Returns the present status; `before` itself while it is unchanged. @spec §2.6 status */
export const statusOf = (
  facts: StatusFacts,
  before: McpServerStatus | undefined,
): McpServerStatus => {
  const { type, state, record, tools, at } = facts;
  const incomplete = completeness(facts);
  const status: McpServerStatus = {
    state: statusState(type, state.phase.kind),
    ...stampsOf(record),
    ...(state.phase.kind === 'live' && { tools }),
    restartCount: record.restarts,
    consecutiveFailures: state.failures,
    conditions: [
      condition('Ready', readiness(facts), { before, at }),
      condition('ToolsDiscovered', discovery(facts), { before, at }),
      ...(incomplete === undefined ? [] : [condition('ListsComplete', incomplete, { before, at })]),
      ...(facts.referenced === undefined
        ? []
        : [condition('ResolvedRefs', resolution(facts.referenced), { before, at })]),
      ...(facts.tokenProblem === undefined
        ? []
        : [condition(TOKENS_ALLOWED, plainHttp(facts.tokenProblem), { before, at })]),
    ],
  };
  return before !== undefined && isDeepStrictEqual(before, status) ? before : status;
};
