/** A mapping of plain data. */
export type Mapping = Readonly<Record<string, unknown>>;

/** Returns whether a value of plain data is a mapping. */
export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
