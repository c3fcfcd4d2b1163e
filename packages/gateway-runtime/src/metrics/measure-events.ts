import type { EventListener } from '@gateway/events';
import type { OwnerMetrics } from './owner-metrics.ts';

/** Counts the events of a recorder by reason. */
export function measureEvents<
  Recorder extends { readonly subscribe: (listener: EventListener) => () => void },
>(recorder: Recorder, { eventSeen }: Pick<OwnerMetrics, 'eventSeen'>): Recorder {
  recorder.subscribe(({ reason }) => {
    eventSeen(reason);
  });
  return recorder;
}
