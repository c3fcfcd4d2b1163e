import { createDownstream, type Downstream } from '@gateway/downstream';
import type { PresetSet } from '@gateway/preset-resolver';
import type { FileStore, StateDirectory } from '@gateway/resource-store';
import type { Logger } from 'pino';
import {
  type GatewayConfig,
  createLiveConfiguration,
  type Address,
  configurationCommands,
} from '@gateway/gateway-config';
import { downstreamOptions } from '../downstream-options.ts';
import type { OwnerMetrics } from '../metrics/owner-metrics.ts';
import { createExecutionStore } from '../workflows/execution-store.ts';
import { logWorkflowWarnings } from '../workflows/workflow-warnings.ts';
import { recordEvents, type RecordedEvents } from './record-events.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { refusedServers } from './refused-servers.ts';
import { publishResourceEvents } from './publish-resource-events.ts';

/** What keeping needs. */
export interface LocalServicesOptions {
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly store: FileStore;
  /** The configuration directory, from which relative paths count. */
  readonly directory?: string;
  /** What is remembered over restarts is here; without it, it ends with the process. */
  readonly state?: StateDirectory | undefined;
  /** Where records of runs are written; without it they end with the process. */
  readonly executionsDirectory?: string;
  /** Absent when nothing listens. */
  readonly address?: Address;
  readonly metrics: OwnerMetrics;
  readonly logger: Logger;
}

/** Keeps servers, runs, events and the configuration in this process. */
export function createLocalServices(parts: LocalServicesOptions): GatewayServices {
  const { store, logger } = parts;
  const events = recordEvents(parts);
  const live = createLiveConfiguration(parts, logger, events.emit);
  const downstream = supervised(parts, events);
  const executions = createExecutionStore(parts, logger);
  const stopEvents = publishResourceEvents(store, { emit: events.emit, logger });
  return {
    isLocal: true,
    live,
    downstream,
    executions,
    warnings: logWorkflowWarnings(logger),
    events,
    configuration: configurationCommands({ ...parts, live }),
    refusedServers: () => Promise.resolve(refusedServers(store)),
    close: async () => {
      stopEvents();
      await Promise.all([downstream.close(), executions.close()]);
      await events.close();
      await parts.state?.release();
    },
  };
}

function supervised(parts: LocalServicesOptions, { emit }: RecordedEvents): Downstream {
  const { config, directory, state, metrics, logger } = parts;
  return createDownstream({
    ...downstreamOptions(config, logger),
    ...(directory !== undefined && { baseDirectory: directory }),
    ...(state !== undefined && { declaredTools: state.text('declared-tools.json') }),
    emit,
    pinToolHints: config.pinToolHints,
    onHintWidened: (widened) => {
      metrics.hintWidened(widened);
    },
  });
}
