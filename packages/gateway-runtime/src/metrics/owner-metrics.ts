import { Counter, type Registry } from 'prom-client';
import { metricConfig } from './metric-config.ts';
import { METRICS } from './metric-table.ts';

/** Counters that the process which owns the servers has too. */
export interface OwnerMetrics {
  /** Counts an event. */
  readonly eventSeen: (reason: string) => void;
  /** Counts records of the audit log that were not written. */
  readonly auditRecordsLost: (records: number) => void;
  /** Counts a tool whose `readOnlyHint` changed to true. */
  readonly hintWidened: (widened: { readonly server: string; readonly held: boolean }) => void;
}

/** Registers the counters of the process that owns the servers. */
export function registerOwnerMetrics(registry: Registry): OwnerMetrics {
  const events = new Counter(metricConfig(registry, METRICS.events));
  const widenings = new Counter(metricConfig(registry, METRICS.hintWidenings));
  const lost = new Counter(metricConfig(registry, METRICS.auditRecordsLost));
  return {
    auditRecordsLost: (records) => {
      lost.inc(records);
    },
    eventSeen: (reason) => {
      events.inc({ reason });
    },
    hintWidened: ({ server, held }) => {
      widenings.inc({ server, held: String(held) });
    },
  };
}
