/** A JSON object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

/** Returns the value if it is an object, else an empty object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : NO_FIELDS;

/** Returns the value if it is an array, else an empty array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns an own field as text: a string unchanged, any other value as JSON, an absent one as an empty text. */
export function fieldText(fields: Fields, key: string): string {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the entries of an own field that is an array, as objects. */
export const entriesOf = (value: unknown, key: string): readonly Fields[] => {
  const fields = fieldsOf(value);
  return listOf(Object.hasOwn(fields, key) ? fields[key] : undefined).map(fieldsOf);
};
