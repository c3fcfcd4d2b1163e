import type { AgentStore } from '@gateway/agent-releases';

/** A store that is ready, or the sentence why it is not. */
export type OpenedReleases =
  | { readonly ok: true; readonly store: AgentStore }
  | { readonly ok: false; readonly problem: string };
