import type { Downstream } from '@gateway/downstream';
import type { createProcessRoutes } from '@gateway/service-host';

/** The answer of `/readyz`. */
export type Readiness = ReturnType<Parameters<typeof createProcessRoutes>[0]['readiness']>;

/** The readiness of a gateway. */
export interface GatewayReadiness {
  /** Returns the state now, with the servers that start automatically and are not connected. */
  readonly current: () => Readiness;
  /** Resolves when every server that starts automatically was tried once, within a time limit. */
  readonly settled: Promise<void>;
  /** Records that the endpoint accepts connections; a gateway is not ready before. */
  readonly serve: () => void;
  /** Records that the gateway stops. */
  readonly drain: () => void;
}

/**
 * Follows the readiness of a gateway whose servers are applied.
 *
 * @param read resolves when every definition was read once: a replica without them would serve an empty catalog
 */
export function followReadiness(
  downstream: Downstream,
  read: Promise<void> = Promise.resolve(),
): GatewayReadiness {
  let isSettled = false;
  let isServing = false;
  let isDraining = false;
  const settled = downstream.settled();
  void settled
    .then(() => read)
    // Of servers that were read later.
    .then(() => downstream.settled())
    .then(() => {
      isSettled = true;
    });
  const status = (): Readiness['status'] => {
    if (isDraining) return 'draining';
    return isSettled && isServing ? 'ready' : 'starting';
  };
  const missing = (): readonly string[] =>
    downstream
      .servers()
      .filter(
        ({ definition, connectionId }) => definition.spec.autoStart && connectionId === undefined,
      )
      .map(({ name }) => name);
  return {
    current: () => ({ status: status(), missing: missing() }),
    settled,
    serve: () => {
      isServing = true;
    },
    drain: () => {
      isDraining = true;
    },
  };
}
