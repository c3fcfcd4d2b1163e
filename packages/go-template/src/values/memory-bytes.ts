import type { JsonValue } from './json-value.ts';
import { isJsonList } from './json-kinds.ts';

/** The size of a value without its text. */
const VALUE_BYTES = 16;

/** Returns an estimate of the bytes of memory that a value takes. Recursive: one stack frame per level. */
export const memoryBytes = (value: JsonValue): number => {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let bytes = VALUE_BYTES;
  if (isJsonList(value)) {
    for (const item of value) bytes += memoryBytes(item);
    return bytes;
  }
  for (const [key, member] of Object.entries(value)) bytes += key.length + memoryBytes(member);
  return bytes;
};
