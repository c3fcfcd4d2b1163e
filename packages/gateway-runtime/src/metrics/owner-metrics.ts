import { Counter, type Registry } from 'prom-client';
import { metricConfig } from './metric-config.ts';
import { METRICS } from './metric-table.ts';

/** Counters of the process that owns the servers. */
export interface OwnerMetrics {
  /** Counts an event. */
  readonly eventSeen: (reason: string) => void;
  /** Counts a tool whose `readOnlyHint` changed to true. */
  readonly hintWidened: (widened: { readonly server: string; readonly held: boolean }) => void;
}

/** Registers the counters of the process that owns the servers. */
export function registerOwnerMetrics(registry: Registry): OwnerMetrics {
  const events = new Counter(metricConfig(registry, METRICS.events));
  const widenings = new Counter(metricConfig(registry, METRICS.hintWidenings));
  return {
    eventSeen: (reason) => {
      events.inc({ reason });
    },
    hintWidened: ({ server, held }) => {
      widenings.inc({ server, held: String(held) });
    },
  };
}
