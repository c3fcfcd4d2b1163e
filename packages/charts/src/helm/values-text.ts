const NOT_ASCII = /[^\u0020-\u007e]/gu;

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};

/**
 * Values as a file that Helm reads back to the same texts. JSON, except that what is not printable ASCII is escaped as
 * YAML has it: Helm's YAML takes neither raw control characters nor the two halves of a character that JSON writes.
 */
export const valuesText = (values: unknown): string =>
  JSON.stringify(values).replace(NOT_ASCII, escaped);
