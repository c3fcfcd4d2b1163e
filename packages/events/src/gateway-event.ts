import type { EventFacts, EventReason } from './event-facts.ts';

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
