import { ITEMS, type CelRule } from './cel-rule.ts';

const SPEC = ['spec'];
const AUTH = ['spec', 'auth'];
const TOKEN_EXCHANGE = ['spec', 'auth', 'tokenExchange'];

/** The rules of values that are in Secrets and ConfigMaps. Names in `headers` are compared with case: keys have no bounded length for the API server, whose message of `FieldValueDuplicate` omits the sentence. */
const REFERENCE_RULES: readonly CelRule[] = [
  {
    id: 'env-from-only-stdio',
    path: SPEC,
    rule: `!has(self.envFrom) || !has(self.type) || (self.type != 'streamable-http' && self.type != 'sse')`,
    message: 'envFrom field is only allowed when type is stdio',
    fieldPath: '.envFrom',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'headers-from-only-remote',
    path: SPEC,
    rule: `!has(self.headersFrom) || !has(self.type) || self.type != 'stdio'`,
    message: 'headersFrom field is only allowed when type is streamable-http or sse',
    fieldPath: '.headersFrom',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'env-from-excludes-env',
    path: SPEC,
    rule: `!has(self.envFrom) || !has(self.env) || self.envFrom.all(entry, !has(entry.name) || !(entry.name in self.env))`,
    message: 'a variable is either in env or in envFrom',
    fieldPath: '.envFrom',
  },
  {
    id: 'env-from-unique',
    path: SPEC,
    rule: `!has(self.envFrom) || self.envFrom.all(entry, !has(entry.name) || self.envFrom.exists_one(other, has(other.name) && other.name == entry.name))`,
    message: 'each variable of envFrom has another name',
    fieldPath: '.envFrom',
  },
  {
    id: 'headers-from-excludes-headers',
    path: SPEC,
    rule: `!has(self.headersFrom) || !has(self.headers) || self.headersFrom.all(entry, !has(entry.name) || !(entry.name in self.headers))`,
    message: 'a header is either in headers or in headersFrom',
    fieldPath: '.headersFrom',
  },
  {
    id: 'headers-from-unique',
    path: SPEC,
    rule: `!has(self.headersFrom) || self.headersFrom.all(entry, !has(entry.name) || self.headersFrom.exists_one(other, has(other.name) && other.name.lowerAscii() == entry.name.lowerAscii()))`,
    message: 'each header of headersFrom has another name',
    fieldPath: '.headersFrom',
  },
  ...['envFrom', 'headersFrom'].map((field): CelRule => ({
    id: 'reference-has-one-object',
    path: [...SPEC, field, ITEMS],
    rule: `has(self.secretKeyRef) != has(self.configMapKeyRef)`,
    message: 'exactly one of secretKeyRef and configMapKeyRef is required',
  })),
];

/** Every rule between fields of an `MCPServer`. @spec §2.6, §7.6 */
export const MCP_SERVER_RULES: readonly CelRule[] = [
  {
    id: 'command-required',
    path: SPEC,
    rule: `!has(self.type) || self.type != 'stdio' || has(self.command)`,
    message: 'command is required when type is stdio',
    fieldPath: '.command',
    reason: 'FieldValueRequired',
  },
  {
    id: 'url-required',
    path: SPEC,
    rule: `!has(self.type) || (self.type != 'streamable-http' && self.type != 'sse') || has(self.url)`,
    message: 'url is required when type is streamable-http or sse',
    fieldPath: '.url',
    reason: 'FieldValueRequired',
  },
  {
    id: 'args-only-stdio',
    path: SPEC,
    rule: `!has(self.args) || !has(self.type) || (self.type != 'streamable-http' && self.type != 'sse')`,
    message: 'args field is only allowed when type is stdio',
    fieldPath: '.args',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'cwd-only-stdio',
    path: SPEC,
    rule: `!has(self.cwd) || !has(self.type) || (self.type != 'streamable-http' && self.type != 'sse')`,
    message: 'cwd field is only allowed when type is stdio',
    fieldPath: '.cwd',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'start-timeout-only-stdio',
    path: SPEC,
    rule: `!has(self.startTimeout) || !has(self.type) || (self.type != 'streamable-http' && self.type != 'sse')`,
    message: 'startTimeout field is only allowed when type is stdio',
    fieldPath: '.startTimeout',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'headers-only-remote',
    path: SPEC,
    rule: `!has(self.headers) || !has(self.type) || self.type != 'stdio'`,
    message: 'headers field is only allowed when type is streamable-http or sse',
    fieldPath: '.headers',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'auth-only-remote',
    path: SPEC,
    rule: `!has(self.auth) || !has(self.type) || self.type != 'stdio' || ((!has(self.auth.type) || self.auth.type != 'oauth') && (!has(self.auth.forwardToken) || self.auth.forwardToken != true) && (!has(self.auth.tokenExchange) || !has(self.auth.tokenExchange.enabled) || self.auth.tokenExchange.enabled != true))`,
    message:
      'auth configuration is only supported for remote server types (streamable-http or sse)',
    fieldPath: '.auth',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'authorization-server-needs-oauth',
    path: AUTH,
    rule: `!has(self.authorizationServer) || (has(self.type) && self.type != 'none')`,
    message: 'authorizationServer is only valid when type is oauth',
    fieldPath: '.authorizationServer',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'authorization-server-excludes-forward-token',
    path: AUTH,
    rule: `!has(self.authorizationServer) || !has(self.forwardToken) || self.forwardToken != true`,
    message: 'forwardToken bypasses per-backend OAuth; set one or the other, not both',
    fieldPath: '.authorizationServer',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'authorization-server-excludes-token-exchange',
    path: AUTH,
    rule: `!has(self.authorizationServer) || !has(self.tokenExchange) || !has(self.tokenExchange.enabled) || self.tokenExchange.enabled != true`,
    message: 'tokenExchange has its own issuer/endpoint config; set one or the other, not both',
    fieldPath: '.authorizationServer',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'token-endpoint-required',
    path: TOKEN_EXCHANGE,
    rule: `!has(self.enabled) || self.enabled != true || has(self.dexTokenEndpoint)`,
    message: 'dexTokenEndpoint is required when enabled is true',
    fieldPath: '.dexTokenEndpoint',
    reason: 'FieldValueRequired',
  },
  {
    id: 'connector-required',
    path: TOKEN_EXCHANGE,
    rule: `!has(self.enabled) || self.enabled != true || has(self.connectorId)`,
    message: 'connectorId is required when enabled is true',
    fieldPath: '.connectorId',
    reason: 'FieldValueRequired',
  },
  ...REFERENCE_RULES,
];
