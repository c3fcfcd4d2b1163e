import {
  createEventRecorder,
  type EventListener,
  type EventRecorder,
  type EventSink,
} from '@gateway/events';
import type { StateDirectory } from '@gateway/durable-files';
import type { GatewayStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { GatewayConfig } from '@gateway/gateway-config';
import { openEventLog } from './open-event-log.ts';

/** The events of a gateway. */
export interface GatewayEvents {
  readonly emit: EventSink;
  readonly query: EventRecorder['query'];
  readonly subscribe: (listener: EventListener) => () => void;
}

/** The events of a gateway whose recorder runs in this process. */
export interface RecordedEvents extends GatewayEvents {
  readonly close: () => Promise<void>;
}

/** Options of {@link openEventRecorder}. */
export interface EventRecorderOptions {
  readonly config: Pick<GatewayConfig, 'events'>;
  /** Directory of the event log; without it events end with the process. */
  readonly state?: StateDirectory | undefined;
  /** The store, which may have a storage of events of its own. */
  readonly store?: Pick<GatewayStore, 'eventLines'>;
  readonly logger: Logger;
}

/** Opens the recorder of events, in memory and in the storage of the store, or with a state directory on disk. */
export function openEventRecorder(options: EventRecorderOptions): RecordedEvents {
  const { config, state, store, logger } = options;
  const { maxEvents, aggregationSeconds } = config.events;
  const lines = store?.eventLines ?? (state && openEventLog(state.path));
  const recorder = createEventRecorder({
    ...(lines !== undefined && { lines }),
    now: Date.now,
    warn: (text) => {
      logger.warn(text);
    },
    limits: { maxEvents, aggregationMs: aggregationSeconds * 1000 },
  });
  void recorder.load();
  const { emit, query, subscribe, close } = recorder;
  return { emit, query, subscribe, close };
}
