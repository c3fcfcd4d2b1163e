export { createEventRecorder } from './create-event-recorder.ts';
export type {
  EventListener,
  EventRecorder,
  EventRecorderOptions,
} from './create-event-recorder.ts';
export type { EventFacts, EventReason, NoFacts } from './event-facts.ts';
export type { EventLines } from './event-lines.ts';
export { matchesQuery, type EventQuery } from './event-query.ts';
export { EVENT_REASONS } from './event-reasons.ts';
export { eventText } from './event-text.ts';
export type { EventSink, GatewayEvent } from './gateway-event.ts';
export { parseEventQuery, type EventFilter, type ParsedEventQuery } from './parse-event-query.ts';
export type { MessageFacts, ReasonDescription } from './reason-description.ts';
export { RECORDER_LIMITS, type RecorderLimits } from './recorder-limits.ts';
export type { EventKind, EventType, StoredEvent } from './stored-event.ts';
