import type { Document } from 'yaml';
import { MAX_DEPTH, MAX_VALUES } from '../limits.ts';

type PlainValue =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [];

/** Returns which bound the document exceeds with every alias expanded; undefined for none. A cycle of aliases exceeds the depth. */
const boundViolation = (root: unknown): string | undefined => {
  let level: unknown[] = [root];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH)
      return `nests deeper than ${String(MAX_DEPTH)} levels through its aliases`;
    count += level.length;
    if (count > MAX_VALUES) return `holds more than ${String(MAX_VALUES)} values`;
    level = level.flatMap(childrenOf);
  }
  return undefined;
};

/** Returns the document as plain data: objects with own keys only, arrays, strings, numbers, booleans, null. */
export const plainValueOf = (document: Document.Parsed): PlainValue => {
  // The library limits the number of aliases; this package limits the expanded size. Aliases share their value.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const message = boundViolation(value);
  return message === undefined ? { ok: true, value } : { ok: false, message };
};
