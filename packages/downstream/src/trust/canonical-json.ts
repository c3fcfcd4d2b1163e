type Members = Record<string, unknown>;

/** A plain assignment would set the prototype. Defining every member takes three times as long. */
const PROTOTYPE = '__proto__';

const sortedMembers = (object: Members): Members => {
  const copy: Members = {};
  for (const key of Object.keys(object).sort()) {
    const value = sorted(object[key]);
    if (key === PROTOTYPE) Object.defineProperty(copy, key, { value, enumerable: true });
    else copy[key] = value;
  }
  return copy;
};

/** The value with the members of its objects in one order. */
const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(sorted) : sortedMembers(value as Members);
};

/** JSON text of a value that is the same whatever the order of its members. The value must not be nested deeper than lists allow. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));
