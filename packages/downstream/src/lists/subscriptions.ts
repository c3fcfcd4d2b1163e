import { computeBackoffDelay, type JsonObject, RPC_CODE } from '@gateway/call-contract';
import {
  type Client,
  type McpSubscription,
  ProtocolError,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type DownstreamError,
  createConnectionError,
  type RequestPeer,
  toDownstreamError,
} from '../requests/requests.ts';
import type { RequestConnection } from '../requests/outgoing-requests.ts';
import { formatReason } from '../wire/reason.ts';
import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';

const RETRIES = { firstMs: 1_000, maxMs: 30_000 };

/** Opens a stream again with exponential backoff until `open` resolves with `true`. The health check detects a lost server. */
const reopen = async (open: () => Promise<boolean>, signal: AbortSignal): Promise<void> => {
  for (let count = 0; ; count += 1) {
    await pause(computeBackoffDelay(count, RETRIES), undefined, { signal, ref: false }).catch(
      () => undefined,
    );
    if (signal.aborted || (await open())) return;
  }
};

export type WatchOutcome =
  { readonly ok: true } | { readonly ok: false; readonly failure: RequestFailure };

export interface ResourceWatch {
  /** @param lists the announced lists of a 2026-07-28 server */
  start(lists: SubscriptionFilter): void;
  /** Never rejects. */
  add(uri: string): Promise<WatchOutcome>;
  remove(uri: string): void;
  stop(): void;
}

type SendRequest = (
  method: string,
  params: Readonly<Record<string, unknown>>,
) => Promise<RequestOutcome>;

/** Returns the watch of the 2025 revisions: one subscription request per resource. */
export const createSubscribingWatch = (send: SendRequest): ResourceWatch => ({
  async add(uri) {
    const outcome = await send('resources/subscribe', { uri });
    return outcome.ok ? { ok: true } : outcome;
  },
  remove(uri) {
    void send('resources/unsubscribe', { uri });
  },
  // These servers send changes of lists without a request, and drop their subscriptions when the connection ends.
  start: () => undefined,
  stop: () => undefined,
});

const toFailure = (error: unknown): RequestFailure =>
  error instanceof ProtocolError
    ? { kind: 'refused', rpcCode: error.code, message: error.message }
    : { kind: 'lost', reason: formatReason(error) };

const NOT_ANNOUNCED: RequestFailure = {
  kind: 'refused',
  rpcCode: RPC_CODE.invalidParams,
  message: 'the server does not announce changes of this resource',
};

interface GapObserver {
  readonly onListChanged: () => void;
  readonly onResourceUpdated?: (params: JsonObject) => void;
}

/** Lists and resources have a `subscriptions/listen` request each: a server that refuses one of them still announces the other. */
export const createListeningWatch = (
  client: Pick<Client, 'listen'>,
  observer: GapObserver,
): ResourceWatch => {
  const lists = new ListenStream(client, observer);
  const resources = new ListenStream(client, observer);
  return {
    start: (filter) => lists.start(filter),
    add: (uri) => resources.add(uri),
    remove: (uri) => resources.remove(uri),
    stop: () => {
      lists.stop();
      resources.stop();
    },
  };
};

/** A request for notifications that stays open. The request with a new filter is opened before the old one is closed, so that no change is missed. */
class ListenStream {
  readonly #client: Pick<Client, 'listen'>;
  readonly #observer: GapObserver;
  readonly #end = new AbortController();
  #lists: SubscriptionFilter | undefined;
  #uris: readonly string[] = [];
  #open: McpSubscription | undefined;
  #isInterrupted = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: Pick<Client, 'listen'>, observer: GapObserver) {
    this.#client = client;
    this.#observer = observer;
  }

  start(lists: SubscriptionFilter): void {
    if (Object.keys(lists).length === 0) return;
    this.#lists = lists;
    // Changes may have been missed before.
    this.#isInterrupted = true;
    void this.#openAgain(undefined).then((isDone) => {
      if (!isDone) this.#keepOpening(undefined);
    });
  }

  add(uri: string): Promise<WatchOutcome> {
    return this.#inTurn(async () => {
      const uris = [...this.#uris, uri];
      try {
        const subscription = await this.#listen(uris);
        if (subscription.honoredFilter.resourceSubscriptions?.includes(uri) !== true) {
          await subscription.close();
          return { ok: false, failure: NOT_ANNOUNCED };
        }
        await this.#replace(subscription);
        this.#uris = uris;
        return { ok: true };
      } catch (error) {
        return { ok: false, failure: toFailure(error) };
      }
    });
  }

  /** The stream stays open while other resources need it; notifications about this resource are ignored. */
  remove(uri: string): void {
    void this.#inTurn(async () => {
      this.#uris = this.#uris.filter((other) => other !== uri);
      if (this.#uris.length === 0 && this.#lists === undefined) await this.#replace(undefined);
    });
  }

  stop(): void {
    this.#end.abort();
  }

  #listen(uris: readonly string[]): Promise<McpSubscription> {
    const resources = uris.length === 0 ? {} : { resourceSubscriptions: [...uris] };
    return this.#client.listen({ ...this.#lists, ...resources }, { signal: this.#end.signal });
  }

  async #replace(next: McpSubscription | undefined): Promise<void> {
    const previous = this.#open;
    this.#open = next;
    if (next !== undefined) {
      void next.closed.then(() => {
        // A newer stream may have replaced it.
        if (this.#open !== next) return;
        this.#isInterrupted = true;
        this.#keepOpening(next);
      });
      if (this.#isInterrupted) this.#reportGap();
    }
    this.#isInterrupted = false;
    await previous?.close().catch(() => undefined);
  }

  #reportGap(): void {
    if (this.#lists !== undefined) this.#observer.onListChanged();
    for (const uri of this.#uris) this.#observer.onResourceUpdated?.({ uri });
  }

  #keepOpening(closed: McpSubscription | undefined): void {
    void reopen(() => this.#openAgain(closed), this.#end.signal);
  }

  /** Opens a stream in place of the closed one. Resolves with whether nothing more is to do. */
  #openAgain(closed: McpSubscription | undefined): Promise<boolean> {
    return this.#inTurn(async () => {
      try {
        if (this.#open === closed) await this.#replace(await this.#listen(this.#uris));
        return true;
      } catch (error) {
        // Subscriptions were confirmed to their callers; lists are read again in other ways too.
        if (this.#uris.length > 0) return false;
        return error instanceof ProtocolError && error.code === RPC_CODE.methodNotFound;
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

/** A subscription that lasts until `end` and over reconnects, or the reason why there is none. */
export type SubscribeOutcome =
  | { readonly ok: true; readonly end: () => void }
  | { readonly ok: false; readonly error: DownstreamError };

/** Receives the unchanged parameters of `notifications/resources/updated`. */
export type UpdateListener = (params: JsonObject) => void;

export interface SubscriptionPeer extends Omit<RequestPeer, 'connection'> {
  readonly connection: (RequestConnection & { readonly resources: ResourceWatch }) | undefined;
}

type FindPeer = (key: string) => SubscriptionPeer | undefined;

const MAX_URIS = 1_000;

interface Entry {
  readonly listeners: Set<UpdateListener>;
  /** The connection on which the server has, or is about to have, the subscription. */
  watch: ResourceWatch;
  outcome: Promise<WatchOutcome>;
}

/** A server may report a sub-resource of the subscribed resource. */
const isSubscriptionMatch = (subscribed: string, updated: string): boolean =>
  updated === subscribed ||
  updated.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);

const TOO_MANY: RequestFailure = {
  kind: 'refused',
  rpcCode: RPC_CODE.transport,
  message: `more than ${MAX_URIS} of its resources are subscribed to`,
};

/** The resource subscriptions of one server. Each resource has one subscription on the server, however many listeners it has. */
class ServerSubscriptions {
  readonly #key: string;
  readonly #server: string;
  readonly #findPeer: FindPeer;
  readonly #entries = new Map<string, Entry>();

  constructor(key: string, server: string, findPeer: FindPeer) {
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
    const entry = known ?? { listeners: new Set(), watch, outcome: watch.add(uri) };
    this.#entries.set(uri, entry);
    // The same function may be registered twice.
    const listener: UpdateListener = (params) => onUpdated(params);
    entry.listeners.add(listener);
    const outcome = await entry.outcome;
    if (outcome.ok) return { ok: true, end: () => this.#drop(uri, entry, listener) };
    entry.listeners.delete(listener);
    if (entry.listeners.size === 0) this.#forget(uri, entry);
    return this.#refuse(outcome.failure);
  }

  notifyUpdate(params: JsonObject): void {
    const { uri } = params;
    if (typeof uri !== 'string') return;
    for (const [subscribed, { listeners }] of this.#entries)
      if (isSubscriptionMatch(subscribed, uri))
        for (const listener of [...listeners]) listener(params);
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
    return {
      ok: false,
      error: failure ? toDownstreamError(failure, peer) : createConnectionError(peer),
    };
  }

  #drop(uri: string, entry: Entry, listener: UpdateListener): void {
    if (!entry.listeners.delete(listener) || entry.listeners.size > 0) return;
    if (this.#forget(uri, entry) && entry.watch === this.#watch) entry.watch.remove(uri);
  }

  #forget(uri: string, entry: Entry): boolean {
    return this.#entries.get(uri) === entry && this.#entries.delete(uri);
  }
}

interface SubscribedResource {
  /** Identifies the connections: the name of the server, or for those of one user a text that no server has as its name. */
  readonly key: string;
  readonly server: string;
  readonly uri: string;
}

/** The resource subscriptions over the connections that `findPeer` finds by their keys. */
export class ResourceSubscriptions {
  readonly #findPeer: FindPeer;
  readonly #byKey = new Map<string, ServerSubscriptions>();

  constructor(findPeer: FindPeer) {
    this.#findPeer = findPeer;
  }

  async subscribe(
    resource: SubscribedResource,
    onUpdated: UpdateListener,
  ): Promise<SubscribeOutcome> {
    const { key, server, uri } = resource;
    if (this.#findPeer(key)?.connection?.features.resourceSubscriptions === false) {
      const message = 'the server does not support resource subscriptions';
      const rpcCode = RPC_CODE.methodNotFound;
      return { ok: false, error: { code: 'request.refused', server, rpcCode, message } };
    }
    const subscriptions =
      this.#byKey.get(key) ?? new ServerSubscriptions(key, server, this.#findPeer);
    this.#byKey.set(key, subscriptions);
    const outcome = await subscriptions.subscribe(uri, onUpdated);
    if (!outcome.ok && subscriptions.isEmpty) this.#byKey.delete(key);
    return outcome;
  }

  notifyUpdate(key: string, params: JsonObject): void {
    this.#byKey.get(key)?.notifyUpdate(params);
  }

  has(key: string): boolean {
    return this.#byKey.get(key)?.isEmpty === false;
  }

  /** Renews the subscriptions of servers whose connection was replaced. */
  reconcile(): void {
    for (const [key, subscriptions] of this.#byKey) {
      if (subscriptions.isEmpty) this.#byKey.delete(key);
      else subscriptions.reconcile();
    }
  }
}
