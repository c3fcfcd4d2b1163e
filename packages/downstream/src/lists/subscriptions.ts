import { RPC_CODE } from '@gateway/call-contract';
import type { JsonObject } from '@gateway/call-contract';
import type { DownstreamError } from '../requests/call.ts';
import type { ResourceWatch, WatchOutcome } from './resource-watch.ts';
import { toDownstreamError, notConnected } from '../requests/request-errors.ts';
import type { RequestPeer } from '../requests/request-errors.ts';
import type { RequestConnection } from '../requests/request-connection.ts';
import type { RequestFailure } from '../wire/request-outcome.ts';

/** A subscription that lasts until `end` and over reconnects, or the reason why there is none. */
export type SubscribeOutcome =
  | { readonly ok: true; readonly end: () => void }
  | { readonly ok: false; readonly error: DownstreamError };

/** Receives the unchanged parameters of `notifications/resources/updated`. */
export type UpdateListener = (params: JsonObject) => void;

/** The part of a server that subscriptions use. */
export interface SubscriptionPeer extends Omit<RequestPeer, 'connection'> {
  readonly connection: (RequestConnection & { readonly resources: ResourceWatch }) | undefined;
}

/** Returns a server by its key; `undefined` when there is none. */
type FindPeer = (key: string) => SubscriptionPeer | undefined;

/** Maximum number of subscribed resources per server. */
const MAX_URIS = 1_000;

interface Entry {
  readonly listeners: Set<UpdateListener>;
  /** The connection on which the server has, or is about to have, the subscription. */
  watch: ResourceWatch;
  outcome: Promise<WatchOutcome>;
}

/** A server may report a sub-resource of the subscribed resource. */
const covers = (subscribed: string, updated: string): boolean =>
  updated === subscribed ||
  updated.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);

const TOO_MANY: RequestFailure = {
  kind: 'refused',
  rpcCode: RPC_CODE.transport,
  message: `more than ${MAX_URIS} of its resources are subscribed to`,
};

/** The resource subscriptions of one server. Each resource has one subscription on the server, however many listeners it has. */
class ResourceSubscriptions {
  readonly #key: string;
  readonly #server: string;
  readonly #findPeer: FindPeer;
  readonly #entries = new Map<string, Entry>();

  constructor({ key, server }: SubscribedResource, findPeer: FindPeer) {
    this.#key = key;
    this.#server = server;
    this.#findPeer = findPeer;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  async subscribe(uri: string, onUpdated: UpdateListener): Promise<SubscribeOutcome> {
    const watch = this.#watch;
    if (watch === undefined) return this.#refuse();
    const known = this.#entries.get(uri);
    if (known === undefined && this.#entries.size >= MAX_URIS) return this.#refuse(TOO_MANY);
    const entry = known ?? this.#establish(uri, watch);
    // The same function may be registered twice.
    const listener: UpdateListener = (params) => onUpdated(params);
    entry.listeners.add(listener);
    const outcome = await entry.outcome;
    if (outcome.ok) return { ok: true, end: () => this.#drop(uri, entry, listener) };
    entry.listeners.delete(listener);
    if (entry.listeners.size === 0) this.#forget(uri, entry);
    return this.#refuse(outcome.failure);
  }

  /** Delivers an update of a resource to its listeners. */
  updated(params: JsonObject): void {
    const { uri } = params;
    if (typeof uri !== 'string') return;
    for (const [subscribed, { listeners }] of this.#entries)
      if (covers(subscribed, uri)) for (const listener of [...listeners]) listener(params);
  }

  /** Renews the subscriptions after the connection was replaced. */
  reconcile(): void {
    const watch = this.#watch;
    if (watch === undefined) return;
    for (const [uri, entry] of this.#entries) {
      if (entry.watch === watch) continue;
      entry.watch = watch;
      entry.outcome = watch.add(uri);
      // Updates during the interruption were not delivered.
      void entry.outcome.then(({ ok }) => {
        if (ok) for (const listener of [...entry.listeners]) listener({ uri });
      });
    }
  }

  /** The watch of the present connection: another object after a reconnect, `undefined` without a connection. */
  get #watch(): ResourceWatch | undefined {
    return this.#findPeer(this.#key)?.connection?.resources;
  }

  /** @param failure `undefined` when there is no connection */
  #refuse(failure?: RequestFailure): SubscribeOutcome {
    const peer = this.#findPeer(this.#key);
    if (peer === undefined)
      return { ok: false, error: { code: 'server.unknown', server: this.#server } };
    const error = failure === undefined ? notConnected(peer) : toDownstreamError(failure, peer);
    return { ok: false, error };
  }

  #establish(uri: string, watch: ResourceWatch): Entry {
    const entry: Entry = { listeners: new Set(), watch, outcome: watch.add(uri) };
    this.#entries.set(uri, entry);
    return entry;
  }

  #drop(uri: string, entry: Entry, listener: UpdateListener): void {
    if (!entry.listeners.delete(listener) || entry.listeners.size > 0) return;
    if (this.#forget(uri, entry) && entry.watch === this.#watch) entry.watch.remove(uri);
  }

  #forget(uri: string, entry: Entry): boolean {
    return this.#entries.get(uri) === entry && this.#entries.delete(uri);
  }
}

/** A resource, and the connection that follows it. */
interface SubscribedResource {
  /** Identifies the connections: the name of the server, or for those of one user a text that no server has as its name. */
  readonly key: string;
  readonly server: string;
  readonly uri: string;
}

/** The resource subscriptions of all servers. */
export interface Subscriptions {
  subscribe(resource: SubscribedResource, onUpdated: UpdateListener): Promise<SubscribeOutcome>;
  /** Delivers an update of a resource. */
  updated(key: string, params: Readonly<Record<string, unknown>>): void;
  /** Returns whether there is a subscription over these connections. */
  has(key: string): boolean;
  /** Renews the subscriptions of servers whose connection was replaced. */
  reconcile(): void;
}

const noSubscriptions = (server: string): DownstreamError => ({
  code: 'request.refused',
  server,
  rpcCode: RPC_CODE.methodNotFound,
  message: 'the server does not support resource subscriptions',
});

/** Returns empty subscriptions for the servers that `findPeer` finds by their keys. */
export const createSubscriptions = (findPeer: FindPeer): Subscriptions => {
  const byKey = new Map<string, ResourceSubscriptions>();
  return {
    async subscribe(resource, onUpdated) {
      const { key, server, uri } = resource;
      if (findPeer(key)?.connection?.features.resourceSubscriptions === false)
        return { ok: false, error: noSubscriptions(server) };
      const subscriptions = byKey.get(key) ?? new ResourceSubscriptions(resource, findPeer);
      byKey.set(key, subscriptions);
      const outcome = await subscriptions.subscribe(uri, onUpdated);
      if (!outcome.ok && subscriptions.isEmpty) byKey.delete(key);
      return outcome;
    },
    updated: (key, params) => byKey.get(key)?.updated(params),
    has: (key) => byKey.get(key)?.isEmpty === false,
    reconcile() {
      for (const [key, subscriptions] of byKey) {
        if (subscriptions.isEmpty) byKey.delete(key);
        else subscriptions.reconcile();
      }
    },
  };
};
