import type { AgentStore } from '@gateway/agent-releases';

/** An open store, or a sentence that says why there is none. */
export type OpenedReleases =
  | { readonly ok: true; readonly store: AgentStore }
  | { readonly ok: false; readonly problem: string };
