type Members = Readonly<Record<string, unknown>>;

/** A plain assignment would set the prototype. Defining every member takes three times as long. */
const PROTOTYPE = '__proto__';

const isInOrder = (keys: readonly string[]): boolean =>
  keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);

const withMembers = (keys: readonly string[], values: readonly unknown[]): Members => {
  const object: Record<string, unknown> = {};
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (key === PROTOTYPE) Object.defineProperty(object, key, { value, enumerable: true });
    else object[key] = value;
  }
  return object;
};

/** Visits each value once; a second visit per copied level would double the work at every level. */
const sortedMembers = (object: Members): Members => {
  const keys = Object.keys(object);
  const inOrder = isInOrder(keys) ? keys : [...keys].sort();
  const values = inOrder.map((key) => sorted(object[key]));
  const isSame =
    inOrder === keys && values.every((value, index) => value === object[keys[index] ?? '']);
  return isSame ? object : withMembers(inOrder, values);
};

const sortedItems = (items: readonly unknown[]): readonly unknown[] => {
  const copies = items.map(sorted);
  return copies.some((copy, index) => copy !== items[index]) ? copies : items;
};

/** Returns the value with sorted members; the same value when they are sorted already. */
const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortedItems(value) : sortedMembers(value as Members);
};

/** Returns JSON text that does not depend on the order of members. The value must not be nested deeper than lists allow. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));
