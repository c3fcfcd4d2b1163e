import {
  createEventRecorder,
  type EventListener,
  type EventRecorder,
  type EventSink,
} from '@gateway/events';
import type { StateDirectory } from '@gateway/durable-files';
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
  readonly logger: Logger;
}

/** Opens the recorder of events, in memory and, with a state directory, on disk. */
export function openEventRecorder({ config, state, logger }: EventRecorderOptions): RecordedEvents {
  const { maxEvents, aggregationSeconds } = config.events;
  const recorder = createEventRecorder({
    ...(state !== undefined && { lines: openEventLog(state.path) }),
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
