import { ANONYMOUS, type Principal } from '@gateway/call-contract';
import { workflowAvailability, type CatalogSnapshot } from '@gateway/catalog';
import type { CoreToolPorts, ServiceOutcome } from '@gateway/core-tools';
import { detectServer, type ControlOutcome } from '@gateway/downstream';
import { resourceKey, type ResourceKey, type ResourceStore } from '@gateway/resource-store';
import { changeableJsonSchema, type GatewayConfig } from '@gateway/gateway-config';
import { CLIENT_INFO } from './downstream-options.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { LiveWorkflows } from './workflows/live-workflows.ts';

/** Options of {@link createCoreToolPorts}. */
export interface CoreToolPortsOptions {
  readonly services: Pick<
    GatewayServices,
    | 'downstream'
    | 'executions'
    | 'warnings'
    | 'events'
    | 'configuration'
    | 'refusedServers'
    | 'serverLog'
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
    serverLog: services.serverLog,
    start: async (name) => serviceOutcome(await downstream.start(name)),
    stop: async (name) => serviceOutcome(await downstream.stop(name)),
    restart: async (name) => serviceOutcome(await downstream.restart(name)),
    config: () => ({ ...config() }),
    workflows: workflows.views,
    workflowAvailability: (name, { principal = ANONYMOUS }) =>
      workflowAvailability(snapshot(principal), name),
    ...createResourceWriters(options),
    executions,
    configuration,
    configurationSchema: changeableJsonSchema(),
    detect: (question, signal) => {
      const { allowPrivate } = config().detect;
      return detectServer(question, { clientInfo: CLIENT_INFO, allowPrivate, signal });
    },
    acceptTools: (name, tools) => downstream.acceptTools(name, tools),
    events: { query: events.query, subscribe: events.subscribe, now: Date.now },
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
    return resourceKey(name, server?.definition.metadata.namespace);
  };
  const workflowKey = (name: string): ResourceKey => {
    const view = workflows.views().find((one) => one.name === name);
    return resourceKey(name, view?.workflow?.metadata.namespace);
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

function serviceOutcome(outcome: ControlOutcome): ServiceOutcome {
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
