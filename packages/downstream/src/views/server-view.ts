import type { ServerCredentials, ServerView } from '@gateway/call-contract';
import {
  isStopRequested,
  type McpServerStatus,
  type ReferenceValues,
  type StatusCondition,
} from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { HealthReport } from '../connection/server-link.ts';
import { type Phase, PHASES, toStatusState } from '../connections/machine.ts';
import type { ServerRecord } from '../connections/server-history.ts';
import type { ServerFacts, Supervisor } from '../connections/supervisor.ts';
import { formatProblemLines, formatListProblem } from '../lists/server-lists.ts';
import { withoutFolders } from '../wire/reason.ts';

interface StatusFacts extends Pick<
  ServerFacts,
  'definition' | 'state' | 'record' | 'health' | 'listProblems'
> {
  readonly tokenProblem?: string | undefined;
  readonly tools: number;
  readonly at: number;
}

type Verdict = Omit<StatusCondition, 'type' | 'lastTransitionTime'>;

const stamp = (ms: number): string => new Date(ms).toISOString();

const toStamps = ({ lastError, lastConnectedAt, lastAttemptAt, nextRetryAt }: ServerRecord) => ({
  ...(lastError === undefined ? {} : { lastError: withoutFolders(lastError) }),
  ...(lastConnectedAt === undefined ? {} : { lastConnected: stamp(lastConnectedAt) }),
  ...(lastAttemptAt === undefined ? {} : { lastAttempt: stamp(lastAttemptAt) }),
  ...(nextRetryAt === undefined ? {} : { nextRetryAfter: stamp(nextRetryAt) }),
});

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

const readiness = ({ definition, state, record, health }: StatusFacts): Verdict => {
  const { kind } = state.phase;
  const word = toStatusState(definition.spec.type, kind);
  if (kind === 'live') return liveReadiness(word, health);
  if ((kind === 'stopped' || kind === 'stopping') && isStopRequested(definition))
    return {
      status: 'False',
      reason: 'StopRequested',
      message: 'The server was stopped on request. core_service_start starts it.',
    };
  const trouble = 'reason' in state.phase ? record.lastError : undefined;
  return {
    status: 'False',
    reason: word.replaceAll(' ', ''),
    message: withoutFolders(trouble ?? `The server is ${word}.`),
  };
};

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
  const phrase = problem && formatListProblem(problem);
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
  const phrases = others.flatMap((problem) => formatListProblem(problem) ?? []);
  return {
    status: 'False',
    reason: 'EntriesLeftOut',
    message: `${withoutFolders(phrases.join('; '))}.`,
  };
};

/** Values that were read before stay in force while one is missing. */
const resolution = ({ problem }: ReferenceValues): Verdict =>
  problem === undefined
    ? {
        status: 'True',
        reason: 'ResolvedRefs',
        message: 'The values of Secrets and ConfigMaps are known.',
      }
    : { status: 'False', reason: 'UnresolvedRefs', message: problem };

/** The type of the condition of a server that no token may be sent to; absent otherwise. */
export const TOKENS_ALLOWED = 'TokensAllowed';

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
export const computeStatus = (
  facts: StatusFacts,
  before: McpServerStatus | undefined,
): McpServerStatus => {
  const { definition, state, record, tools, tokenProblem, at } = facts;
  const { spec, referenced } = definition;
  const incomplete = completeness(facts);
  const status: McpServerStatus = {
    state: toStatusState(spec.type, state.phase.kind),
    ...toStamps(record),
    ...(state.phase.kind === 'live' && { tools }),
    restartCount: record.restarts,
    consecutiveFailures: state.failures,
    conditions: [
      condition('Ready', readiness(facts), { before, at }),
      condition('ToolsDiscovered', discovery(facts), { before, at }),
      ...(incomplete === undefined ? [] : [condition('ListsComplete', incomplete, { before, at })]),
      ...(referenced === undefined
        ? []
        : [condition('ResolvedRefs', resolution(referenced), { before, at })]),
      ...(tokenProblem === undefined
        ? []
        : [
            condition(
              TOKENS_ALLOWED,
              { status: 'False', reason: 'PlainHttp', message: tokenProblem },
              { before, at },
            ),
          ]),
    ],
  };
  return before !== undefined && isDeepStrictEqual(before, status) ? before : status;
};

const toConnected = ({ connection, connectionId, lists }: ServerFacts) =>
  connection === undefined
    ? {}
    : {
        resourcesCount: lists.resources.length,
        promptsCount: lists.prompts.length,
        ...(connectionId === undefined ? {} : { connectionId }),
        ...(connection.serverInfo === undefined ? {} : { serverInfo: connection.serverInfo }),
        protocolVersion: connection.protocolVersion,
        features: connection.features,
      };

/** A connected server has a reason while it is not healthy. */
const toFailure = (
  phase: Phase,
  { level, reason }: HealthReport,
): Pick<ServerView, 'reason' | 'failureCode'> => {
  if ('reason' in phase) return { reason: phase.reason, failureCode: phase.code };
  return phase.kind === 'live' && level !== 'healthy' && reason !== undefined ? { reason } : {};
};

const toView = (facts: ServerFacts, status: McpServerStatus): ServerView => {
  const { definition, state, record, lists, health, toolChanges, startProgress } = facts;
  const listWarnings = formatProblemLines(facts.listProblems);
  const { phase, failures } = state;
  const shown = PHASES[phase.kind].health;
  const { lastConnectedAt, nextRetryAt } = record;
  return {
    name: definition.metadata.name,
    definition,
    state: toStatusState(definition.spec.type, phase.kind),
    health: shown === 'measured' ? health.level : shown,
    status,
    ...toFailure(phase, health),
    ...(isStopRequested(definition) ? { stopRequested: true as const } : {}),
    ...(startProgress === undefined ? {} : { startProgress }),
    ...(facts.isTrying ? { isTrying: true } : {}),
    toolsCount: lists.tools.length,
    ...(phase.kind === 'live' && lastConnectedAt !== undefined
      ? { connectedAt: lastConnectedAt }
      : {}),
    restartCount: failures,
    ...(nextRetryAt === undefined ? {} : { nextRetryAt }),
    ...toConnected(facts),
    ...(listWarnings.length === 0 ? {} : { listWarnings }),
    ...(toolChanges.length === 0 ? {} : { toolChanges }),
  };
};

export class ServerViews {
  readonly #wallNow: () => number;
  readonly #tokenProblem: ServerCredentials['tokenProblem'];
  readonly #views = new WeakMap<ServerFacts, ServerView>();
  readonly #statuses = new WeakMap<Supervisor, McpServerStatus>();

  constructor(wallNow: () => number, tokenProblem: ServerCredentials['tokenProblem']) {
    this.#wallNow = wallNow;
    this.#tokenProblem = tokenProblem;
  }

  view(supervisor: Supervisor): ServerView {
    const { facts } = supervisor;
    const known = this.#views.get(facts);
    if (known !== undefined) return known;
    const status = computeStatus(
      {
        ...facts,
        tools: facts.lists.tools.length,
        tokenProblem: this.#tokenProblem(facts.definition),
        at: this.#wallNow(),
      },
      this.#statuses.get(supervisor),
    );
    this.#statuses.set(supervisor, status);
    const view = toView(facts, status);
    this.#views.set(facts, view);
    return view;
  }
}
