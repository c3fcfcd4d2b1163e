import { RPC_CODE } from '@gateway/call-contract';
import type { DownstreamError } from '../requests/call.ts';
import type { ResourceWatch, WatchOutcome } from './resource-watch.ts';

type OpenRecord = Readonly<Record<string, unknown>>;

/** A subscription that lasts until `end`, over reconnects too; or why there is none. */
export type SubscribeOutcome =
  | { readonly ok: true; readonly end: () => void }
  | { readonly ok: false; readonly error: DownstreamError };

/** EventTransition of a change with the parameters of `notifications/resources/updated`, as they came. */
export type UpdateListener = (params: OpenRecord) => void;

/** What the subscriptions need of a server. */
export interface SubscribedServer {
  /** The watch of the present connection; another object after a reconnect. `undefined` while there is none. */
  readonly watch: () => ResourceWatch | undefined;
  /** Why there is no subscription now. */
  readonly refusal: (outcome?: WatchOutcome & { readonly ok: false }) => DownstreamError;
}

/** Resources of one server that may be subscribed to at once. */
const MAX_URIS = 1_000;

interface Entry {
  readonly listeners: Set<UpdateListener>;
  /** On which connection the server knows of it, or is being told. */
  watch: ResourceWatch;
  outcome: Promise<WatchOutcome>;
}

/** A server may name a part of what was subscribed to. */
const covers = (subscribed: string, updated: string): boolean =>
  updated === subscribed ||
  updated.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);

const TOO_MANY: WatchOutcome & { readonly ok: false } = {
  ok: false,
  failure: {
    kind: 'refused',
    rpcCode: RPC_CODE.transport,
    message: `more than ${MAX_URIS} of its resources are subscribed to`,
  },
};

/** The subscriptions to the resources of one server. Each resource is subscribed to once, however many listen. */
export class ResourceSubscriptions {
  readonly #server: SubscribedServer;
  readonly #entries = new Map<string, Entry>();

  constructor(server: SubscribedServer) {
    this.#server = server;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  async subscribe(uri: string, onUpdated: UpdateListener): Promise<SubscribeOutcome> {
    const watch = this.#server.watch();
    if (watch === undefined) return { ok: false, error: this.#server.refusal() };
    const known = this.#entries.get(uri);
    if (known === undefined && this.#entries.size >= MAX_URIS)
      return { ok: false, error: this.#server.refusal(TOO_MANY) };
    const entry = known ?? this.#establish(uri, watch);
    // The same function may listen twice.
    const listener: UpdateListener = (params) => onUpdated(params);
    entry.listeners.add(listener);
    const outcome = await entry.outcome;
    if (outcome.ok) return { ok: true, end: () => this.#drop(uri, entry, listener) };
    entry.listeners.delete(listener);
    if (entry.listeners.size === 0) this.#forget(uri, entry);
    return { ok: false, error: this.#server.refusal(outcome) };
  }

  /** The server says that a resource has changed. */
  updated(params: OpenRecord): void {
    const { uri } = params;
    if (typeof uri !== 'string') return;
    for (const [subscribed, { listeners }] of this.#entries)
      if (covers(subscribed, uri)) for (const listener of [...listeners]) listener(params);
  }

  /** The connection may be another one now. */
  reconcile(): void {
    const watch = this.#server.watch();
    if (watch === undefined) return;
    for (const [uri, entry] of this.#entries) {
      if (entry.watch === watch) continue;
      entry.watch = watch;
      entry.outcome = watch.add(uri);
      // What happened meanwhile was told to nobody.
      void entry.outcome.then(({ ok }) => {
        if (ok) for (const listener of [...entry.listeners]) listener({ uri });
      });
    }
  }

  #establish(uri: string, watch: ResourceWatch): Entry {
    const entry: Entry = { listeners: new Set(), watch, outcome: watch.add(uri) };
    this.#entries.set(uri, entry);
    return entry;
  }

  #drop(uri: string, entry: Entry, listener: UpdateListener): void {
    if (!entry.listeners.delete(listener) || entry.listeners.size > 0) return;
    if (this.#forget(uri, entry) && entry.watch === this.#server.watch()) entry.watch.remove(uri);
  }

  #forget(uri: string, entry: Entry): boolean {
    return this.#entries.get(uri) === entry && this.#entries.delete(uri);
  }
}
