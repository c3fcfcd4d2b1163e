import type { CollectedMetrics } from './collected-metrics.ts';

/** The resources that exist now. Series of deleted ones are not reported. */
export interface ExistingResources {
  readonly servers: () => readonly { readonly name: string }[];
  readonly workflows: () => readonly { readonly name: string }[];
}

/** Replaces names beyond the limit. No resource has this name. */
export const OTHERS = '_other';

/** Returns the names of resources. */
export const namesOf = (resources: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(resources.map(({ name }) => name));

/** Returns the metrics without the series of deleted servers and workflows. */
export function withoutDeleted(
  metrics: CollectedMetrics,
  { servers, workflows }: ExistingResources,
): CollectedMetrics {
  const existing = { server: namesOf(servers()), workflow: namesOf(workflows()) };
  const exists = (label: keyof typeof existing, name: string | number | undefined): boolean =>
    name === undefined || name === OTHERS || existing[label].has(String(name));
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.filter(
      ({ labels }) => exists('server', labels['server']) && exists('workflow', labels['workflow']),
    ),
  }));
}
