import type {
  NameConflict,
  NameConflicts,
  ServerCredentials,
  ServerView,
} from '@gateway/call-contract';
import {
  assignNames,
  type ContestedNames,
  type NameAssignment,
  type ServerInventory,
} from '@gateway/catalog';
import {
  isStopRequested,
  type McpServerStatus,
  type ReferenceValues,
  type StatusCondition,
} from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { HealthReport } from '../connection/server-link.ts';
import type { Fleet, ServerFacts, Supervisor } from '../connections/fleet.ts';
import { type Phase, PHASES, toStatusState } from '../connections/machine.ts';
import type { ServerRecord } from '../connections/server-history.ts';
import { formatListProblem, formatProblemLines } from '../lists/server-lists.ts';
import { withoutFolders } from '../wire/reason.ts';

interface StatusFacts extends Pick<
  ServerFacts,
  'definition' | 'state' | 'record' | 'health' | 'listProblems'
> {
  readonly tokenProblem?: string | undefined;
  readonly tools: number;
  readonly at: number;
}

type ConditionState = Omit<StatusCondition, 'type' | 'lastTransitionTime'>;

const formatTimestamp = (ms: number): string => new Date(ms).toISOString();

const toTimestamps = ({
  lastError,
  lastConnectedAt,
  lastAttemptAt,
  nextRetryAt,
}: ServerRecord) => ({
  ...(lastError === undefined ? {} : { lastError: withoutFolders(lastError) }),
  ...(lastConnectedAt === undefined ? {} : { lastConnected: formatTimestamp(lastConnectedAt) }),
  ...(lastAttemptAt === undefined ? {} : { lastAttempt: formatTimestamp(lastAttemptAt) }),
  ...(nextRetryAt === undefined ? {} : { nextRetryAfter: formatTimestamp(nextRetryAt) }),
});

const computeLiveReadiness = (
  stateName: string,
  { level, reason }: HealthReport,
): ConditionState => {
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
  return { status: 'True', reason: stateName, message };
};

const computeReadiness = ({ definition, state, record, health }: StatusFacts): ConditionState => {
  const { kind } = state.phase;
  const stateName = toStatusState(definition.spec.type, kind);
  if (kind === 'live') return computeLiveReadiness(stateName, health);
  if ((kind === 'stopped' || kind === 'stopping') && isStopRequested(definition))
    return {
      status: 'False',
      reason: 'StopRequested',
      message: 'The server was stopped on request. core_service_start starts it.',
    };
  const lastError = 'reason' in state.phase ? record.lastError : undefined;
  return {
    status: 'False',
    reason: stateName.replaceAll(' ', ''),
    message: withoutFolders(lastError ?? `The server is ${stateName}.`),
  };
};

const formatUnreadList = (unread: string): string =>
  `${withoutFolders(unread)}. It is read again; entries that were listed before stay.`;

const computeDiscovery = ({ state, tools, listProblems }: StatusFacts): ConditionState => {
  if (state.phase.kind !== 'live')
    return {
      status: 'False',
      reason: 'NotConnected',
      message: 'Tools are known while it is connected.',
    };
  const problem = listProblems.find(({ list }) => list === 'tools/list');
  if (problem?.unread !== undefined)
    return { status: 'False', reason: 'ListFailed', message: formatUnreadList(problem.unread) };
  const phrase = problem && formatListProblem(problem);
  const gap = phrase === undefined ? '' : ` ${withoutFolders(phrase)}.`;
  return {
    status: 'True',
    reason: 'ToolsListed',
    message: `The server lists ${tools === 1 ? '1 tool' : `${tools} tools`}.${gap}`,
  };
};

/** Returns the gaps in the resource and prompt lists; `undefined` while they are complete. */
const computeCompleteness = ({ state, listProblems }: StatusFacts): ConditionState | undefined => {
  const others = listProblems.filter(({ list }) => list !== 'tools/list');
  if (state.phase.kind !== 'live' || others.length === 0) return undefined;
  const unread = others.flatMap((problem) => problem.unread ?? []);
  if (unread.length > 0)
    return { status: 'False', reason: 'ListFailed', message: formatUnreadList(unread.join('; ')) };
  const phrases = others.flatMap((problem) => formatListProblem(problem) ?? []);
  return {
    status: 'False',
    reason: 'EntriesLeftOut',
    message: `${withoutFolders(phrases.join('; '))}.`,
  };
};

/** The last known values stay in use while a reference cannot be resolved. */
const computeResolution = ({ problem }: ReferenceValues): ConditionState =>
  problem === undefined
    ? {
        status: 'True',
        reason: 'ResolvedRefs',
        message: 'The values of Secrets and ConfigMaps are known.',
      }
    : { status: 'False', reason: 'UnresolvedRefs', message: problem };

/** The condition type of a server that must not receive tokens. Other servers do not have the condition. */
export const TOKENS_ALLOWED = 'TokensAllowed';

/** Creates a condition. Keeps the transition time while the status is unchanged. */
const createCondition = (
  type: string,
  verdict: ConditionState,
  { before, at }: { readonly before: McpServerStatus | undefined; readonly at: number },
): StatusCondition => {
  const last = before?.conditions.find((item) => item.type === type);
  const lastTransitionTime =
    last?.status === verdict.status ? last.lastTransitionTime : formatTimestamp(at);
  return { type, ...verdict, lastTransitionTime };
};

/** Returns the current status, or `before` when nothing changed. @spec §2.6 status */
export const computeStatus = (
  facts: StatusFacts,
  before: McpServerStatus | undefined,
): McpServerStatus => {
  const { definition, state, record, tools, tokenProblem, at } = facts;
  const { spec, referenced } = definition;
  const incomplete = computeCompleteness(facts);
  const status: McpServerStatus = {
    state: toStatusState(spec.type, state.phase.kind),
    ...toTimestamps(record),
    ...(state.phase.kind === 'live' && { tools }),
    restartCount: record.restarts,
    consecutiveFailures: state.failures,
    conditions: [
      createCondition('Ready', computeReadiness(facts), { before, at }),
      createCondition('ToolsDiscovered', computeDiscovery(facts), { before, at }),
      ...(incomplete === undefined
        ? []
        : [createCondition('ListsComplete', incomplete, { before, at })]),
      ...(referenced === undefined
        ? []
        : [createCondition('ResolvedRefs', computeResolution(referenced), { before, at })]),
      ...(tokenProblem === undefined
        ? []
        : [
            createCondition(
              TOKENS_ALLOWED,
              { status: 'False', reason: 'PlainHttp', message: tokenProblem },
              { before, at },
            ),
          ]),
    ],
  };
  return before !== undefined && isDeepStrictEqual(before, status) ? before : status;
};

const toConnectionFields = ({ connection, connectionId, lists }: ServerFacts) =>
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
  const healthSource = PHASES[phase.kind].health;
  const { lastConnectedAt, nextRetryAt } = record;
  return {
    name: definition.metadata.name,
    definition,
    state: toStatusState(definition.spec.type, phase.kind),
    health: healthSource === 'measured' ? health.level : healthSource,
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
    ...toConnectionFields(facts),
    ...(listWarnings.length === 0 ? {} : { listWarnings }),
    ...(toolChanges.length === 0 ? {} : { toolChanges }),
  };
};

class ServerViews {
  readonly #wallNow: () => number;
  readonly #tokenProblem: ServerCredentials['tokenProblem'];
  readonly #views = new WeakMap<ServerFacts, ServerView>();
  readonly #statuses = new WeakMap<Supervisor, McpServerStatus>();

  constructor(wallNow: () => number, tokenProblem: ServerCredentials['tokenProblem']) {
    this.#wallNow = wallNow;
    this.#tokenProblem = tokenProblem;
  }

  createView(supervisor: Supervisor): ServerView {
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

interface ServerConflicts {
  readonly conflicts: NameConflicts;
  readonly since: number;
}

const MAX_SHOWN = 3;

const formatConflict = ({ kind, name, heldBy }: NameConflict): string =>
  `${kind} ${name} (held by ${heldBy})`;

/** Returns the condition of a server whose tools or prompts are not served, because other servers have their names. */
const createNameCondition = ({ total, first }: NameConflicts, since: number): StatusCondition => {
  const shown = first.slice(0, MAX_SHOWN).map(formatConflict);
  const more = total > shown.length ? [`and ${total - shown.length} more`] : [];
  return {
    type: 'NamesAccepted',
    status: 'False',
    reason: 'NameConflict',
    message: `Not served: ${[...shown, ...more].join(', ')}. Set another toolPrefix.`,
    lastTransitionTime: new Date(since).toISOString(),
  };
};

const toNamed = ({ definition: { metadata, spec } }: Supervisor) => ({
  name: metadata.name,
  ...(spec.toolPrefix === undefined ? {} : { toolPrefix: spec.toolPrefix }),
  ...(spec.family === undefined ? {} : { family: spec.family }),
});

const withConflicts = (view: ServerView, { conflicts, since }: ServerConflicts): ServerView => ({
  ...view,
  nameConflicts: conflicts,
  status: {
    ...view.status,
    conditions: [...view.status.conditions, createNameCondition(conflicts, since)],
  },
});

/** Returns a function that collects inventories; the same array while all of them are unchanged. */
const createInventoryList = (
  fleet: Pick<Fleet, 'all'>,
  toInventory: (supervisor: Supervisor) => ServerInventory | undefined,
): (() => readonly ServerInventory[]) => {
  let last: readonly ServerInventory[] = [];
  return () => {
    const next = fleet.all().flatMap((supervisor) => toInventory(supervisor) ?? []);
    const same = next.length === last.length && next.every((one, index) => one === last[index]);
    if (!same) last = next;
    return last;
  };
};

export class FleetViews {
  /** Returns the inventories of the connected servers, sorted by name; the same array while they are unchanged. */
  readonly inventories: () => readonly ServerInventory[];
  /** Returns the last inventories of the servers that are not connected, sorted by name; the same array while they are unchanged. */
  readonly lastInventories: () => readonly ServerInventory[];
  readonly #fleet: Pick<Fleet, 'all'>;
  readonly #wallNow: () => number;
  #assignment: NameAssignment = assignNames({ servers: [], defined: [] });
  #sources: { readonly servers: unknown; readonly supervisors: unknown } | undefined;
  #conflicts: ReadonlyMap<string, ServerConflicts> = new Map();
  /** The views with conflicts, by the views without. */
  #views = new WeakMap<ServerView, ServerView>();
  /** The contested names of other lists of inventories, with the assignment that they were made with. */
  #others = new WeakMap<readonly ServerInventory[], NameAssignment>();
  #settling: Promise<void> | undefined;
  #isSettled = false;

  readonly #serverViews: ServerViews;

  constructor(
    fleet: Pick<Fleet, 'all'>,
    tokenProblem: ServerCredentials['tokenProblem'],
    wallNow: () => number,
  ) {
    this.#fleet = fleet;
    this.#serverViews = new ServerViews(wallNow, tokenProblem);
    this.#wallNow = wallNow;
    this.inventories = createInventoryList(fleet, ({ inventory }) => inventory);
    this.lastInventories = createInventoryList(fleet, ({ connection, lastInventory }) =>
      connection === undefined ? lastInventory : undefined,
    );
  }

  update(): void {
    const [servers, supervisors] = [this.inventories(), this.#fleet.all()];
    if (this.#sources?.servers === servers && this.#sources.supervisors === supervisors) return;
    this.#sources = { servers, supervisors };
    const sources = { servers, defined: supervisors.map(toNamed) };
    this.#assignment = assignNames(sources, this.#isSettled ? this.#assignment : undefined);
    this.#others = new WeakMap();
    const at = this.#wallNow();
    const known = this.#conflicts;
    this.#conflicts = new Map(
      [...this.#assignment.conflicts].map(([name, conflicts]) => [
        name,
        { conflicts, since: known.get(name)?.since ?? at },
      ]),
    );
    this.#views = new WeakMap();
  }

  /** Lets the holder of a name keep it once `settled` resolves. Until then the order of server names decides, not that in which servers connect. */
  settleAfter(settled: () => Promise<void>): void {
    this.#settling ??= settled().then(() => {
      this.update();
      this.#isSettled = true;
    });
  }

  findContested(): ContestedNames {
    this.update();
    return this.#assignment.contested;
  }

  /** Returns the names that several servers of a user claim. The holders of the shared inventories keep their names. */
  findContestedIn(servers: readonly ServerInventory[]): ContestedNames {
    this.update();
    const known = this.#others.get(servers);
    if (known !== undefined) return known.contested;
    const defined = this.#fleet.all().map(toNamed);
    const assignment = assignNames({ servers, defined }, this.#assignment);
    this.#others.set(servers, assignment);
    return assignment.contested;
  }

  listViews(): readonly ServerView[] {
    this.update();
    return this.#fleet
      .all()
      .map((supervisor) => this.#withConflicts(this.#serverViews.createView(supervisor)));
  }

  #withConflicts(view: ServerView): ServerView {
    const conflicts = this.#conflicts.get(view.name);
    if (conflicts === undefined) return view;
    const shown = this.#views.get(view) ?? withConflicts(view, conflicts);
    this.#views.set(view, shown);
    return shown;
  }
}
