import type { ValidationIssue } from '../validation-issue.ts';

/** What one field of an `MCPServer` requires of another. @spec §7.6 */
export interface McpServerRule {
  readonly id: string;
  readonly path: ValidationIssue['path'];
  readonly message: string;
  /** Whether the rule holds. The document may be wrong in any other way; a rule speaks only of its own fields. */
  readonly holds: (spec: unknown) => boolean;
}

/** The value under these keys, or undefined when there is none. Only own keys count. */
const at = (spec: unknown, ...keys: readonly string[]): unknown => {
  let value = spec;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
};

const has = (spec: unknown, ...keys: readonly string[]): boolean => at(spec, ...keys) !== undefined;
const isStdio = (spec: unknown): boolean => at(spec, 'type') === 'stdio';
const isRemote = (spec: unknown): boolean =>
  at(spec, 'type') === 'streamable-http' || at(spec, 'type') === 'sse';
const exchangesTokens = (spec: unknown): boolean =>
  at(spec, 'auth', 'tokenExchange', 'enabled') === true;
const pinsAuthorizationServer = (spec: unknown): boolean =>
  has(spec, 'auth', 'authorizationServer');

/** Every rule between fields of an `MCPServer`, each exactly once. @spec §2.6, §7.6 */
export const MCP_SERVER_RULES: readonly McpServerRule[] = [
  {
    id: 'command-required',
    path: ['spec', 'command'],
    message: 'command is required when type is stdio',
    holds: (spec) => !isStdio(spec) || has(spec, 'command'),
  },
  {
    id: 'url-required',
    path: ['spec', 'url'],
    message: 'url is required when type is streamable-http or sse',
    holds: (spec) => !isRemote(spec) || has(spec, 'url'),
  },
  {
    id: 'args-only-stdio',
    path: ['spec', 'args'],
    message: 'args field is only allowed when type is stdio',
    holds: (spec) => !isRemote(spec) || !has(spec, 'args'),
  },
  {
    id: 'headers-only-remote',
    path: ['spec', 'headers'],
    message: 'headers field is only allowed when type is streamable-http or sse',
    holds: (spec) => !isStdio(spec) || !has(spec, 'headers'),
  },
  {
    id: 'auth-only-remote',
    path: ['spec', 'auth'],
    message:
      'auth configuration is only supported for remote server types (streamable-http or sse)',
    holds: (spec) => !isStdio(spec) || !has(spec, 'auth'),
  },
  {
    id: 'authorization-server-needs-oauth',
    path: ['spec', 'auth', 'authorizationServer'],
    message: 'authorizationServer is only valid when type is oauth',
    holds: (spec) =>
      !pinsAuthorizationServer(spec) || (at(spec, 'auth', 'type') ?? 'none') !== 'none',
  },
  {
    id: 'authorization-server-excludes-forward-token',
    path: ['spec', 'auth', 'authorizationServer'],
    message: 'forwardToken bypasses per-backend OAuth; set one or the other, not both',
    holds: (spec) => !pinsAuthorizationServer(spec) || at(spec, 'auth', 'forwardToken') !== true,
  },
  {
    id: 'authorization-server-excludes-token-exchange',
    path: ['spec', 'auth', 'authorizationServer'],
    message: 'tokenExchange has its own issuer/endpoint config; set one or the other, not both',
    holds: (spec) => !pinsAuthorizationServer(spec) || !exchangesTokens(spec),
  },
  {
    id: 'token-endpoint-required',
    path: ['spec', 'auth', 'tokenExchange', 'dexTokenEndpoint'],
    message: 'dexTokenEndpoint is required when enabled is true',
    holds: (spec) =>
      !exchangesTokens(spec) || has(spec, 'auth', 'tokenExchange', 'dexTokenEndpoint'),
  },
  {
    id: 'connector-required',
    path: ['spec', 'auth', 'tokenExchange', 'connectorId'],
    message: 'connectorId is required when enabled is true',
    holds: (spec) => !exchangesTokens(spec) || has(spec, 'auth', 'tokenExchange', 'connectorId'),
  },
];

/** The rules that `spec` breaks, as issues. @spec §7.6 */
export const brokenRules = (spec: unknown): readonly ValidationIssue[] =>
  MCP_SERVER_RULES.filter((rule) => !rule.holds(spec)).map(({ path, message }) => ({
    path,
    message,
  }));
