import type { Registry } from 'prom-client';
import type { MetricDescription } from './metric-table.ts';

/** Returns the settings of a metric of the table for the metrics library. */
export function metricConfig<Label extends string>(
  registry: Registry,
  { name, help, labels }: Omit<MetricDescription, 'labels'> & { readonly labels: readonly Label[] },
) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}
