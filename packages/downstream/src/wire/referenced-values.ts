import { isDeepStrictEqual } from 'node:util';
import type {
  McpServer,
  ReferencedValues,
  RemoteServerSpec,
  StdioServerSpec,
} from '@gateway/crd-schemas';

/** Returns the variables of a stdio server: those of `env` and those of `envFrom`, which have other names. */
export const environmentOf = (
  spec: StdioServerSpec,
  { referenced }: Pick<McpServer, 'referenced'>,
): Readonly<Record<string, string>> =>
  referenced?.values === undefined ? spec.env : { ...spec.env, ...referenced.values };

/** Returns the headers of a remote server: those of `headers` and those of `headersFrom`, which have other names. */
export const headersOf = (
  spec: RemoteServerSpec,
  { referenced }: Pick<McpServer, 'referenced'>,
): Readonly<Record<string, string>> =>
  referenced?.values === undefined ? spec.headers : { ...spec.headers, ...referenced.values };

/** Returns the arguments of a stdio server, with the values of placeholders. */
export const argumentsOf = (
  spec: StdioServerSpec,
  { referenced }: Pick<McpServer, 'referenced'>,
): readonly string[] => referenced?.args ?? spec.args;

/** Returns the URL of a remote server, with the values of placeholders. */
export const urlOf = (
  spec: RemoteServerSpec,
  { referenced }: Pick<McpServer, 'referenced'>,
): string => referenced?.url ?? spec.url;

const withoutProblem = ({
  referenced,
}: Pick<McpServer, 'referenced'>): Omit<ReferencedValues, 'problem'> => {
  const { problem: _problem, ...values } = referenced ?? {};
  return values;
};

/** Returns why a server cannot start without a value of a Secret or ConfigMap; `undefined` when it can. */
export const missingValueOf = ({
  referenced,
}: Pick<McpServer, 'referenced'>): string | undefined =>
  referenced === undefined || referenced.values !== undefined
    ? undefined
    : (referenced.problem ?? 'values of Secrets and ConfigMaps are missing');

/**
 * Returns whether a definition has other values of Secrets and ConfigMaps than before, and is the same otherwise: then the requests that run
 * may finish with the earlier values.
 */
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

const secretValues = (server: McpServer): readonly string[] => [
  ...(server.referenced?.parts ?? []),
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
export const secretsOf = (server: McpServer): readonly string[] => [
  ...new Set(secretValues(server).flatMap((value) => [value, ...splitLines(value)])),
];
