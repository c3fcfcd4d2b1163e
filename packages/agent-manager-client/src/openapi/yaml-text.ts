/** How a text may begin without quotes: with no mark of YAML, and with no digit. */
const PLAIN_START = /^[A-Za-z/$]/;
/** What a text without quotes may not have in it: the end of a key, the start of a comment, what cannot be seen. */
const NOT_PLAIN = /: |:$| #| $|[\p{C}\p{Zl}\p{Zp}]/u;
const OTHER_VALUES = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

const isPlain = (text: string): boolean =>
  PLAIN_START.test(text) && !NOT_PLAIN.test(text) && !OTHER_VALUES.test(text);

const INDENT = '  ';

const scalar = (value: unknown): string =>
  // JSON is YAML.
  typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);

/** Lines that a literal block shows as they are. */
const isBlock = (value: unknown): value is string =>
  typeof value === 'string' && /^[^\s].*\n/.test(value) && !/ (?:\n|$)|[^\n\P{C}]/u.test(value);

const block = (text: string, indent: string): string => {
  const mark = text.endsWith('\n') ? (text.endsWith('\n\n') ? '|+' : '|') : '|-';
  const lines = text.replace(/\n$/, '').split('\n');
  return [mark, ...lines.map((line) => (line === '' ? '' : indent + line))].join('\n');
};

const isEmpty = (value: object): boolean =>
  Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;

/** What stands behind `key:`, or behind the dash of a list. */
const after = (value: unknown, indent: string, isItem: boolean): string => {
  if (isBlock(value)) return ` ${block(value, indent)}`;
  if (typeof value !== 'object' || value === null) return ` ${scalar(value)}`;
  if (isEmpty(value)) return Array.isArray(value) ? ' []' : ' {}';
  const lines = nodes(value, indent);
  return isItem ? ` ${lines.slice(indent.length)}` : `\n${lines}`;
};

const nodes = (value: object, indent: string): string =>
  Array.isArray(value)
    ? value.map((item) => `${indent}-${after(item, indent + INDENT, true)}`).join('\n')
    : Object.entries(value)
        .map(([key, item]) => `${indent}${scalar(key)}:${after(item, indent + INDENT, false)}`)
        .join('\n');

/**
 * A JSON value as YAML 1.2, its keys in their order, for people to read.
 *
 * @param value an object or a list, with nothing in it that JSON cannot say
 */
export const yamlText = (value: object): string =>
  isEmpty(value) ? `${JSON.stringify(value)}\n` : `${nodes(value, '')}\n`;
