import { Gauge, type Registry } from 'prom-client';
import { metricConfig } from './metric-config.ts';
import { METRICS } from './metric-table.ts';

/** The values of a server that the gauges show. */
export interface GaugedServer {
  readonly name: string;
  readonly state: string;
  readonly health: string;
  readonly status: { readonly restartCount: number; readonly consecutiveFailures: number };
  readonly toolChanges?: readonly unknown[];
  /** Absent when the server is not connected. */
  readonly connectionId?: number;
  /** Absent for a server with one process for all clients. */
  readonly instances?: number;
}

/** Registers gauges that a scrape reads from the servers. */
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
  gauge(METRICS.serverState, (state, { name, state: value }) => {
    state.set({ server: name, state: value }, 1);
  });
  gauge(METRICS.serverHealth, (health, { name, health: value }) => {
    health.set({ server: name, health: value }, 1);
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
  gauge(METRICS.serverConnections, (connections, { name, connectionId }) => {
    connections.set({ server: name }, connectionId === undefined ? 0 : 1);
  });
  gauge(METRICS.serverInstances, (instances, { name, instances: count }) => {
    if (count !== undefined) instances.set({ server: name }, count);
  });
}
