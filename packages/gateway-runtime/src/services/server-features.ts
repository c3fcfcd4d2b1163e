import type { Downstream } from '@gateway/downstream';

/** What some connected server has beside its lists. */
export interface Features {
  readonly completions: boolean;
  readonly resourceSubscriptions: boolean;
  readonly logging: boolean;
}

/** What the connected servers have, worked out after a change and not for a request. */
export interface FeatureWatch {
  /** What they have together. */
  readonly together: () => Features;
  /** Whether one of them completes arguments. */
  readonly completes: (server: string) => boolean;
}

/** Follows what the servers have. */
export function watchFeatures(downstream: Downstream): FeatureWatch {
  let now = look(downstream);
  downstream.onChange(() => {
    now = look(downstream);
  });
  return { together: () => now.together, completes: (server) => now.completing.has(server) };
}

function look(downstream: Downstream) {
  const servers = downstream.servers();
  const some = (feature: keyof Features): boolean =>
    servers.some(({ features }) => features?.[feature] === true);
  const together: Features = {
    completions: some('completions'),
    resourceSubscriptions: some('resourceSubscriptions'),
    logging: some('logging'),
  };
  const completing = new Set(
    servers.filter(({ features }) => features?.completions).map(({ name }) => name),
  );
  return { together, completing };
}
