import type { Result } from '@gateway/toolset-grammar';
import * as z from 'zod/mini';
import { freezeDeep } from '../fields/fields.ts';
import { listZodIssues, mergeRuleIssues } from '../fields/list-zod-issues.ts';
import { MAX_ISSUES, MAX_URL_CHARS } from '../fields/limits.ts';
import { objectMetadataFields, toObjectMetadata } from '../fields/object-metadata.ts';
import {
  formatApiVersion,
  validateIdentity,
  readOwnMember,
  type ValidationIssue,
} from '../fields/validation-issue.ts';
import {
  type AuthorizationServer,
  type ClientCredentialsSecretRef,
  type DisabledTokenExchange,
  type EnabledTokenExchange,
  MCP_SERVER_KIND,
  type McpServer,
  type McpServerAuth,
  type McpServerSpec,
  type TokenExchange,
  type TokenExchangeFields,
} from './mcp-server.ts';
import { withStandIns } from './placeholder.ts';
import { type AuthFields, type McpServerSpecFields, mcpServerSpecFields } from './spec-fields.ts';
import { evaluateRules } from '../rules/evaluate-rules.ts';

/** Returns the entries of `headersFrom` that differ from a header of `headers` in case only, which no rule in CEL states. RFC 9110 §5.1 */
const headerCaseIssues = ({
  headers = {},
  headersFrom = [],
}: McpServerSpecFields): readonly ValidationIssue[] => {
  const names = Object.keys(headers);
  const known = new Set(names.map((name) => name.toLowerCase()));
  return headersFrom.some(({ name }) => known.has(name.toLowerCase()) && !names.includes(name))
    ? [
        {
          path: ['spec', 'headersFrom'],
          message: 'a header is either in headers or in headersFrom, whatever the case of its name',
        },
      ]
    : [];
};

const NOTHING: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

const NO_AUTH: McpServerAuth = { type: 'none', forwardToken: false, requiredAudiences: [] };

/** Returns the reference to a Secret with the namespace that it means; nothing without a reference. */
const parseSecretRef = (
  { clientCredentialsSecretRef: ref }: Pick<TokenExchangeFields, 'clientCredentialsSecretRef'>,
  namespace: string,
): { readonly clientCredentialsSecretRef?: ClientCredentialsSecretRef } =>
  ref === undefined
    ? {}
    : { clientCredentialsSecretRef: { ...ref, namespace: ref.namespace ?? namespace } };

const parseTokenExchange = (fields: TokenExchangeFields, namespace: string): TokenExchange => {
  const { enabled, dexTokenEndpoint, connectorId } = fields;
  const ref = parseSecretRef(fields, namespace);
  if (!enabled) return { ...fields, enabled, ...ref } as DisabledTokenExchange;
  if (dexTokenEndpoint === undefined || connectorId === undefined)
    throw new Error('an enabled token exchange got past the rules without endpoint or connector');
  return { ...fields, enabled, dexTokenEndpoint, connectorId, ...ref } as EnabledTokenExchange;
};

const parseAuth = (
  { tokenExchange, authorizationServer, ...rest }: AuthFields,
  namespace: string,
): McpServerAuth => ({
  ...rest,
  ...(tokenExchange && { tokenExchange: parseTokenExchange(tokenExchange, namespace) }),
  ...(authorizationServer && {
    authorizationServer: {
      ...authorizationServer,
      ...parseSecretRef(authorizationServer, namespace),
    } as AuthorizationServer,
  }),
});

/**
 * Returns the spec of fields that satisfy every rule; `url` and `command` are dropped where they have no meaning.
 *
 * @param namespace of the server, for references that name none
 */
const parseSpec = (fields: McpServerSpecFields, namespace: string): McpServerSpec => {
  const { type, command, args = [], url, headers = NOTHING, auth, ...common } = fields;
  const { env = NOTHING, envFrom = [], headersFrom = [], ...rest } = common;
  if (type === 'stdio') {
    if (command === undefined) throw new Error('a stdio server got past the rules without command');
    return { ...rest, env, type, command, args, ...(envFrom.length > 0 && { envFrom }) };
  }
  if (url === undefined) throw new Error('a remote server got past the rules without url');
  return {
    ...rest,
    env,
    type,
    url,
    headers,
    ...(headersFrom.length > 0 && { headersFrom }),
    auth: auth === undefined ? NO_AUTH : parseAuth(auth, namespace),
  };
};

/** The top level of the document. `status` is written by the cluster and ignored. @spec §2.6 */
const documentFields = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: objectMetadataFields,
  spec: mcpServerSpecFields,
  status: z.exactOptional(z.unknown()),
});

/** Options of {@link parseMcpServer}. */
export interface ParseOptions {
  /** The group that `apiVersion` must name; `gateway.internal` when absent. */
  readonly apiGroup?: string | undefined;
  /** Accept a URL that becomes valid with the values of its placeholders, as in files. */
  readonly hasPlaceholders?: boolean;
}

/** Returns the URL of a document, when file mode may replace a part of it. */
const placeholderUrl = (document: unknown): string | undefined => {
  const url = readOwnMember(readOwnMember(document, 'spec'), 'url');
  return typeof url === 'string' && url.includes('${') && url.length <= MAX_URL_CHARS
    ? url
    : undefined;
};

const withUrl = (document: unknown, url: string): unknown => ({
  ...(document as object),
  spec: { ...(readOwnMember(document, 'spec') as object), url },
});

/** Parses a document with the URL that its placeholders may lead to, and returns it with the URL as written. */
const parseWithPlaceholders = (
  document: unknown,
  url: string,
  { apiGroup }: ParseOptions,
): Result<McpServer, readonly ValidationIssue[]> => {
  const parsed = parseMcpServer(withUrl(document, withStandIns(url)), { apiGroup });
  if (!parsed.ok || parsed.value.spec.type === 'stdio') return parsed;
  const spec = Object.freeze({ ...parsed.value.spec, url });
  return { ok: true, value: Object.freeze({ ...parsed.value, spec }) };
};

/**
 * Parses an `MCPServer` document: fields, bounds, unknown keys and the rules between fields, all reported together. Never
 * throws for plain data. Defaults are filled in; the result is frozen and shares nothing mutable with the document.
 *
 * @spec §1.5, §2.6, §7.6, §8, §9.1
 */
export const parseMcpServer = (
  document: unknown,
  options: ParseOptions = {},
): Result<McpServer, readonly ValidationIssue[]> => {
  const url = options.hasPlaceholders === true ? placeholderUrl(document) : undefined;
  if (url !== undefined) return parseWithPlaceholders(document, url, options);
  const apiVersion = formatApiVersion(options.apiGroup);
  const parsed = documentFields.safeParse(document);
  const issues = [
    ...validateIdentity(document, { apiVersion, kind: MCP_SERVER_KIND }),
    ...mergeRuleIssues(
      parsed.success ? headerCaseIssues(parsed.data.spec) : listZodIssues(parsed.error, document),
      { ofRules: evaluateRules(MCP_SERVER_KIND, readOwnMember(document, 'spec')), document },
    ),
  ];
  if (!parsed.success || issues.length > 0) {
    return { ok: false, error: issues.slice(0, MAX_ISSUES) };
  }
  const metadata = toObjectMetadata(parsed.data.metadata);
  const spec = parseSpec(parsed.data.spec, metadata.namespace);
  return {
    ok: true,
    value: freezeDeep({ apiVersion, kind: MCP_SERVER_KIND, metadata, spec }),
  };
};
