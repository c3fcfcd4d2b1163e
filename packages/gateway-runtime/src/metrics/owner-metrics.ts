import { Counter, type Registry } from 'prom-client';
import { namesOf, type ExistingResources } from './existing-names.ts';
import { metricConfig } from './metric-config.ts';
import { METRICS } from './metric-table.ts';
import {
  registerSignInMetrics,
  type SignInMetrics,
  type SignInSources,
} from './sign-in-metrics.ts';

/** Counters that the process which owns the servers has too. */
export interface OwnerMetrics extends SignInMetrics {
  /** Counts an event. */
  readonly eventSeen: (reason: string) => void;
  /** Counts records of the audit log that were not written. */
  readonly auditRecordsLost: (records: number) => void;
  /** Counts a tool whose `readOnlyHint` changed to true. */
  readonly hintWidened: (widened: { readonly server: string; readonly held: boolean }) => void;
}

/**
 * Registers the counters of the process that owns the servers.
 *
 * @param sources returns the servers that exist; the series of deleted ones are removed
 */
export function registerOwnerMetrics(registry: Registry, sources: SignInSources): OwnerMetrics {
  const events = new Counter(metricConfig(registry, METRICS.events));
  const widenings = registerWidenings(registry, sources.servers);
  const lost = new Counter(metricConfig(registry, METRICS.auditRecordsLost));
  return {
    ...registerSignInMetrics(registry, sources),
    auditRecordsLost: (records) => {
      lost.inc(records);
    },
    eventSeen: (reason) => {
      events.inc({ reason });
    },
    hintWidened: ({ server, held }) => {
      const counts = widenings.get(server) ?? { held: 0, effective: 0 };
      counts[held ? 'held' : 'effective'] += 1;
      widenings.set(server, counts);
    },
  };
}

interface Widenings {
  held: number;
  effective: number;
}

function registerWidenings(
  registry: Registry,
  servers: ExistingResources['servers'],
): Map<string, Widenings> {
  const byServer = new Map<string, Widenings>();
  new Counter({
    ...metricConfig(registry, METRICS.hintWidenings),
    collect() {
      const existing = namesOf(servers());
      this.reset();
      for (const [server, { held, effective }] of byServer) {
        if (!existing.has(server)) byServer.delete(server);
        else {
          if (held > 0) this.inc({ server, held: 'true' }, held);
          if (effective > 0) this.inc({ server, held: 'false' }, effective);
        }
      }
    },
  });
  return byServer;
}
