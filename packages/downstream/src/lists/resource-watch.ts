import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';

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
