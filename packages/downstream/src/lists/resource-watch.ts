import { RPC_CODE } from '@gateway/call-contract';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client, McpSubscription, SubscriptionFilter } from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../wire/reason.ts';
import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** Opens a stream again with exponential backoff until `open` resolves with `true`. The health check detects a lost server. */
const reopen = async (open: () => Promise<boolean>, signal: AbortSignal): Promise<void> => {
  for (let delayMs = RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
    await pause(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted || (await open().catch(() => false))) return;
  }
};

/**
 * Holds a `subscriptions/listen` request open on a 2026-07-28 connection; its servers send list changes to listeners only. Connections of
 * the 2025 revisions need no request. Calls `onGap` when the stream opens, since changes may have been missed before.
 *
 * @param filter the announced lists; nothing is requested when it is empty
 * @returns a function that closes the stream
 */
export const listenForListChanges = (
  client: Pick<Client, 'listen'>,
  filter: SubscriptionFilter,
  onGap: () => void,
): (() => void) => {
  const controller = new AbortController();
  const { signal } = controller;
  const open = async (): Promise<boolean> => {
    try {
      const subscription = await client.listen(filter, { signal });
      onGap();
      void subscription.closed.then(() => reopen(open, signal));
      return true;
    } catch (error) {
      return error instanceof ProtocolError && error.code === RPC_CODE.methodNotFound;
    }
  };
  if (Object.keys(filter).length > 0)
    void open().then((isDone) => (isDone ? undefined : reopen(open, signal)));
  return () => controller.abort();
};

/** The result of watching a resource. */
export type WatchOutcome =
  { readonly ok: true } | { readonly ok: false; readonly failure: RequestFailure };

/** Watches single resources on one connection. */
export interface ResourceWatch {
  /** Never rejects. */
  add(uri: string): Promise<WatchOutcome>;
  remove(uri: string): void;
  stop(): void;
}

/** Sends one request on the connection. */
type Ask = (method: string, params: Readonly<Record<string, unknown>>) => Promise<RequestOutcome>;

/** Returns the watch of the 2025 revisions: one subscription request per resource. */
export const createSubscribingWatch = (ask: Ask): ResourceWatch => ({
  async add(uri) {
    const outcome = await ask('resources/subscribe', { uri });
    return outcome.ok ? { ok: true } : outcome;
  },
  remove(uri) {
    void ask('resources/unsubscribe', { uri });
  },
  // The server drops its subscriptions when the connection ends.
  stop: () => undefined,
});

const toFailure = (error: unknown): RequestFailure =>
  error instanceof ProtocolError
    ? { kind: 'refused', rpcCode: error.code, message: error.message }
    : { kind: 'lost', reason: reasonOf(error) };

const NOT_ANNOUNCED: RequestFailure = {
  kind: 'refused',
  rpcCode: RPC_CODE.invalidParams,
  message: 'the server does not announce changes of this resource',
};

/**
 * Watches resources on a 2026-07-28 connection with one `subscriptions/listen` request. The filter of a request cannot change, so the
 * request with the new filter is opened before the old one is closed, and no change is missed.
 */
export class ListeningWatch implements ResourceWatch {
  readonly #client: Pick<Client, 'listen'>;
  readonly #onGap: (uris: readonly string[]) => void;
  readonly #end = new AbortController();
  #uris: readonly string[] = [];
  #open: McpSubscription | undefined;
  #isInterrupted = false;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param onGap called after an interruption of the stream, when changes of these resources may have been missed */
  constructor(client: Pick<Client, 'listen'>, onGap: (uris: readonly string[]) => void) {
    this.#client = client;
    this.#onGap = onGap;
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
      if (this.#uris.length === 0) await this.#replace(undefined);
    });
  }

  stop(): void {
    this.#end.abort();
  }

  #listen(uris: readonly string[]): Promise<McpSubscription> {
    return this.#client.listen({ resourceSubscriptions: [...uris] }, { signal: this.#end.signal });
  }

  async #replace(next: McpSubscription | undefined): Promise<void> {
    const previous = this.#open;
    this.#open = next;
    if (next !== undefined) {
      void next.closed.then(() => this.#reopen(next));
      if (this.#isInterrupted) this.#onGap(this.#uris);
    }
    this.#isInterrupted = false;
    await previous?.close().catch(() => undefined);
  }

  /** Opens a closed stream again, unless a newer stream has replaced it. */
  #reopen(closed: McpSubscription): void {
    if (this.#open !== closed) return;
    this.#isInterrupted = true;
    const open = async (): Promise<boolean> => {
      if (this.#open === closed) await this.#replace(await this.#listen(this.#uris));
      return true;
    };
    void reopen(() => this.#inTurn(open), this.#end.signal);
  }

  /** Runs changes of the filter one after another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
