export {
  type EventExchange,
  type EventLines,
  type EventListener,
  EventRecorder,
  parseStoredEvent,
} from './event-recorder.ts';
export {
  EVENT_KINDS,
  EVENT_REASONS,
  type EventFacts,
  type EventKind,
  type EventReason,
  type EventSink,
  type EventType,
  type GatewayEvent,
  type StoredEvent,
  formatEventMessage,
} from './gateway-event.ts';
export type { HistoryEvent } from './event-ring.ts';
export { isEventMatch, type EventQuery, parseEventQuery } from './event-query.ts';
export { RECORDER_LIMITS } from './event-ring.ts';
