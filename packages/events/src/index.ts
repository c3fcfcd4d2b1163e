export type { EventFacts, EventReason, NoFacts } from './event-facts.ts';
export type { EventSink, GatewayEvent } from './gateway-event.ts';
export type { EventKind, EventType, StoredEvent } from './stored-event.ts';
