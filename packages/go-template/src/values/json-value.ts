/** A value of JSON (RFC 8259). An object may have no prototype; only its own keys count. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object with keys that users chose. */
export type JsonMap = Readonly<Record<string, JsonValue>>;

/** Returns whether a value is a JSON object: neither null nor an array. */
export const isJsonMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a JSON value is an array. `Array.isArray` loses the type of its items. */
export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value);

/** The estimated size of a value without its characters, in bytes. */
const VALUE_BYTES = 16;

/** Returns an estimate of the bytes of memory that a value takes. Recursive: one stack frame per level. */
export const estimateMemoryBytes = (value: JsonValue): number => {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let bytes = VALUE_BYTES;
  if (isJsonList(value)) {
    for (const item of value) bytes += estimateMemoryBytes(item);
    return bytes;
  }
  for (const [key, member] of Object.entries(value))
    bytes += key.length + estimateMemoryBytes(member);
  return bytes;
};
