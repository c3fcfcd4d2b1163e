/** Start of a plain scalar: not an indicator of YAML and not a digit. */
const PLAIN_START = /^[A-Za-z/$]/;
/** Text that a plain scalar must not contain: the end of a key, the start of a comment, invisible characters. */
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

/** Returns the text after `key:` or after the dash of a list item. */
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
 * Formats a JSON value as YAML 1.2 with its keys in order.
 *
 * @param value an object or a list that JSON can represent
 */
export const yamlText = (value: object): string =>
  isEmpty(value) ? `${JSON.stringify(value)}\n` : `${nodes(value, '')}\n`;
