import { ANONYMOUS, type JsonObject } from '@gateway/call-contract';
import {
  compareNames,
  type CoreTool,
  defineCoreTool,
  DISRUPTS,
  ENDS_OR_REPLACES,
  createErrorResult,
  createObjectResult,
  READS,
  createSentenceResult,
  STARTS,
} from './core-tool.ts';
import {
  MAX_LOG_LINES,
  type CoreCallContext,
  type CoreToolPorts,
  logRefusalText,
  type ServiceOutcome,
  type ServerEntry,
} from './ports.ts';
import {
  listNameWarnings,
  toCallerView,
  toRuntimeFacts,
  toSignInState,
  STATES,
} from './server-info.ts';

/** Returns a server as the caller sees it, with the caller's own sign-in. */
const toServiceInfo = (
  server: ServerEntry,
  ports: CoreToolPorts,
  context: CoreCallContext,
): JsonObject => {
  const view = toCallerView(server, ports, context);
  const { service, health } = STATES[view.state];
  const warnings = [...(view.listWarnings ?? []), ...listNameWarnings(view)];
  return {
    name: view.name,
    service_type: 'MCPServer',
    state: service,
    health: view.health ?? health,
    ...(view.reason !== undefined && { error: view.reason }),
    ...(warnings.length > 0 && { warnings }),
    ...(view.startProgress !== undefined && { progress: view.startProgress }),
    metadata: { type: view.definition.spec.type, ...toRuntimeFacts(view) },
    ...toSignInState(view.name, ports, context),
  };
};

/** The service of the gateway itself. A server of this name takes precedence. */
const AGGREGATOR = 'mcp-aggregator';

const isMet = ({ state }: ServerEntry): boolean => STATES[state].isConnected;

/** A gateway that answers is running. */
const createAggregatorInfo = (servers: readonly ServerEntry[]): JsonObject => ({
  name: AGGREGATOR,
  service_type: 'Aggregator',
  state: 'running',
  health: 'healthy',
  metadata: { servers: servers.length, connected: servers.filter(isMet).length },
});

const findService = (ports: CoreToolPorts, name: string): ServerEntry | undefined =>
  ports.servers().find((server) => server.name === name);

const isAggregator = (ports: CoreToolPorts, name: string): boolean =>
  name === AGGREGATOR && findService(ports, name) === undefined;

/** Returns every service by name. */
const listServiceInfos = (
  ports: CoreToolPorts,
  context: CoreCallContext,
): readonly JsonObject[] => {
  const servers = ports.servers();
  const infos = servers.map((view) => ({
    name: view.name,
    info: toServiceInfo(view, ports, context),
  }));
  const own = { name: AGGREGATOR, info: createAggregatorInfo(servers) };
  return [...infos, ...(isAggregator(ports, AGGREGATOR) ? [own] : [])]
    .toSorted(compareNames)
    .map(({ info }) => info);
};

const NAME = { type: 'string', required: true, description: 'Name of the service' } as const;

const LOG_LINES = {
  type: 'integer',
  required: false,
  description:
    'How many of the last lines that a stdio server wrote to stderr to show as log, for callers that may change the gateway',
  minimum: 0,
  maximum: MAX_LOG_LINES,
  default: 0,
} as const;

const listLogLines = (ports: CoreToolPorts, name: string, limit: number): readonly JsonObject[] =>
  ports
    .serverLog(name, limit)
    .map(({ id, at, line }) => ({ id, line, timestamp: new Date(at).toISOString() }));

/** The texts of one command. `already` names the state in which the command has no effect. */
interface OrderTexts {
  readonly verb: 'start' | 'stop' | 'restart';
  readonly done: string;
  readonly already: string;
}

const START: OrderTexts = { verb: 'start', done: 'started', already: 'running' };
const STOP: OrderTexts = { verb: 'stop', done: 'stopped', already: 'stopped' };
const RESTART: OrderTexts = { verb: 'restart', done: 'restarted', already: 'running' };

const createOrderResult = (
  name: string,
  texts: OrderTexts,
  outcome: ServiceOutcome,
): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return createSentenceResult(`Successfully ${texts.done} service '${name}'`);
    case 'already':
      return createSentenceResult(`Service '${name}' is already ${texts.already}`);
    case 'unknown':
      return createErrorResult(`Failed to ${texts.verb} service: service ${name} not found`);
    case 'failed':
      return createErrorResult(
        `Failed to ${texts.verb} service: ${outcome.text ?? 'unknown error'}`,
      );
  }
};

/** Returns the outcome of a command for the gateway itself, which is never executed. */
const createOwnOutcome = ({ verb }: OrderTexts): ServiceOutcome =>
  verb === 'start'
    ? { kind: 'already' }
    : { kind: 'failed', text: `${AGGREGATOR} is the gateway itself; ${verb} its process` };

interface Ordered {
  readonly name: string;
  readonly texts: OrderTexts;
  readonly outcome: ServiceOutcome;
  readonly context: CoreCallContext;
}

const isSignedIn = (
  { signIn }: CoreToolPorts,
  { name, context: { principal = ANONYMOUS } }: Ordered,
): boolean => signIn.findState(name, principal)?.status === 'connected';

/** A server that requires a sign-in is not a failure: the answer describes how to sign in. */
const startResult = (ports: CoreToolPorts, order: Ordered): JsonObject => {
  const { name, texts, outcome } = order;
  const waits = findService(ports, name)?.state === 'Auth Required' && !isSignedIn(ports, order);
  return waits && outcome.kind !== 'unknown'
    ? createSentenceResult(
        `Service '${name}' requires authentication; sign in with core_auth_login(server=${JSON.stringify(name)})`,
      )
    : createOrderResult(name, texts, outcome);
};

const runOrder = async (
  texts: OrderTexts,
  name: string,
  ports: CoreToolPorts,
  context: CoreCallContext,
): Promise<JsonObject> => {
  if (isAggregator(ports, name)) return createOrderResult(name, texts, createOwnOutcome(texts));
  const outcome = await ports[texts.verb](name, context);
  return texts.verb === 'stop'
    ? createOrderResult(name, texts, outcome)
    : startResult(ports, { name, texts, outcome, context });
};

/** The tools about services: the servers as the gateway runs them. */
export const serviceTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_service_list',
    description: 'List the services that the gateway runs with their state and health.',
    annotations: READS,
    arguments: {},
    run: (_args, ports, context) => {
      const services = listServiceInfos(ports, context);
      return createObjectResult({ services, total: services.length });
    },
  }),
  defineCoreTool({
    name: 'core_service_status',
    description: 'Show the state and health of one service.',
    annotations: READS,
    arguments: { name: NAME, logLines: LOG_LINES },
    run: ({ name, logLines = 0 }, ports, context) => {
      const { principal = ANONYMOUS } = context;
      if (isAggregator(ports, name))
        return createObjectResult(createAggregatorInfo(ports.servers()));
      const view = findService(ports, name);
      if (view === undefined)
        return createErrorResult(`Failed to get service status: service ${name} not found`);
      if (logLines > 0 && !ports.mayWrite(principal, 'gateway'))
        return createErrorResult(`Failed to get service status: ${logRefusalText(principal)}`);
      const log = logLines > 0 && { log: listLogLines(ports, name, logLines) };
      return createObjectResult({
        ...toServiceInfo(view, ports, context),
        ...log,
      });
    },
  }),
  defineCoreTool({
    name: 'core_service_start',
    description: 'Start a stopped service.',
    annotations: STARTS,
    arguments: { name: NAME },
    run: (args, ports, context) => runOrder(START, args.name, ports, context),
  }),
  defineCoreTool({
    name: 'core_service_stop',
    description: 'Stop a service for everyone: its tools leave the catalog.',
    annotations: ENDS_OR_REPLACES,
    arguments: { name: NAME },
    run: (args, ports, context) => runOrder(STOP, args.name, ports, context),
  }),
  defineCoreTool({
    name: 'core_service_restart',
    description: 'Stop and start a service; calls in flight fail.',
    annotations: DISRUPTS,
    arguments: { name: NAME },
    run: (args, ports, context) => runOrder(RESTART, args.name, ports, context),
  }),
];
