import type { JsonValue } from '@gateway/call-contract';

export type { JsonValue };

/** An object of JSON, with keys that somebody else chose. */
export type JsonMap = Readonly<Record<string, JsonValue>>;
