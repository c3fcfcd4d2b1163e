/** An object with open keys and unchecked values. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Returns whether a configuration value is a map. */
export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of the object's own key; nothing where the key is absent, as for every inherited name. */
export const ownValue = (object: PlainObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;
