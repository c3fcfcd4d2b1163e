import type { AuthFields } from './auth-fields.ts';
import type {
  AuthorizationServer,
  ClientCredentialsSecretRef,
  McpServerAuth,
  McpServerSpec,
  TokenExchange,
  TokenExchangeFields,
} from './mcp-server.ts';
import type { McpServerSpecFields } from './spec-fields.ts';
import type { ReferenceFields } from './reference-fields.ts';
import type { KeyReference, ValueReference } from './value-reference.ts';

const NOTHING: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

const NO_AUTH: McpServerAuth = Object.freeze({
  type: 'none',
  forwardToken: false,
  requiredAudiences: Object.freeze([]),
});

const secretRefOf = (
  ref: NonNullable<TokenExchangeFields['clientCredentialsSecretRef']>,
  namespace: string,
): ClientCredentialsSecretRef => Object.freeze({ ...ref, namespace: ref.namespace ?? namespace });

const tokenExchangeOf = (fields: TokenExchangeFields, namespace: string): TokenExchange => {
  const {
    enabled,
    dexTokenEndpoint,
    connectorId,
    clientCredentialsSecretRef: ref,
    ...rest
  } = fields;
  const options = {
    ...rest,
    ...(ref === undefined ? {} : { clientCredentialsSecretRef: secretRefOf(ref, namespace) }),
  };
  if (!enabled) {
    return Object.freeze({
      ...options,
      enabled,
      ...(dexTokenEndpoint === undefined ? {} : { dexTokenEndpoint }),
      ...(connectorId === undefined ? {} : { connectorId }),
    });
  }
  if (dexTokenEndpoint === undefined || connectorId === undefined) {
    throw new Error('an enabled token exchange got past the rules without endpoint or connector');
  }
  return Object.freeze({ ...options, enabled, dexTokenEndpoint, connectorId });
};

const authorizationServerOf = (
  { clientCredentialsSecretRef: ref, ...rest }: NonNullable<AuthFields['authorizationServer']>,
  namespace: string,
): AuthorizationServer =>
  Object.freeze({
    ...rest,
    ...(ref !== undefined && { clientCredentialsSecretRef: secretRefOf(ref, namespace) }),
  });

const authOf = (fields: AuthFields | undefined, namespace: string): McpServerAuth => {
  if (fields === undefined) return NO_AUTH;
  const { tokenExchange, authorizationServer, requiredAudiences, ...rest } = fields;
  return Object.freeze({
    ...rest,
    requiredAudiences: Object.freeze(requiredAudiences),
    ...(tokenExchange === undefined
      ? {}
      : { tokenExchange: tokenExchangeOf(tokenExchange, namespace) }),
    ...(authorizationServer === undefined
      ? {}
      : { authorizationServer: authorizationServerOf(authorizationServer, namespace) }),
  });
};

const deepFrozen = (entry: ReferenceFields): ReferenceFields => {
  const keys: readonly (KeyReference | undefined)[] = [entry.secretKeyRef, entry.configMapKeyRef];
  for (const key of keys) Object.freeze(key);
  return Object.freeze(entry);
};

/** Returns nothing for an empty list. */
const referencesOf = <Field extends 'envFrom' | 'headersFrom'>(
  field: Field,
  entries: readonly ReferenceFields[] = [],
) =>
  (entries.length === 0 ? {} : { [field]: Object.freeze(entries.map(deepFrozen)) }) as {
    readonly [Name in Field]?: readonly ValueReference[];
  };

/** The optional fields of processes. */
type ProcessFields = Pick<McpServerSpecFields, 'cwd' | 'startTimeout'>;

/** Returns the fields that have a value. */
const presentOf = (fields: {
  readonly [Name in keyof ProcessFields]: ProcessFields[Name] | undefined;
}): ProcessFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Returns the spec of fields that satisfy every rule; fields without meaning for the type are dropped.
 *
 * @param namespace of the server, for references that name none
 */
export const specOfFields = (fields: McpServerSpecFields, namespace: string): McpServerSpec => {
  const { type, command, args, cwd, startTimeout, url, headers, auth, ...common } = fields;
  const { env = NOTHING, envFrom, headersFrom, family, ...rest } = common;
  const base = {
    ...rest,
    env,
    ...(family === undefined ? {} : { family: Object.freeze(family) }),
  };
  if (type === 'stdio') {
    if (command === undefined) throw new Error('a stdio server got past the rules without command');
    return Object.freeze({
      ...base,
      type,
      command,
      args: Object.freeze(args ?? []),
      ...referencesOf('envFrom', envFrom),
      ...presentOf({ cwd, startTimeout }),
    });
  }
  if (url === undefined) throw new Error('a remote server got past the rules without url');
  return Object.freeze({
    ...base,
    type,
    url,
    headers: headers ?? NOTHING,
    ...referencesOf('headersFrom', headersFrom),
    auth: authOf(auth, namespace),
  });
};
