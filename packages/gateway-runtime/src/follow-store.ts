import {
  resourceProblemText,
  type GatewayStore,
  type StoreState,
  type WorkflowResource,
} from '@gateway/resource-store';
import type { McpServer } from '@gateway/crd-schemas';
import type { Logger } from 'pino';
import type { LiveConfiguration } from '@gateway/gateway-config';

/** The receivers of the desired state. */
export interface StoreFollowers {
  readonly live: LiveConfiguration;
  readonly apply: (servers: readonly McpServer[]) => void;
  readonly applyWorkflows: (
    workflows: readonly WorkflowResource[],
    previous: readonly WorkflowResource[],
  ) => void;
  readonly logger: Logger;
}

/**
 * Applies the servers and workflows of the store now and after each change, and each edit of its configuration.
 *
 * @returns a function that stops it
 */
export function followStore(store: GatewayStore, followers: StoreFollowers): () => void {
  const { live, apply, applyWorkflows, logger } = followers;
  const first = store.current();
  logProblems(logger, first);
  apply(first.servers);
  applyWorkflows(first.workflows, []);
  return store.subscribe((state, previous) => {
    logProblems(logger, state, previous);
    if (state.config !== previous.config) live.update(state.config);
    if (state.servers !== previous.servers) apply(state.servers);
    if (state.workflows !== previous.workflows) applyWorkflows(state.workflows, previous.workflows);
  });
}

/** Logs each problem once, not again when something else changes. */
function logProblems(logger: Logger, state: StoreState, previous?: StoreState): void {
  const known = new Set(problemLines(previous));
  for (const line of problemLines(state)) if (!known.has(line)) logger.error(line);
}

function problemLines(state: StoreState | undefined): readonly string[] {
  return [...(state?.configProblems ?? []), ...(state?.problems ?? [])].map(resourceProblemText);
}
