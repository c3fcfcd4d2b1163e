import { EVENT_REASONS } from './event-reasons.ts';
import type { GatewayEvent } from './gateway-event.ts';

/** Maximum length of a message in UTF-16 units; a longer one ends in `…`. */
export const MAX_MESSAGE_CHARS = 1_024;

/** Namespace of a resource without a namespace. */
export const DEFAULT_NAMESPACE = 'default';

/** Characters that break a line or change the displayed order. */
// Listed explicitly, because Unicode classes are much slower, and every event passes here.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** Returns a text as one line of at most `max` characters. */
export const toSingleLine = (text: string, max: number): string => {
  // Cuts before the replacement, because a text can have megabytes.
  const line = text.slice(0, max + 1).replace(UNPRINTABLE, ' ');
  if (text.length <= max) return line;
  return `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/u, '')}…`;
};

/** Returns the message of an event: one line of at most 1,024 characters. @spec §6 */
export const formatEventMessage = (event: GatewayEvent): string => {
  const facts = event.namespace === undefined ? { ...event, namespace: DEFAULT_NAMESPACE } : event;
  // Each entry of the table belongs to one member of the union, which the compiler cannot infer.
  const message = EVENT_REASONS[event.reason].message(facts as never);
  return toSingleLine(message, MAX_MESSAGE_CHARS);
};
