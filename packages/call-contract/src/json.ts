/** A value of JSON (RFC 8259). An object may have no prototype; only its own keys count. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object as received from a peer: any keys, unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object: not an array and not `null`. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
