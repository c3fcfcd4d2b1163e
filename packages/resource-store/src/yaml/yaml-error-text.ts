import type { YAMLError } from 'yaml';

const UNQUOTED_TEMPLATE = `a text that begins with "{{" must be in quotes, as '{{ ... }}'`;

/** The second of two braces: YAML reads a template without quotes as a mapping whose key is a mapping. */
const isTemplate = (text: string, offset: number): boolean =>
  offset > 0 && text.startsWith('{{', offset - 1);

/** What is wrong with the text: in the library's words, unless those speak of its own options. */
export const yamlErrorText = (
  { code, message, pos }: Pick<YAMLError, 'code' | 'message' | 'pos'>,
  text: string,
): string => {
  if (code !== 'NON_STRING_KEY') return message;
  return isTemplate(text, pos[0]) ? UNQUOTED_TEMPLATE : 'a key must be a text';
};
