import { MAX_MESSAGE_CHARS, oneLine } from './event-text.ts';
import type { StoredEvent } from './stored-event.ts';

/** Characters of a line that is read; what is written is far shorter. */
const MAX_LINE_CHARS = 16_384;

/** An event as a line. */
export const lineOf = (event: StoredEvent): string => JSON.stringify(event);

const isText = (value: unknown): value is string => typeof value === 'string';

/** A whole number that leaves room above it: a broken line must not use up the numbers. */
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 52;

const KINDS: ReadonlySet<unknown> = new Set(['MCPServer', 'Workflow', 'Configuration']);
const TYPES: ReadonlySet<unknown> = new Set(['Normal', 'Warning']);

const WORDS = ['name', 'namespace', 'reason'] as const;
const COUNTS = ['id', 'firstAt', 'lastAt', 'count'] as const;

/** Events of a cluster can be written by others: names and reasons are shown as they are, so they are single words. */
const WORD = /^[\w.:@/-]{1,253}$/u;

const isStoredEvent = (value: Readonly<Record<string, unknown>>): boolean =>
  KINDS.has(value['kind']) &&
  TYPES.has(value['type']) &&
  isText(value['message']) &&
  WORDS.every((key) => isText(value[key]) && WORD.test(value[key])) &&
  COUNTS.every((key) => isCount(value[key]));

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** Returns the event of a JSON value, or undefined when the value is none. */
export const eventOfJson = (value: unknown): StoredEvent | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!isStoredEvent(value as Readonly<Record<string, unknown>>)) return undefined;
  const { id, kind, name, namespace, reason, message, type, firstAt, lastAt, count } =
    value as StoredEvent;
  const text = oneLine(message, MAX_MESSAGE_CHARS);
  return { id, kind, name, namespace, reason, message: text, type, firstAt, lastAt, count };
};

/** The event of a line, or undefined when the line is torn, foreign or far too long. */
export const eventOfLine = (line: string): StoredEvent | undefined =>
  line.length > MAX_LINE_CHARS ? undefined : eventOfJson(parsed(line));
