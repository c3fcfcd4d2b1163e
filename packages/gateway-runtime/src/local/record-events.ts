import {
  createEventRecorder,
  type EventListener,
  type EventRecorder,
  type EventSink,
} from '@gateway/events';
import { openEventLog, type StateDirectory } from '@gateway/resource-store';
import type { Logger } from 'pino';
import type { GatewayConfig } from '@gateway/gateway-config';
import type { OwnerMetrics } from '../metrics/owner-metrics.ts';

/** The events of a gateway, wherever they are remembered. */
export interface GatewayEvents {
  readonly emit: EventSink;
  readonly query: EventRecorder['query'];
  readonly subscribe: (listener: EventListener) => () => void;
}

/** Events that are remembered here. */
export interface RecordedEvents extends GatewayEvents {
  readonly close: () => Promise<void>;
}

/** What recording needs. */
export interface RecordedEventsParts {
  readonly config: Pick<GatewayConfig, 'events'>;
  /** Without it they end with the process. */
  readonly state?: StateDirectory | undefined;
  readonly metrics: Pick<OwnerMetrics, 'eventSeen'>;
  readonly logger: Logger;
}

/** Remembers events in memory and, where there is a state directory, on disk too, and counts them. */
export function recordEvents({
  config,
  state,
  metrics,
  logger,
}: RecordedEventsParts): RecordedEvents {
  const { maxEvents, aggregationSeconds } = config.events;
  const recorder = createEventRecorder({
    ...(state !== undefined && { lines: openEventLog(state.path) }),
    now: Date.now,
    warn: (text) => {
      logger.warn(text);
    },
    limits: { maxEvents, aggregationMs: aggregationSeconds * 1000 },
  });
  recorder.subscribe(({ reason }) => {
    metrics.eventSeen(reason);
  });
  void recorder.load();
  const { emit, query, subscribe, close } = recorder;
  return { emit, query, subscribe, close };
}
