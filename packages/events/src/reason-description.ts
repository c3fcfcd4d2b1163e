import type { EventFacts, EventReason } from './event-facts.ts';
import type { EventKind, EventType } from './stored-event.ts';

/** What a message is made of: the resource, and what this reason says of it. */
export type MessageFacts<R extends EventReason> = EventFacts[R] & {
  readonly name: string;
  readonly namespace: string;
};

/** What a reason means. */
export interface ReasonDescription<R extends EventReason> {
  /** Of the resource that the event is about. */
  readonly kind: EventKind;
  readonly type: EventType;
  /** When it is reported, for people. */
  readonly when: string;
  /** The message as it is remembered and shown. */
  readonly message: (facts: MessageFacts<R>) => string;
}

/** The descriptions of the reasons whose names begin so. */
export type ReasonsOf<Prefix extends EventKind> = {
  readonly [R in Extract<EventReason, `${Prefix}${string}`>]: ReasonDescription<R>;
};

/** `: <error>`, or nothing when there is none. */
export const because = (error: string): string => (error === '' ? '' : `: ${error}`);

/** `a, b` */
export const listed = (names: readonly string[]): string => names.join(', ');
