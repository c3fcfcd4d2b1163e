import type { McpServer } from '@gateway/crd-schemas';

/** Shorter lines, such as `{` and `},`, occur in many messages. */
const MIN_LINE_CHARS = 6;
const LINE_END = /[\n\r\u2028\u2029]+/u;

const valuesOf = (server: McpServer): readonly string[] => [
  ...(server.referenced?.parts ?? []),
  ...Object.values(server.spec.env),
  ...Object.values(server.referenced?.values ?? {}),
  ...(server.spec.type === 'stdio' ? [] : Object.values(server.spec.headers)),
];

/** A program writes a value of several lines, such as a key, line by line. */
const linesOf = (value: string): readonly string[] =>
  LINE_END.test(value)
    ? value
        .split(LINE_END)
        .map((line) => line.trim())
        .filter((line) => line.length >= MIN_LINE_CHARS)
    : [];

/** Returns the values of a definition that must never be shown, and the lines of 6 or more characters of values with several lines. */
export const secretsOf = (server: McpServer): readonly string[] => [
  ...new Set(valuesOf(server).flatMap((value) => [value, ...linesOf(value)])),
];
