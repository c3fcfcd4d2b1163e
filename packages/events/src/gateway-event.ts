import type { EventFacts, EventKind, EventReason, EventType } from './event-reasons.ts';

/** A state change of a resource. The reason determines the kind of the resource. @spec §6 */
export type GatewayEvent = {
  readonly [R in EventReason]: {
    readonly reason: R;
    /** Of the resource. */
    readonly name: string;
    /** `default` when absent. */
    readonly namespace?: string;
  } & EventFacts[R];
}[EventReason];

/** Takes events; must not throw. */
export type EventSink = (event: GatewayEvent) => void;

/** A recorded event with the count of its occurrences. Times are milliseconds since the epoch. */
export interface StoredEvent {
  /** Increases with every occurrence, also across restarts. An aggregated event has the number of its latest occurrence. */
  readonly id: number;
  readonly kind: EventKind;
  readonly name: string;
  readonly namespace: string;
  readonly reason: string;
  readonly message: string;
  readonly type: EventType;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}
