/** The named fields of a parsed value; a field that it does not have is `absent`. */
export const pickFields = (parsed: unknown, names: readonly string[]): unknown => {
  const fields = parsed as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(fields, name) ? fields[name] : 'absent']),
  );
};
