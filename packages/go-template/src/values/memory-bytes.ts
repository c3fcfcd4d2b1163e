import type { JsonValue } from './json-value.ts';
import { isJsonList } from './json-kinds.ts';

/** What a value takes besides its text. */
const VALUE_BYTES = 16;

/** About how many bytes of memory a value takes. Goes down the stack once for each of its levels. */
export const heldBytes = (value: JsonValue): number => {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let bytes = VALUE_BYTES;
  if (isJsonList(value)) {
    for (const item of value) bytes += heldBytes(item);
    return bytes;
  }
  for (const [key, member] of Object.entries(value)) bytes += key.length + heldBytes(member);
  return bytes;
};
