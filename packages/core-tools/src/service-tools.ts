import type { JsonObject } from '@gateway/catalog';
import type { McpServerState } from '@gateway/crd-schemas';
import { READS, DISRUPTS, STARTS, ENDS_OR_REPLACES } from './annotations.ts';
import { defineCoreTool, type CoreTool } from './core-tool.ts';
import { byName } from './by-name.ts';
import type { CoreToolPorts, ServerView, ServiceOutcome } from './ports.ts';
import { failedResult, objectResult, sentenceResult } from './result.ts';
import { runtimeOf } from './server-info.ts';

/** A service's own word for a state, and how well it is. The words of `MCPServer` resources differ. */
const SERVICE_STATES: {
  readonly [S in McpServerState]: { readonly state: string; readonly health: Health };
} = {
  Running: { state: 'running', health: 'healthy' },
  Starting: { state: 'starting', health: 'checking' },
  Stopped: { state: 'stopped', health: 'unknown' },
  Failed: { state: 'failed', health: 'unhealthy' },
  Connected: { state: 'connected', health: 'healthy' },
  'Auth Required': { state: 'auth_required', health: 'unknown' },
  Connecting: { state: 'connecting', health: 'checking' },
  Disconnected: { state: 'disconnected', health: 'unknown' },
};

type Health = 'unknown' | 'healthy' | 'unhealthy' | 'checking';

const serviceInfo = (view: ServerView): JsonObject => ({
  name: view.name,
  service_type: 'MCPServer',
  ...SERVICE_STATES[view.state],
  ...(view.reason !== undefined && { error: view.reason }),
  metadata: { type: view.definition.spec.type, ...runtimeOf(view) },
});

const serviceOf = (ports: CoreToolPorts, name: string): ServerView | undefined =>
  ports.servers().find((server) => server.name === name);

const NAME = { type: 'string', required: true, description: 'Name of the service' } as const;

/** The texts of one order. `already` is what a service that needs no order is. */
interface OrderTexts {
  readonly verb: 'start' | 'stop' | 'restart';
  readonly done: string;
  readonly already: string;
}

const START: OrderTexts = { verb: 'start', done: 'started', already: 'running' };
const STOP: OrderTexts = { verb: 'stop', done: 'stopped', already: 'stopped' };
const RESTART: OrderTexts = { verb: 'restart', done: 'restarted', already: 'running' };

const orderResult = (name: string, texts: OrderTexts, outcome: ServiceOutcome): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return sentenceResult(`Successfully ${texts.done} service '${name}'`);
    case 'already':
      return sentenceResult(`Service '${name}' is already ${texts.already}`);
    case 'unknown':
      return failedResult(`Failed to ${texts.verb} service: service ${name} not found`);
    case 'failed':
      return failedResult(`Failed to ${texts.verb} service: ${outcome.text ?? 'unknown error'}`);
  }
};

/** A server that was reached and asks for a sign-in is no failure: the caller is told how to go on. */
const startResult = (
  ports: CoreToolPorts,
  order: { readonly name: string; readonly texts: OrderTexts; readonly outcome: ServiceOutcome },
): JsonObject => {
  const { name, texts, outcome } = order;
  const waits = serviceOf(ports, name)?.state === 'Auth Required';
  return waits && outcome.kind !== 'unknown'
    ? sentenceResult(
        `Service '${name}' requires authentication; sign in with core_auth_login(server=${JSON.stringify(name)})`,
      )
    : orderResult(name, texts, outcome);
};

/** The tools about services: the servers as the gateway runs them. */
export const serviceTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_service_list',
    description: 'List the services that the gateway runs with their state and health.',
    annotations: READS,
    arguments: {},
    run: (_args, ports) => {
      const services = ports.servers().toSorted(byName).map(serviceInfo);
      return objectResult({ services, total: services.length });
    },
  }),
  defineCoreTool({
    name: 'core_service_status',
    description: 'Show the state and health of one service.',
    annotations: READS,
    arguments: { name: NAME },
    run: ({ name }, ports) => {
      const view = serviceOf(ports, name);
      return view === undefined
        ? failedResult(`Failed to get service status: service ${name} not found`)
        : objectResult(serviceInfo(view));
    },
  }),
  defineCoreTool({
    name: 'core_service_start',
    description: 'Start a stopped service.',
    annotations: STARTS,
    arguments: { name: NAME },
    run: async ({ name }, ports, options) =>
      startResult(ports, { name, texts: START, outcome: await ports.start(name, options) }),
  }),
  defineCoreTool({
    name: 'core_service_stop',
    description: 'Stop a service for everyone: its tools leave the catalog.',
    annotations: ENDS_OR_REPLACES,
    arguments: { name: NAME },
    run: async ({ name }, ports, options) =>
      orderResult(name, STOP, await ports.stop(name, options)),
  }),
  defineCoreTool({
    name: 'core_service_restart',
    description: 'Stop and start a service; calls in flight fail.',
    annotations: DISRUPTS,
    arguments: { name: NAME },
    run: async ({ name }, ports, options) =>
      startResult(ports, { name, texts: RESTART, outcome: await ports.restart(name, options) }),
  }),
];
