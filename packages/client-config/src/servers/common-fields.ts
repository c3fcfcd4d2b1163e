import { isJsonObject, ownValue, type JsonObject } from '../reading/json-object.ts';

/** Returns the entries of an object whose values are texts. */
const texts = (value: unknown): readonly (readonly [string, string])[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([name, text]) =>
        typeof text === 'string' ? [[name, text] as const] : [],
      )
    : [];

const ofVariable = (name: string): string => `\${env:${name}}`;

/** Codex: headers whose values are in variables. */
const variableHeaders = (server: JsonObject): readonly (readonly [string, string])[] => {
  const bearer = server['bearer_token_env_var'];
  return [
    ...texts(server['env_http_headers']).map(
      ([name, variable]) => [name, ofVariable(variable)] as const,
    ),
    ...(typeof bearer === 'string'
      ? [['Authorization', `Bearer ${ofVariable(bearer)}`] as const]
      : []),
  ];
};

/** Codex: names of variables that the server gets from the environment of the program. */
const forwardedVariables = (names: unknown): readonly (readonly [string, string])[] =>
  (Array.isArray(names) ? names : []).flatMap((entry: unknown) => {
    const name = typeof entry === 'string' ? entry : ownValue(entry, 'name');
    return typeof name === 'string' ? [[name, ofVariable(name)] as const] : [];
  });

const merged = (
  map: unknown,
  more: readonly (readonly [string, string])[],
): JsonObject | undefined =>
  more.length === 0 || (map !== undefined && !isJsonObject(map))
    ? undefined
    : Object.fromEntries([...Object.entries(map ?? {}), ...more]);

const CODEX = new Set([
  ...['http_headers', 'env_http_headers', 'bearer_token_env_var', 'env_vars'],
  ...['enabled', 'startup_timeout_sec'],
]);

const MAX_START_SECONDS = 600;

const startTimeout = (seconds: unknown): JsonObject =>
  typeof seconds === 'number' && seconds > 0
    ? { startTimeout: Math.min(MAX_START_SECONDS, Math.max(1, Math.round(seconds))) }
    : {};

const codexFields = (server: JsonObject): JsonObject => {
  const headers = merged(server['headers'] ?? server['http_headers'], variableHeaders(server));
  const env = merged(server['env'], forwardedVariables(server['env_vars']));
  return {
    ...(server['http_headers'] !== undefined && { headers: server['http_headers'] }),
    ...(headers !== undefined && { headers }),
    ...(env !== undefined && { env }),
    ...(server['enabled'] === false && { disabled: true }),
    ...startTimeout(server['startup_timeout_sec']),
  };
};

/** Zed: `source` says where an entry is from, and `command` was an object in earlier versions. */
const zedFields = ({ command, source }: JsonObject): JsonObject => ({
  ...(source !== 'custom' && source !== undefined && { source }),
  ...(isJsonObject(command) && {
    command: ownValue(command, 'path'),
    ...(ownValue(command, 'args') !== undefined && { args: ownValue(command, 'args') }),
    ...(ownValue(command, 'env') !== undefined && { env: ownValue(command, 'env') }),
  }),
});

/** Returns a server in the fields that most clients use, for the fields that only Codex or Zed has. */
export const withCommonFields = (server: JsonObject): JsonObject => {
  const rest = Object.entries(server).filter(([key]) => !CODEX.has(key) && key !== 'source');
  return Object.fromEntries([
    ...rest,
    ...Object.entries(codexFields(server)),
    ...Object.entries(zedFields(server)),
  ]);
};
