import { randomUUID } from 'node:crypto';
import type { DownstreamOutcome, RequestOptions } from '../requests/call.ts';
import { createChangeSignal } from '../supervision/change-signal.ts';
import type { Downstream, DownstreamOptions } from '../supervision/downstream.ts';
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
import { HubCalls } from './hub-calls.ts';
import type { FromHub, HubMethod } from './hub-message.ts';
import { createHubMirror } from './hub-mirror.ts';
import type { HubMirror } from './hub-mirror.ts';
import type { HubPort } from './hub-port.ts';
import { isRemote, RemoteConnections } from './remote-connections.ts';
import type { RemoteConnectionsWorld } from './remote-connections.ts';

/** What using somebody else's servers takes; everything but the first two has safe defaults. */
export type HubClientOptions = Pick<
  DownstreamOptions,
  'clientInfo' | 'clientFeatures' | 'log' | 'timeouts' | 'bounds' | 'health'
>;

/** What a request is led by. */
interface Ways {
  readonly mirror: HubMirror;
  readonly calls: HubCalls;
  readonly remote: RemoteConnections;
  readonly requestMs: number;
}

/**
 * The servers of the hub at the other end of the port, as if they were supervised here. States and lists are copies that the hub keeps up to date.
 * Requests to stdio servers go to the hub, whose children they are; requests to live remote servers go over a connection of this
 * process's own. `apply` does nothing, since the hub decides which servers there are, and `close` ends only what belongs to this process.
 */
export const connectDownstreamHub = (port: HubPort, options: HubClientOptions): Downstream => {
  const mirror = createHubMirror();
  const changes = createChangeSignal();
  const calls = new HubCalls(port, createCallerNames(randomUUID()));
  const world = worldOf(port, mirror, options);
  const remote = new RemoteConnections(world);
  port.onMessage((message) => {
    // The other end is `serveDownstreamHub` of the same release.
    const known = message as FromHub;
    if (known.kind !== 'state') {
      calls.take(known);
      return;
    }
    port.send({ kind: 'state-taken', version: known.version });
    mirror.take(known);
    remote.follow();
    changes.raise();
  });
  port.onClose(() => calls.close());
  port.send({ kind: 'attach' });
  return {
    ...requestsOver({ mirror, calls, remote, requestMs: world.timeouts.requestMs }),
    subscribeResource: (resource, onUpdated) => calls.subscriptions.subscribe(resource, onUpdated),
    apply: () => undefined,
    start: (name) => calls.control('start', name),
    stop: (name) => calls.control('stop', name),
    restart: (name) => calls.control('restart', name),
    acceptTools: (name, tools) => calls.acceptTools(name, tools),
    doubt: (server) => world.doubt(server),
    servers: () => mirror.views(),
    inventories: () => mirror.inventories(),
    onChange: (listener) => changes.listen(listener),
    settled: () => mirror.settled(),
    close: () => remote.close(),
  };
};

const worldOf = (
  port: HubPort,
  mirror: HubMirror,
  { clientInfo, clientFeatures = {}, log, timeouts, bounds, health }: HubClientOptions,
): RemoteConnectionsWorld => ({
  clientInfo,
  clientFeatures,
  log,
  timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
  bounds: { ...DEFAULT_BOUNDS, ...bounds },
  health: { ...DEFAULT_HEALTH, ...health },
  now: () => performance.now(),
  // Without children its helper never starts.
  watchdog: createWatchdog(),
  view: (name) => mirror.view(name),
  toolsOf: (name) => mirror.inventory(name)?.tools ?? [],
  doubt: (server) => port.send({ kind: 'doubt', server }),
});

const requestsOver = ({ mirror, calls, remote, requestMs }: Ways): Requests => {
  const over =
    <C extends { readonly server: string }>(
      method: HubMethod,
      direct: (requests: Requests, call: C, options?: RequestOptions) => Promise<DownstreamOutcome>,
    ) =>
    async (call: C, options?: RequestOptions): Promise<DownstreamOutcome> => {
      const view = mirror.view(call.server);
      // What is not live is refused where its state is known best.
      if (view?.connectedAt === undefined || !isRemote(view))
        return calls.request(method, call, options);
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
