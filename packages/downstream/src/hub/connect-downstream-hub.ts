import { connectLink, type LinkPort } from '@gateway/process-link';
import { randomUUID } from 'node:crypto';
import type { DownstreamOutcome, RequestOptions } from '../requests/call.ts';
import { createChangeSignal } from '../supervision/change-signal.ts';
import type { Downstream, DownstreamOptions, PersonalView } from '../supervision/downstream.ts';
import { DEFAULT_BOUNDS, DEFAULT_HEALTH, DEFAULT_TIMEOUTS } from '../wire/limits.ts';
import { createRequests } from '../requests/requests.ts';
import type {
  Completion,
  PromptGet,
  ResourceRead,
  Requests,
  ToolCall,
} from '../requests/requests.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import { createWatchdog } from '../wire/stdio/watchdog.ts';
import { createCallerNames } from './caller-names.ts';
import { HubClient } from './hub-client.ts';
import { DEFAULT_HUB_LIMITS, HUB_MEMBERS } from './hub-contract.ts';
import type { HubContract, HubLimits, HubMethod } from './hub-contract.ts';
import { MirroredPersons } from './mirrored-persons.ts';
import { createHubMirror } from './hub-mirror.ts';
import type { HubMirror } from './hub-mirror.ts';
import { isRemote, RemoteConnections } from './remote-connections.ts';
import type { RemoteConnectionDependencies } from './remote-connections.ts';

/** Options of a client of a hub. All but `clientInfo` and `log` have defaults. */
export type HubClientOptions = Pick<
  DownstreamOptions,
  'clientInfo' | 'clientFeatures' | 'log' | 'timeouts' | 'bounds' | 'health'
> & { readonly limits?: Partial<HubLimits> };

/** The parts that route a request. */
interface RequestRoutes {
  readonly mirror: HubMirror;
  readonly client: HubClient;
  readonly remote: RemoteConnections;
  readonly requestMs: number;
}

/**
 * Returns the servers of the hub at the other end of the port. States and lists are copies that the hub updates. Requests to stdio servers
 * go to the hub, which owns their processes. Requests to connected remote servers go over a connection of this process. `apply` does
 * nothing, because the hub decides which servers exist. `close` closes only the connections of this process.
 */
export const connectDownstreamHub = (port: LinkPort, options: HubClientOptions): Downstream => {
  const mirror = createHubMirror();
  const changes = createChangeSignal();
  const hub = connectLink<HubContract>(port, HUB_MEMBERS);
  const limits: HubLimits = { ...DEFAULT_HUB_LIMITS, ...options.limits };
  const client = new HubClient(hub, createCallerNames(randomUUID()), limits);
  const dependencies = dependenciesOf(hub, mirror, options);
  const remote = new RemoteConnections(dependencies);
  const persons = new MirroredPersons({
    hub,
    version: () => mirror.version(),
    shared: () => mirror.inventories(),
    sharedLast: () => mirror.lastInventories(),
    hasTargets: () => mirror.personal().size > 0,
    onChanged: (principalKey) => changes.raise(principalKey),
  });
  hub.followState((change) => {
    hub.confirmState(change.version);
    mirror.apply(change);
    remote.follow();
    changes.raise();
  });
  return {
    ...requestsOver({ mirror, client, remote, requestMs: dependencies.timeouts.requestMs }),
    ...personalViewOf(mirror, persons),
    subscribeResource: (resource, onUpdated, principal) =>
      client.subscribeResource(resource, onUpdated, principal),
    apply: () => undefined,
    start: (name) => client.control('start', name),
    stop: (name) => client.control('stop', name),
    restart: (name) => client.control('restart', name),
    acceptTools: (name, tools) => client.acceptTools(name, tools),
    verifyConnection: (server) => hub.verifyConnection(server),
    endClient: (client) => hub.endClient(client),
    ...sharedViewOf(mirror),
    onChange: (listener) => changes.listen(listener),
    settled: () => mirror.settled(),
    close: () => remote.close(),
  };
};

const sharedViewOf = (
  mirror: HubMirror,
): Pick<Downstream, 'servers' | 'stateOf' | 'inventories' | 'contestedNames'> => ({
  servers: () => mirror.views(),
  stateOf: (name) => mirror.view(name)?.state,
  inventories: () => mirror.inventories(),
  contestedNames: () => mirror.contestedNames(),
});

const personalViewOf = (mirror: HubMirror, persons: MirroredPersons): PersonalView => ({
  inventoriesFor: (principal) => persons.inventories(principal),
  lastInventories: (principal) =>
    principal === undefined ? mirror.lastInventories() : persons.lastInventories(principal),
  contestedNamesIn: (inventories) => persons.contested(inventories) ?? mirror.contestedNames(),
  personal: (principal) => persons.servers(principal),
  personalFeatures: () =>
    new Map(
      [...mirror.personal()].flatMap(([server, features]) =>
        features === undefined ? [] : [[server, features] as const],
      ),
    ),
  // The process that owns the servers counts them.
  personalConnections: () => new Map(),
  connectPersonal: (server, principal) => persons.connect(server, principal),
  disconnectPersonal: (server, principal) => persons.disconnect(server, principal),
  prepare: (principal) => persons.prepare(principal),
  onSignInChange: (listener) => persons.onSignInChange(listener),
});

const dependenciesOf = (
  hub: HubContract,
  mirror: HubMirror,
  { clientInfo, clientFeatures = {}, log, timeouts, bounds, health }: HubClientOptions,
): RemoteConnectionDependencies => ({
  clientInfo,
  clientFeatures,
  log,
  timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
  bounds: { ...DEFAULT_BOUNDS, ...bounds },
  health: { ...DEFAULT_HEALTH, ...health },
  now: () => performance.now(),
  // A watchdog without child processes starts no process.
  watchdog: createWatchdog(),
  view: (name) => mirror.view(name),
  toolsOf: (name) => mirror.inventory(name)?.tools ?? [],
  verifyConnection: (server) => hub.verifyConnection(server),
});

const requestsOver = ({ mirror, client, remote, requestMs }: RequestRoutes): Requests => {
  const over =
    <C extends { readonly server: string }>(
      method: HubMethod,
      direct: (requests: Requests, call: C, options?: RequestOptions) => Promise<DownstreamOutcome>,
    ) =>
    async (call: C, options?: RequestOptions): Promise<DownstreamOutcome> => {
      const view = mirror.view(call.server);
      // The hub refuses a request to a server that is not connected: it has the latest state. It owns the connections of persons.
      const isPersonal = mirror.personal().has(call.server);
      if (view?.connectedAt === undefined || !isRemote(view) || isPersonal)
        return client.request(method, call, options);
      const opening = remote.peer(view);
      const opened = 'then' in opening ? await opening : opening;
      if (!opened.ok) return { ok: false, error: opened.error };
      return direct(requestsTo(opened.peer, requestMs), call, options);
    };
  return {
    callTool: over<ToolCall>('callTool', (to, call, options) => to.callTool(call, options)),
    readResource: over<ResourceRead>('readResource', (to, call, options) =>
      to.readResource(call, options),
    ),
    getPrompt: over<PromptGet>('getPrompt', (to, call, options) => to.getPrompt(call, options)),
    complete: over<Completion>('complete', (to, call, options) => to.complete(call, options)),
  };
};

const requestsOfPeer = new WeakMap<RequestPeer, Requests>();

const requestsTo = (peer: RequestPeer, requestMs: number): Requests => {
  const known = requestsOfPeer.get(peer);
  if (known !== undefined) return known;
  const requests = createRequests(() => peer, requestMs);
  requestsOfPeer.set(peer, requests);
  return requests;
};
