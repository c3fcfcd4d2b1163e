import type { AgentStore } from '@gateway/agent-releases';

/** An open store, or the reason why it cannot be opened. */
export type OpenedReleases =
  | { readonly ok: true; readonly store: AgentStore }
  | { readonly ok: false; readonly problem: string };
