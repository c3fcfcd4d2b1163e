import type { EventReason } from './event-facts.ts';
import { EVENT_REASONS } from './event-reasons.ts';
import type { GatewayEvent } from './gateway-event.ts';
import type { MessageFacts } from './reason-description.ts';

/** Characters (UTF-16 units) of a message; what is longer ends in `…`. */
export const MAX_MESSAGE_CHARS = 1_024;

/** Namespace of what names none. */
export const DEFAULT_NAMESPACE = 'default';

/** What would break a line, or show another order than the one that is there. */
// Spelled out, since classes of Unicode cost many times as much, and every event comes by here.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** A text as one line of at most `max` characters. */
export const oneLine = (text: string, max: number): string => {
  // What is cut away is never looked at: a text may be megabytes.
  const line = text.slice(0, max + 1).replace(UNPRINTABLE, ' ');
  if (text.length <= max) return line;
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
};

// One entry of the table belongs to one member of the union: the compiler cannot see that they go together.
const messageOf = <R extends EventReason>(reason: R, facts: MessageFacts<R>): string =>
  EVENT_REASONS[reason].message(facts);

/** The message of an event: one line of at most 1,024 characters. @spec §6 */
export const eventText = (event: GatewayEvent): string => {
  const facts = event.namespace === undefined ? { ...event, namespace: DEFAULT_NAMESPACE } : event;
  return oneLine(messageOf(event.reason, facts as never), MAX_MESSAGE_CHARS);
};
