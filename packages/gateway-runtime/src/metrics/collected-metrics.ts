import type { Registry } from 'prom-client';

/** Metrics of one process as plain data. */
export type CollectedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
