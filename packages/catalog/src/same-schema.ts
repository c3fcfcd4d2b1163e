import type { JsonObject } from '@gateway/call-contract';
import { sameJson } from './same-json.ts';

/**
 * A schema -> one that it was found equal to. Members of a family list equal schemas in objects of their own, and most of
 * them are the same objects at the next build: what was compared once is not compared again.
 */
const equals = new WeakMap<JsonObject, JsonObject>();

const standIn = (schema: JsonObject): JsonObject => equals.get(schema) ?? schema;

/** Returns whether two input schemas are equal, regardless of key order. Schemas must not be modified between calls. */
export function sameSchema(a: JsonObject, b: JsonObject): boolean {
  const [first, second] = [standIn(a), standIn(b)];
  if (first === second) return true;
  if (!sameJson(first, second)) return false;
  equals.set(b, first);
  return true;
}
