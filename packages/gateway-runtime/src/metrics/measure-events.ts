import type { EventSink } from '@gateway/events';
import type { Metrics } from './metrics.ts';

/** Counts the events of this process by reason. Other replicas count theirs. */
export function measureEvents<Recorder extends { readonly emit: EventSink }>(
  recorder: Recorder,
  { eventSeen }: Pick<Metrics, 'eventSeen'>,
): Recorder {
  const emit: EventSink = (event) => {
    eventSeen(event.reason);
    recorder.emit(event);
  };
  return { ...recorder, emit };
}
