import type { JsonValue } from '@gateway/call-contract';

export type { JsonValue };

/** A JSON object with keys that users chose. */
export type JsonMap = Readonly<Record<string, JsonValue>>;
