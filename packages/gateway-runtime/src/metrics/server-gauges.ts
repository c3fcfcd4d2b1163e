import { Gauge, type Registry } from 'prom-client';
import { metricConfig } from './metric-config.ts';
import { METRICS } from './metric-table.ts';

/** What the gauges show of a server. */
export interface GaugedServer {
  readonly name: string;
  readonly state: string;
  readonly health: string;
  readonly status: { readonly restartCount: number; readonly consecutiveFailures: number };
  readonly toolChanges?: readonly unknown[];
}

/** The gauges of one server each, by the name of the metric. All processes of a gateway know them. */
export const SERVER_GAUGES = [
  METRICS.serverState,
  METRICS.serverHealth,
  METRICS.serverRestarts,
  METRICS.serverFailures,
  METRICS.serverToolChanges,
] as const;

/** Registers gauges that are read off the servers at the moment of a scrape. */
export function registerServerGauges(
  registry: Registry,
  servers: () => readonly GaugedServer[],
): void {
  const gauge = <Label extends string>(
    metric: Parameters<typeof metricConfig<Label>>[1],
    show: (gauge: Gauge<Label>, server: GaugedServer) => void,
  ): void => {
    new Gauge<Label>({
      ...metricConfig(registry, metric),
      collect() {
        this.reset();
        for (const server of servers()) show(this, server);
      },
    });
  };
  gauge(METRICS.serverState, (state, { name, state: word }) => {
    state.set({ server: name, state: word }, 1);
  });
  gauge(METRICS.serverHealth, (health, { name, health: word }) => {
    health.set({ server: name, health: word }, 1);
  });
  gauge(METRICS.serverRestarts, (restarts, { name, status }) => {
    restarts.set({ server: name }, status.restartCount);
  });
  gauge(METRICS.serverFailures, (failures, { name, status }) => {
    failures.set({ server: name }, status.consecutiveFailures);
  });
  gauge(METRICS.serverToolChanges, (changes, { name, toolChanges = [] }) => {
    changes.set({ server: name }, toolChanges.length);
  });
}
