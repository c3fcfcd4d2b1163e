import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';

/** Whether a resource is watched now, or why not. */
export type WatchOutcome =
  { readonly ok: true } | { readonly ok: false; readonly failure: RequestFailure };

/** Makes the server of one connection announce changes of single resources. */
export interface ResourceWatch {
  /** Never rejects. */
  add(uri: string): Promise<WatchOutcome>;
  remove(uri: string): void;
  stop(): void;
}

/** Sends one request on the connection. */
type Ask = (method: string, params: Readonly<Record<string, unknown>>) => Promise<RequestOutcome>;

/** The way of the 2025 revisions: each resource is subscribed to by a request of its own. */
export const createSubscribingWatch = (ask: Ask): ResourceWatch => ({
  async add(uri) {
    const outcome = await ask('resources/subscribe', { uri });
    return outcome.ok ? { ok: true } : outcome;
  },
  remove(uri) {
    void ask('resources/unsubscribe', { uri });
  },
  // The server forgets its subscriptions with the connection.
  stop: () => undefined,
});
