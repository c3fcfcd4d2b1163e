type Fields = Readonly<Record<string, unknown>>;

/** Returns the value if it is a JSON object, else an empty object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Returns the value if it is a string. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Parses JSON; returns undefined for invalid JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
