import type { EventFacts, EventReason } from './event-facts.ts';

/** Something that happened to a resource, as whoever saw it reports it. The reason tells the resource's kind. @spec §6 */
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
