import { isDeepStrictEqual } from 'node:util';
import type { McpServer, ReferenceValues } from '@gateway/crd-schemas';

/** Returns the spec of a server with the values of its placeholders, `envFrom` and `headersFrom`, whose names are not in `env` and `headers`. */
export const resolveSpec = ({
  spec,
  referenced = {},
}: Pick<McpServer, 'spec' | 'referenced'>): McpServer['spec'] => {
  const { values, args, url } = referenced;
  return spec.type === 'stdio'
    ? { ...spec, env: { ...spec.env, ...values }, args: args ?? spec.args }
    : { ...spec, headers: { ...spec.headers, ...values }, url: url ?? spec.url };
};

const withoutProblem = ({
  referenced,
}: Pick<McpServer, 'referenced'>): Omit<ReferenceValues, 'problem'> => {
  const { problem: _problem, ...values } = referenced ?? {};
  return values;
};

/** Returns why a server cannot start without a value of a Secret or ConfigMap; `undefined` when it can. */
export const findMissingValue = ({
  referenced,
}: Pick<McpServer, 'referenced'>): string | undefined =>
  referenced === undefined || referenced.values !== undefined
    ? undefined
    : (referenced.problem ?? 'values of Secrets and ConfigMaps are missing');

/** Returns whether a definition differs in values of Secrets and ConfigMaps only: then the requests that run may finish with the earlier values. */
export const hasOtherValuesOnly = (before: McpServer, after: McpServer): boolean => {
  const values = [withoutProblem(before), withoutProblem(after)] as const;
  return (
    values.every((one) => one.values !== undefined) &&
    !isDeepStrictEqual(values[0], values[1]) &&
    isDeepStrictEqual(before.spec, after.spec)
  );
};

/** Shorter lines, such as `{` and `},`, occur in many messages. */
const MIN_LINE_CHARS = 6;
const LINE_END = /[\n\r\u2028\u2029]+/u;

/** Returns the values of Secrets and ConfigMaps that a server receives as arguments of its tools. */
export const listArgumentValues = ({
  referenced,
}: Pick<McpServer, 'referenced'>): readonly string[] =>
  Object.values(referenced?.toolArguments ?? {}).flatMap((found) =>
    found.ok && found.text !== '' ? [found.text] : [],
  );

const listSecretValues = (server: McpServer): readonly string[] => [
  ...(server.referenced?.parts ?? []),
  ...listArgumentValues(server),
  ...Object.values(server.spec.env),
  ...Object.values(server.referenced?.values ?? {}),
  ...(server.spec.type === 'stdio' ? [] : Object.values(server.spec.headers)),
];

/** A program writes a value of several lines, such as a key, line by line. */
const splitLines = (value: string): readonly string[] =>
  LINE_END.test(value)
    ? value
        .split(LINE_END)
        .map((line) => line.trim())
        .filter((line) => line.length >= MIN_LINE_CHARS)
    : [];

/** Returns the values of a definition that must never be shown, and the lines of 6 or more characters of values with several lines. */
export const listSecrets = (server: McpServer): readonly string[] => [
  ...new Set(listSecretValues(server).flatMap((value) => [value, ...splitLines(value)])),
];
