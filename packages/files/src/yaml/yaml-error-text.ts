import type { ErrorCode, YAMLError } from 'yaml';

const UNQUOTED_TEMPLATE = `a text that begins with "{{" must be in quotes, as '{{ ... }}'`;
const MISSING_QUOTE = 'a closing quote is missing';

/** Returns whether the offset is at the second of two braces: YAML parses an unquoted template as a mapping whose key is a mapping. */
const isTemplate = (text: string, offset: number): boolean =>
  offset > 0 && text.startsWith('{{', offset - 1);

/** One fixed text for each error. The texts of the library repeat parts of the text, which may be a secret. */
const TEXTS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias must not have an anchor or a tag',
  BAD_ALIAS: 'the name of an anchor or an alias is invalid',
  BAD_COLLECTION_TYPE: 'a tag is not supported; write a plain value',
  BAD_DIRECTIVE: 'a directive is invalid; remove the line that begins with "%"',
  BAD_DQ_ESCAPE: 'a text in double quotes has an invalid escape sequence',
  BAD_INDENT: 'the indentation is invalid',
  BAD_PROP_ORDER: 'an anchor or a tag is before an indicator; write it after the indicator',
  BAD_SCALAR_START: 'a text that begins with a special character must be in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a nested mapping or list must begin on a new line, and a text with ": " must be in quotes',
  BLOCK_IN_FLOW: 'a mapping or list inside [] or {} must be in brackets too',
  DUPLICATE_KEY: 'a key is repeated',
  IMPOSSIBLE: 'is not valid YAML',
  KEY_OVER_1024_CHARS: 'a key has more than 1024 characters',
  MISSING_CHAR: 'a character is missing: ":" after a key, "," between items, or a blank',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line and be followed by ":"',
  MULTIPLE_ANCHORS: 'a value has more than one anchor',
  MULTIPLE_DOCS: 'holds more than one document',
  MULTIPLE_TAGS: 'a value has more than one tag',
  NON_STRING_KEY: 'a key must be a text',
  RESOURCE_EXHAUSTION: 'nests too deeply',
  TAB_AS_INDENT: 'tabs are not allowed as indentation',
  TAG_RESOLVE_FAILED: 'a tag is not supported; write a plain value',
  UNEXPECTED_TOKEN: 'a character or an item is not allowed here',
};

/** The text for a repeated key. */
export const REPEATED_KEY = TEXTS.DUPLICATE_KEY;

/** The text for an alias without an anchor before it. */
export const UNRESOLVED_ALIAS =
  'an alias has no anchor before it; write a text that begins with "*" in quotes';

/** Returns the error as a message, which repeats nothing of the text. */
export const yamlErrorText = (
  { code, message, pos }: Pick<YAMLError, 'code' | 'message' | 'pos'>,
  text: string,
): string => {
  if (code === 'NON_STRING_KEY' && isTemplate(text, pos[0])) return UNQUOTED_TEMPLATE;
  return message.startsWith('Missing closing') ? MISSING_QUOTE : TEXTS[code];
};
