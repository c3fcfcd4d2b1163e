import {
  type ConfigurationPort,
  type CoreToolPorts,
  MAX_LOG_LINES,
  type RefusedServer,
  type ServerLogLine,
  type UsagePort,
} from '@gateway/core-tools';
import { type Downstream, type DownstreamOptions, createDownstream } from '@gateway/downstream';
import {
  type Address,
  CONFIGURATION_NAME,
  GATEWAY_VERSION,
  type GatewayConfig,
  type LiveConfiguration,
  ConfigurationCommands,
  createLiveConfiguration,
  computeServerTimeout,
} from '@gateway/gateway-config';
import { AuditTrail } from '../audit/audit-trail.ts';
import { type WorkflowWarnings, logWorkflowWarnings } from '../live-catalog.ts';
import { type GatewayEvents, type RecordedEvents, openEventRecorder } from './record-events.ts';
import { type SignInService, createServerSignIn } from '../sign-in/server-sign-in.ts';
import { type ExecutionStore, createExecutionStore } from '../workflows/execution-store.ts';
import type { Logger } from 'pino';
import { createFileReferences } from '@gateway/downstream-auth';
import type { PresetSet } from '@gateway/preset-resolver';
import type { StateDirectory } from '@gateway/files';
import {
  type GatewayStore,
  type ResourceStore,
  type StoreState,
  listResourceEvents,
  formatProblem,
  formatShortProblem,
} from '@gateway/resource-store';
import { type GatewayMetrics, measureEvents } from '../metrics/metrics.ts';
import { openAuditLog } from './open-audit-log.ts';
import { observeServerSignIns } from '../sign-in/observe-sign-ins.ts';
import { withReferences } from './referenced-servers.ts';
import { createSharedUsage, createUsageFiles, UsageRecorder } from '../usage/usage-recorder.ts';
import path from 'node:path';
import { withStopRequests } from './stop-requests.ts';
import type { StateStore } from '@gateway/state-store';
import type { McpServerStatus } from '@gateway/crd-schemas';
import type { ServerView } from '@gateway/call-contract';
import {
  EVENT_REASONS,
  type EventSink,
  type GatewayEvent,
  formatEventMessage,
} from '@gateway/events';
import { LRUCache } from 'lru-cache';

/** The services of which a gateway has one each. */
export interface GatewayServices {
  readonly events: GatewayEvents;
  /** Commands that read and change `config.yaml`. */
  readonly configuration: ConfigurationPort;
  /** Returns the servers whose definitions are invalid, with the problems. */
  readonly refusedServers: CoreToolPorts['refusedServers'];
  /** Returns the last lines of a server on stderr. */
  readonly serverLog: CoreToolPorts['serverLog'];
  readonly trail: AuditTrail;
  readonly usage: UsagePort;
  readonly live: LiveConfiguration;
  readonly downstream: Downstream;
  readonly signIn: SignInService;
  readonly executions: ExecutionStore;
  readonly warnings: WorkflowWarnings;
  readonly close: () => Promise<void>;
}

/** Name and version of the gateway in `initialize` requests to servers. */
export const CLIENT_INFO = { name: 'gateway', version: GATEWAY_VERSION } as const;

/**
 * The client capabilities in `initialize` requests to servers of the 2025 revisions. They are declared once per connection, before
 * there is a caller. A server request goes to the caller of its call; when that caller cannot answer it, the server receives an error.
 */
const CLIENT_FEATURES = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
} as const;

/** Returns the options of the connections to servers, for every process. */
export function toDownstreamOptions(
  { http, servers, health }: Pick<GatewayConfig, 'http' | 'servers' | 'health'>,
  logger: Logger,
): DownstreamOptions {
  const { backoffInitialMs: firstMs, backoffMaxSeconds } = servers;
  return {
    timeouts: {
      requestMs: computeServerTimeout(http.requestTimeoutSeconds) * 1000,
      stdioStartMs: servers.stdioStartSeconds * 1000,
      settleMs: health.readySeconds * 1000,
      healthIntervalMs: servers.healthIntervalSeconds * 1000,
    },
    bounds: {
      maxMessageBytes: servers.maxMessageBytes,
      maxListItems: servers.maxListItems,
      maxConcurrentStarts: servers.maxConcurrentStarts,
    },
    backoff: { firstMs, maxMs: Math.max(firstMs, backoffMaxSeconds * 1000) },
    health: {
      timeoutMs: servers.healthTimeoutSeconds * 1000,
      failures: servers.healthFailures,
      successes: servers.healthSuccesses,
    },
    users: {
      idleMs: servers.userIdleSeconds * 1000,
      maxConnections: servers.maxUserConnections,
    },
    clientInfo: CLIENT_INFO,
    clientFeatures: CLIENT_FEATURES,
    log: ({ level, event, ...facts }) => {
      logger[level](facts, event);
    },
  };
}

/** The published facts of a server. */
interface Published {
  readonly status: McpServerStatus;
  readonly isTrying: boolean;
}

/** A connection that may still turn out to be unstable is shown without the failures before it, which would be a second change a minute later. */
const toPublicStatus = ({ status, connectedAt }: ServerView): McpServerStatus =>
  connectedAt === undefined ? status : { ...status, consecutiveFailures: 0 };

/**
 * Writes the status of each server to its object when it changes. The store writes at most one in a second. The first
 * attempt and one after a failure are provisional: the last known status stays until they are over. @returns a function that stops it
 */
function publishStatuses(
  { writeStatus }: Pick<ResourceStore, 'writeStatus'>,
  downstream: Pick<Downstream, 'servers' | 'onChange'>,
): () => void {
  let published: ReadonlyMap<string, Published> = new Map();
  return downstream.onChange((changedFor) => {
    if (changedFor !== 'all') return;
    const now = new Map<string, Published>();
    for (const view of downstream.servers()) {
      const { namespace, name } = view.definition.metadata;
      const id = `${namespace}/${name}`;
      const isTrying = view.isTrying === true;
      const before = published.get(id);
      now.set(id, { status: view.status, isTrying });
      if (before?.status === view.status && before.isTrying === isTrying) continue;
      const reference = { kind: 'MCPServer', namespace, name } as const;
      void writeStatus(reference, toPublicStatus(view), { isProvisional: isTrying });
    }
    published = now;
  });
}

/** Receivers of the events. */
interface ResourceEventTargets {
  readonly emit: EventSink;
  readonly logger: Logger;
}

/** Publishes events and log lines when definitions are added, changed, removed, become invalid or valid. @returns a function that stops it */
function publishResourceEvents(
  store: GatewayStore,
  { emit, logger }: ResourceEventTargets,
): () => void {
  for (const event of listResourceEvents(undefined, store.current())) emit(event);
  return store.subscribe((state, previous) => {
    for (const event of listResourceEvents(previous, state)) {
      emit(event);
      logEvent(logger, event);
    }
    if (state.configProblems !== previous.configProblems) publishConfigurationProblem(state, emit);
  });
}

/** Logs an event. The problems of an invalid file are logged by `followStore`. */
function logEvent(logger: Logger, event: GatewayEvent): void {
  const { reason, name } = event;
  const { kind, type } = EVENT_REASONS[reason];
  if (type === 'Normal') logger.info({ kind, name, reason }, formatEventMessage(event));
}

/** Publishes an event when `config.yaml` is not YAML. The live configuration validates its content. */
function publishConfigurationProblem(
  { configProblems: [problem] }: StoreState,
  emit: EventSink,
): void {
  if (problem === undefined) return;
  const error = formatProblem(problem);
  emit({ reason: 'ConfigurationValidationFailed', name: CONFIGURATION_NAME, error });
}

/** Returns the servers whose definitions are invalid, by name, with every problem of each. */
function listInvalidServers(store: Pick<ResourceStore, 'current'>): readonly RefusedServer[] {
  const problems = new Map<string, string[]>();
  for (const problem of store.current().problems) {
    if (problem.kind !== 'MCPServer' || problem.name === undefined) continue;
    const known = problems.get(problem.name);
    const text = formatShortProblem(problem);
    if (known === undefined) problems.set(problem.name, [text]);
    else known.push(text);
  }
  return [...problems].map(([name, texts]) => ({ name, problems: texts }));
}

/** The memory for the lines of one server, in characters. */
const MAX_CHARS = 256 * 1024;

/** Servers whose lines are kept; the definitions of a gateway are fewer. */
const MAX_SERVERS = 1_000;

interface Ring {
  readonly lines: ServerLogLine[];
  chars: number;
  lastId: number;
}

/** The last lines that stdio servers wrote to stderr, in the memory of this process. */
export class ServerLogLines {
  readonly #rings = new LRUCache<string, Ring>({ max: MAX_SERVERS });
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Adds a line, and drops the oldest ones beyond the limits. */
  readonly add = (server: string, line: string): void => {
    const ring = this.#rings.get(server) ?? { lines: [], chars: 0, lastId: 0 };
    this.#rings.set(server, ring);
    ring.lastId += 1;
    ring.lines.push({ id: ring.lastId, at: this.#now(), line });
    ring.chars += line.length;
    while (ring.lines.length > MAX_LOG_LINES || (ring.chars > MAX_CHARS && ring.lines.length > 1))
      ring.chars -= ring.lines.shift()?.line.length ?? 0;
  };

  /** Returns the last lines of a server, oldest first. */
  readonly read = (server: string, limit: number): readonly ServerLogLine[] =>
    this.#rings.get(server)?.lines.slice(-limit) ?? [];
}

interface ServicesOptions {
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly store: GatewayStore;
  /** The configuration directory, to which relative paths refer. */
  readonly directory?: string;
  /** The directory for state that survives restarts. Without it the state is lost when the process ends. */
  readonly state?: StateDirectory | undefined;
  /** Sign-ins and tokens. The caller closes it. Without it they are in the memory of this process. */
  readonly stateStore?: StateStore;
  /** Directory of the records of runs. Without it they are lost when the process ends. */
  readonly executionsDirectory?: string;
  /** The listen address; absent for stdio. */
  readonly address?: Address;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
}

/** Creates the services of a gateway: servers, runs, events and configuration. */
export function createServices(options: ServicesOptions): GatewayServices {
  const { store, logger, metrics, directory = '.' } = options;
  const events = measureEvents(openEventRecorder(options), metrics);
  const live = createLiveConfiguration(options, logger, events.emit);
  const audit = openAuditLog({ ...options, onLost: metrics.auditRecordsLost });
  const usage = openUsage(options);
  const trail = new AuditTrail({ writeLine: audit?.write, count: usage.count });
  const observe = observeServerSignIns({ emit: events.emit, metrics, trail });
  const signIn = createServerSignIn({ ...options, observe, downstream: () => downstream });
  const logLines = new ServerLogLines();
  const measured = createMeasuredDownstream({ ...options, logLines }, events, signIn);
  const referenced = withReferences(measured, {
    texts: store.referencedTexts ?? createFileReferences({ directory }),
    logger,
    directory: options.config.kubernetes.enabled ? undefined : directory,
  });
  const text = options.state?.text('stopped-servers.json');
  const downstream = withStopRequests(referenced, { store, text, logger });
  const executions = createExecutionStore(options, logger);
  const stopEvents = publishResourceEvents(store, { emit: events.emit, logger });
  // Files belong to their users.
  const stopStatuses = options.config.kubernetes.enabled
    ? publishStatuses(store, downstream)
    : () => undefined;
  return {
    live,
    downstream,
    signIn,
    executions,
    warnings: logWorkflowWarnings(logger),
    events,
    configuration: new ConfigurationCommands({ ...options, live }),
    trail,
    usage,
    serverLog: (name, limit) => logLines.read(name, limit),
    refusedServers: () => listInvalidServers(store),
    close: async () => {
      for (const stop of [stopEvents, stopStatuses]) stop();
      await closeInOrder({ ...options, downstream, executions, signIn, events, usage, audit });
    },
  };
}

/** Counts calls in the state store that replicas share, otherwise in files of the state directory, otherwise in memory. */
function openUsage({ config, state, stateStore, logger }: ServicesOptions): UsageRecorder {
  const shared = config.state.store === 'memory' ? undefined : stateStore;
  const files = state && createUsageFiles(path.join(state.path, 'usage'));
  return new UsageRecorder({
    storage: shared === undefined ? files : createSharedUsage(shared),
    warn: (text) => {
      logger.warn(text);
    },
  });
}

type Closed = Record<
  'downstream' | 'executions' | 'signIn' | 'events' | 'usage',
  { close(): Promise<void> }
>;

/** The connections record events and runs until they have ended. */
async function closeInOrder({
  downstream,
  executions,
  signIn,
  events,
  usage,
  audit,
  state,
}: Closed &
  Pick<ServicesOptions, 'state'> & {
    readonly audit: { close(): Promise<void> } | undefined;
  }): Promise<void> {
  await Promise.all([downstream.close(), executions.close()]);
  await signIn.close();
  await events.close();
  await usage.close();
  await audit?.close();
  await state?.release();
}

const formatProcessLine = ({
  pid,
  line,
}: {
  readonly pid?: number;
  readonly line: string;
}): string => (pid === undefined ? line : `[${String(pid)}] ${line}`);

function createMeasuredDownstream(
  options: ServicesOptions & { readonly logLines: ServerLogLines },
  { emit }: RecordedEvents,
  { auth: { credentials } }: SignInService,
): Downstream {
  const { config, directory, state, metrics, logger, logLines } = options;
  const common = toDownstreamOptions(config, logger);
  return createDownstream({
    ...common,
    log: (entry) => {
      if (entry.event === 'server.stderr') logLines.add(entry.server, formatProcessLine(entry));
      common.log(entry);
    },
    ...(directory !== undefined && { baseDirectory: directory }),
    ...(state !== undefined && { declaredTools: state.text('declared-tools.json') }),
    credentials,
    emit,
    pinToolHints: config.pinToolHints,
    onHintWidened: metrics.hintWidened,
  });
}
