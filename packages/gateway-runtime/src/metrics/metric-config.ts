import type { Registry } from 'prom-client';
import type { MetricDescription } from './metric-table.ts';

/** What the metrics library wants to know of a metric of the table. */
export function metricConfig<Label extends string>(
  registry: Registry,
  { name, help, labels }: Omit<MetricDescription, 'labels'> & { readonly labels: readonly Label[] },
) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}
