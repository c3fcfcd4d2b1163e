import { ANONYMOUS, type Principal } from '@gateway/call-contract';
import { type CatalogSnapshot, findWorkflowAvailability } from '@gateway/catalog';
import type { CoreToolPorts, ServiceOutcome, WritePermit } from '@gateway/core-tools';
import { type ControlOutcome, detectServer } from '@gateway/downstream';
import { createResourceKey, type ResourceKey, type ResourceStore } from '@gateway/resource-store';
import {
  type Address,
  createChangeableJsonSchema,
  chooseCoreToolWrites,
  type CoreToolWrites,
  type GatewayConfig,
  isLoopbackHost,
} from '@gateway/gateway-config';
import type { LiveWorkflows } from './live-catalog.ts';
import { CLIENT_INFO, type GatewayServices } from './local/create-services.ts';
import { isAdministrator } from '@gateway/caller-auth';
import type { Logger } from 'pino';

interface CoreToolAccessOptions {
  readonly config: GatewayConfig;
  /** The value of `--core-tool-writes`. */
  readonly option: CoreToolWrites | undefined;
  /** The listen address; absent for stdio, whose client runs on this machine. */
  readonly address?: Address;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Returns which core tools that write are permitted. Logs a warning when other machines can reach the listen address and callers do not
 * sign in.
 */
export async function resolveCoreToolWrites({
  config,
  option,
  address,
  logger,
}: CoreToolAccessOptions): Promise<CoreToolWrites> {
  const isLocal = address === undefined || (await isLoopbackHost(address.host));
  const writes = chooseCoreToolWrites(config, { option, isLocal });
  if (!isLocal && config.auth.mode === 'none')
    logger.warn(
      { host: address.host, coreToolWrites: writes },
      `listening on ${address.host} without authentication: every client that reaches the port can call all tools${CORE_TOOLS[writes]}; ${REMEDY}`,
    );
  return writes;
}

/** The part of the warning about the core tools. */
const CORE_TOOLS: Readonly<Record<CoreToolWrites, string>> = {
  all: ', and with "coreTools.writes: all" it can run commands as the user of the gateway',
  workflows: ' and change workflows; other core tools that write are refused',
  none: '; core tools that write are refused',
};

const REMEDY =
  'set "auth.mode: resource-server" with "auth.issuers" to accept tokens of an authorization server, or "auth.mode: broker" with "auth.broker.upstream" to sign users in at an OpenID provider';

const PERMITS: Readonly<Record<CoreToolWrites, WritePermit>> = {
  all: () => true,
  workflows: (_principal, effect) => effect === 'workflows',
  none: () => false,
};

type AdminGroups = Pick<GatewayConfig['auth'], 'adminGroups'>;

/** Returns the decision about each principal: a user who signed in must also be an administrator. */
export const createWritePermit = (writes: CoreToolWrites, auth: AdminGroups): WritePermit => {
  const permit = PERMITS[writes];
  const isTrusted = createRunsPermit(auth);
  return (principal, effect) => permit(principal, effect) && isTrusted(principal);
};

/** Returns the decision who may see the workflow runs of all users: administrators, and everybody where callers do not sign in. */
export const createRunsPermit =
  ({ adminGroups }: AdminGroups): CoreToolPorts['seesAllRuns'] =>
  (principal) =>
    principal.issuer === undefined || isAdministrator(principal, adminGroups);

interface CoreToolPortsOptions {
  readonly services: Pick<
    GatewayServices,
    | 'downstream'
    | 'executions'
    | 'warnings'
    | 'events'
    | 'configuration'
    | 'refusedServers'
    | 'serverLog'
    | 'usage'
  >;
  readonly store: Pick<ResourceStore, 'workflows' | 'servers'>;
  readonly workflows: Pick<LiveWorkflows, 'views'>;
  /** Returns the current configuration. */
  readonly config: () => GatewayConfig;
  /** Returns the catalog of a principal. */
  readonly snapshot: (principal: Principal) => CatalogSnapshot;
  readonly mayWrite: CoreToolPorts['mayWrite'];
  readonly seesAllRuns: CoreToolPorts['seesAllRuns'];
  readonly signIn: CoreToolPorts['signIn'];
  readonly requestLoad: CoreToolPorts['requestLoad'];
}

/** Connects the core tools to servers, workflows and their runs, the configuration and events. */
export function createCoreToolPorts(options: CoreToolPortsOptions): CoreToolPorts {
  const { services, config, workflows, snapshot } = options;
  const { downstream, executions, warnings, events, configuration, refusedServers } = services;
  return {
    mayWrite: options.mayWrite,
    seesAllRuns: options.seesAllRuns,
    permitsSecretReferences: () => config().coreTools.secretReferences,
    servers: () => downstream.servers(),
    refusedServers,
    requestLoad: options.requestLoad,
    serverLog: services.serverLog,
    start: async (name) => toServiceOutcome(await downstream.start(name)),
    stop: async (name) => toServiceOutcome(await downstream.stop(name)),
    restart: async (name) => toServiceOutcome(await downstream.restart(name)),
    config: () => ({ ...config() }),
    workflows: workflows.views,
    workflowAvailability: (name, { principal = ANONYMOUS }) =>
      findWorkflowAvailability(snapshot(principal), name),
    ...createResourceWriters(options),
    executions,
    configuration,
    configurationSchema: createChangeableJsonSchema(),
    detect: (question, signal) => {
      const { allowPrivate } = config().detect;
      return detectServer(question, { clientInfo: CLIENT_INFO, allowPrivate, signal });
    },
    acceptTools: (name, tools) => downstream.acceptTools(name, tools),
    events: { query: events.query, subscribe: events.subscribe, now: Date.now },
    usage: services.usage,
    signIn: options.signIn,
    apiGroup: config().apiGroup,
    warn: warnings.warn,
    mode: config().kubernetes.enabled ? 'kubernetes' : 'filesystem',
  };
}

/** Returns the writers of the core tools, which address resources by name: the store also needs their namespace. */
function createResourceWriters({
  services,
  store,
  workflows,
}: CoreToolPortsOptions): Pick<CoreToolPorts, 'writeServer' | 'writeWorkflow'> {
  const serverKey = (name: string): ResourceKey => {
    const server = services.downstream.servers().find((one) => one.name === name);
    return createResourceKey(name, server?.definition.metadata.namespace);
  };
  const workflowKey = (name: string): ResourceKey => {
    const view = workflows.views().find((one) => one.name === name);
    return createResourceKey(name, view?.workflow?.metadata.namespace);
  };
  return {
    writeServer: {
      create: store.servers.create,
      patch: (name, patch, limits) => store.servers.patch(serverKey(name), patch, limits),
      remove: (name) => store.servers.remove(serverKey(name)),
    },
    writeWorkflow: {
      create: store.workflows.create,
      replace: store.workflows.replace,
      remove: (name) => store.workflows.remove(workflowKey(name)),
    },
  };
}

function toServiceOutcome(outcome: ControlOutcome): ServiceOutcome {
  switch (outcome.code) {
    case 'started':
    case 'stopped':
    case 'restarted':
      return { kind: 'done' };
    case 'already-running':
    case 'already-stopped':
      return { kind: 'already' };
    case 'unknown':
      return { kind: 'unknown' };
    case 'auth-required':
      return { kind: 'failed', text: `${outcome.server} requires sign-in` };
    case 'failed':
      return { kind: 'failed', text: outcome.reason };
  }
}
