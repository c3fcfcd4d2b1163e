import type { JsonMap, JsonValue } from '@gateway/go-template';

/** Texts that YAML reads as strings without quotes. Texts that could be a number, a date or a YAML keyword are excluded. */
const PLAIN = /^[A-Za-z$./][A-Za-z0-9 ,'"<>=$./_;()-]*[A-Za-z0-9./)]$/;

/** Texts that YAML 1.1 or 1.2 does not parse as strings. */
const WORDS = /^(true|false|null|yes|no|on|off|\.inf|\.nan)$/i;

const textOf = (text: string): string =>
  PLAIN.test(text) && !WORDS.test(text) ? text : JSON.stringify(text);

const isMap = (value: JsonValue): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNested = (value: JsonValue): value is JsonMap | readonly JsonValue[] =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const scalarOf = (value: JsonValue): string =>
  typeof value === 'string' ? textOf(value) : JSON.stringify(value);

const memberLines = ([key, value]: [string, JsonValue]): readonly string[] =>
  isNested(value)
    ? [`${textOf(key)}:`, ...linesOf(value).map((line) => `  ${line}`)]
    : [`${textOf(key)}: ${scalarOf(value)}`];

const itemLines = (item: JsonValue): readonly string[] => {
  const [first = '', ...rest] = isNested(item) ? linesOf(item) : [scalarOf(item)];
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
};

function linesOf(value: JsonMap | readonly JsonValue[]): readonly string[] {
  return isMap(value) ? Object.entries(value).flatMap(memberLines) : value.flatMap(itemLines);
}

/** Returns a mapping as YAML in block style, with a final line end: the same text for the same value. */
export const yamlText = (value: JsonMap): string => `${linesOf(value).join('\n')}\n`;
