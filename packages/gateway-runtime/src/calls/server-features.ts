import type { ServerFeatures } from '@gateway/call-contract';
import type { Downstream } from '@gateway/downstream';

/** The optional features of the connected servers, computed when servers change and not per request. */
export interface LiveServerFeatures {
  /** Returns the features that at least one connected server has; the same object while nothing changes. */
  readonly union: () => ServerFeatures;
  /** Returns whether a server supports completions. */
  readonly hasCompletions: (server: string) => boolean;
}

/** Follows the features of the connected servers. */
export function followServerFeatures(downstream: Downstream): LiveServerFeatures {
  let current = readFeatures(downstream);
  downstream.onChange(() => {
    current = readFeatures(downstream);
  });
  return {
    union: () => current.union,
    hasCompletions: (server) => current.withCompletions.has(server),
  };
}

function readFeatures(downstream: Downstream) {
  const shared = downstream.servers().map(({ name, features }) => [name, features] as const);
  const known = [...shared, ...downstream.personalFeatures()];
  const some = (feature: keyof ServerFeatures): boolean =>
    known.some(([, features]) => features?.[feature] === true);
  const union: ServerFeatures = {
    completions: some('completions'),
    resourceSubscriptions: some('resourceSubscriptions'),
    logging: some('logging'),
  };
  const withCompletions = new Set(
    known.flatMap(([name, features]) => (features?.completions === true ? [name] : [])),
  );
  return { union, withCompletions };
}
