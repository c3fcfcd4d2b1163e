import type { YAMLError } from 'yaml';

const UNQUOTED_TEMPLATE = `a text that begins with "{{" must be in quotes, as '{{ ... }}'`;

/** Returns whether the offset is at the second of two braces: YAML parses an unquoted template as a mapping whose key is a mapping. */
const isTemplate = (text: string, offset: number): boolean =>
  offset > 0 && text.startsWith('{{', offset - 1);

/** Returns the error as a message: that of the library, unless it refers to the library's options. */
export const yamlErrorText = (
  { code, message, pos }: Pick<YAMLError, 'code' | 'message' | 'pos'>,
  text: string,
): string => {
  if (code !== 'NON_STRING_KEY') return message;
  return isTemplate(text, pos[0]) ? UNQUOTED_TEMPLATE : 'a key must be a text';
};
