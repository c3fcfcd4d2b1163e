/** An object as it came from elsewhere. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

/** The value as an object; anything else has no fields. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : NO_FIELDS;

/** The value as a list; anything else has no entries. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The own field as people read it: nothing where there is none. */
export function shown(fields: Fields, key: string): string {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The entries of an own field that is a list, as objects. */
export const entriesOf = (value: unknown, key: string): readonly Fields[] => {
  const fields = fieldsOf(value);
  return listOf(Object.hasOwn(fields, key) ? fields[key] : undefined).map(fieldsOf);
};
