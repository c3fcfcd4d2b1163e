import type { EventFacts, EventReason } from './event-facts.ts';
import type { EventKind, EventType } from './stored-event.ts';

/** The facts of a message: the resource and the facts of the reason. */
export type MessageFacts<R extends EventReason> = EventFacts[R] & {
  readonly name: string;
  readonly namespace: string;
};

/** The description of a reason. */
export interface ReasonDescription<R extends EventReason> {
  /** Kind of the resource. */
  readonly kind: EventKind;
  readonly type: EventType;
  /** The condition of the event, as a sentence. */
  readonly when: string;
  /** The message. */
  readonly message: (facts: MessageFacts<R>) => string;
}

/** The descriptions of the reasons whose names have this prefix. */
export type ReasonsOf<Prefix extends EventKind> = {
  readonly [R in Extract<EventReason, `${Prefix}${string}`>]: ReasonDescription<R>;
};

/** `: <error>`, or nothing when there is none. */
export const because = (error: string): string => (error === '' ? '' : `: ${error}`);

/** `a, b` */
export const listed = (names: readonly string[]): string => names.join(', ');
