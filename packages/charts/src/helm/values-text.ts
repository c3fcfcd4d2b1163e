const NOT_ASCII = /[^\u0020-\u007e]/gu;

const escaped = (character: string): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};

/**
 * Returns values as a file that Helm reads without changes: JSON, with YAML escapes for characters that are not printable ASCII.
 */
export const valuesText = (values: unknown): string =>
  JSON.stringify(values).replace(NOT_ASCII, escaped);
