export {
  createEventRecorder,
  type EventExchange,
  type EventListener,
  type EventRecorder,
} from './create-event-recorder.ts';
export type { EventSink, GatewayEvent, StoredEvent } from './gateway-event.ts';
export { type EventLines, parseStoredEvent } from './event-lines.ts';
export type { HistoryEvent } from './event-ring.ts';
export { isEventMatch, type EventQuery, parseEventQuery } from './event-query.ts';
export {
  EVENT_KINDS,
  EVENT_REASONS,
  type EventFacts,
  type EventReason,
  type EventKind,
  type EventType,
} from './event-reasons.ts';
export { formatEventMessage } from './event-text.ts';
export { RECORDER_LIMITS } from './event-ring.ts';
