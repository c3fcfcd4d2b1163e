/** Returns an own property of an object; `undefined` for any other value and for inherited properties. */
export const findOwnField = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** Returns a list; an empty one for any other value. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a string; `undefined` for any other value. */
export const findString = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Returns the strings of a list. */
export const listStrings = (value: unknown): readonly string[] =>
  toList(value).filter((item) => typeof item === 'string');

/** Returns the string properties of an object, by key. */
export const toStringMap = (value: unknown): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>();
  if (typeof value !== 'object' || value === null) return texts;
  for (const [key, text] of Object.entries(value))
    if (typeof text === 'string') texts.set(key, text);
  return texts;
};
