import type { AgentStore } from '../store/agent-store.ts';

/** An open store, or the reason why it cannot be opened. */
export type OpenedReleases =
  | { readonly ok: true; readonly store: AgentStore }
  | { readonly ok: false; readonly problem: string };

/** The stores of callers in one cluster. */
export interface CallerReleases {
  /** Returns the store whose requests carry this token. Concurrent and later calls with a token share a store; closing it has no effect. */
  readonly storeOf: (token: string) => AgentStore;
  /** Checks that the API answers, without credentials: a refusal is an answer. */
  readonly check: AgentStore['check'];
  /** Ends the running requests of all stores. */
  readonly close: () => Promise<void>;
}

/** The open stores of callers, or the reason why they cannot be opened. */
export type OpenedCallerReleases =
  | { readonly ok: true; readonly releases: CallerReleases }
  | { readonly ok: false; readonly problem: string };
