import {
  decodeHeader,
  findArgument,
  listMirroredParams,
  METHOD_HEADER,
  MIRRORED_TYPES,
  type MirroredParam,
  NAME_HEADER,
  NAME_PARAMETERS,
  PARAM_HEADER_PREFIX,
  REVISION_HEADER,
  LOG_LEVEL_META_KEY,
} from '@gateway/mcp-wire';
import { type JsonObject, RPC_CODE, type RpcError, isJsonObject } from '@gateway/call-contract';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  UnsupportedProtocolVersionError,
  type classifyInboundRequest,
} from '@modelcontextprotocol/server';
import { quote } from './refusal.ts';
import {
  type HeaderReader,
  type KnownHeaders,
  findSingleHeader,
  MODERN_REVISIONS,
} from './client-message.ts';
import { isPlainRequest } from './client-message.ts';
import { isLogLevel } from './client-features.ts';
import type { McpService, RequestContext } from './mcp-service.ts';

/** A request or notification that carries the envelope of 2026-07-28. */
export type ModernRoute = Extract<ReturnType<typeof classifyInboundRequest>, { kind: 'modern' }>;

const MIRRORED_HEADERS = {
  protocolVersionHeader: REVISION_HEADER,
  mcpMethodHeader: METHOD_HEADER,
  mcpNameHeader: NAME_HEADER,
} as const;

/** The headers that mirror dependencies of the body, as the SDK's classification receives them. */
export const readMirroredHeaders = (
  header: HeaderReader,
): Partial<Record<keyof typeof MIRRORED_HEADERS, string>> =>
  Object.fromEntries(
    Object.entries(MIRRORED_HEADERS).flatMap(([key, name]) => {
      const values = header(name);
      return values === undefined ? [] : [[key, values.join(', ')]];
    }),
  );

const createMismatchError = (header: string, body: string): RpcError => ({
  code: RPC_CODE.headerMismatch,
  message: `Bad Request: the request headers and body disagree: ${body}`,
  data: { mismatch: { header, body } },
});

const MISSING = '(missing)';

/** Returns the error of an envelope that names a revision which is not served. */
export const refuseRevision = ({ classification }: ModernRoute): RpcError | undefined => {
  const { revision: requested = 'unknown' } = classification;
  if (MODERN_REVISIONS.includes(requested)) return undefined;
  const supported = [...MODERN_REVISIONS];
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported, requested });
  return { code, message, data };
};

/**
 * Validates what the SDK's classification leaves to its own entry: the revision and the mirrored headers. @returns the error of
 * the request, for HTTP 400
 */
export const refuseModernRequest = (
  route: ModernRoute,
  header: HeaderReader,
): RpcError | undefined => {
  const unserved = refuseRevision(route);
  if (unserved !== undefined || route.messageKind !== 'request') return unserved;
  if (header(REVISION_HEADER) === undefined) {
    return createMismatchError(MISSING, 'the required MCP-Protocol-Version header is absent');
  }
  if (header(METHOD_HEADER) === undefined) {
    return createMismatchError(MISSING, 'the required Mcp-Method header is absent');
  }
  return refuseName(route.message, header);
};

/** The parameter that the `Mcp-Name` header mirrors, also of methods that the endpoint refuses. */
const MIRRORED_BY: ReadonlyMap<string, string> = new Map([
  ...NAME_PARAMETERS,
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const refuseName = (request: JSONRPCRequest, header: HeaderReader): RpcError | undefined => {
  const member = MIRRORED_BY.get(request.method);
  if (member === undefined) return undefined;
  const name = isJsonObject(request.params) ? request.params[member] : undefined;
  // A body without a name is answered by the check of the parameters.
  if (typeof name !== 'string') return undefined;
  if (header(NAME_HEADER) === undefined) {
    return createMismatchError(MISSING, 'the required Mcp-Name header is absent');
  }
  const value = findSingleHeader(header, NAME_HEADER) ?? '';
  const decoded = decodeHeader(value);
  if (decoded === undefined)
    return createMismatchError(value, 'the Mcp-Name header is not valid Base64');
  if (decoded !== name) {
    return createMismatchError(
      value,
      `the body names ${quote(name)} but the Mcp-Name header does not`,
    );
  }
  return undefined;
};

/** The headers that mirror dependencies of a request of 2026-07-28. */
type MirroredHeaders = Pick<KnownHeaders, 'protocolVersion' | 'mcpMethod' | 'mcpName'>;

const isOptionalObject = (value: unknown): boolean => value === undefined || isJsonObject(value);
const isOptionalText = (value: unknown): boolean =>
  value === undefined || typeof value === 'string';
const isOptionalLevel = (value: unknown): boolean => value === undefined || isLogLevel(value);
const isOptionalFlag = (value: unknown): boolean =>
  value === undefined || typeof value === 'boolean';

/**
 * Returns whether a body is certainly one request of 2026-07-28 with a complete envelope that agrees with its headers. Such
 * requests are most of the traffic and skip the SDK's classification, which costs as much as the rest; every other body goes
 * through it.
 */
export const isPlainModernRequest = (
  body: unknown,
  headers: MirroredHeaders,
): body is JSONRPCRequest => {
  if (!isPlainRequest(body) || body.method === 'initialize') return false;
  const { params }: { readonly params?: unknown } = body;
  if (!isJsonObject(params)) return false;
  const meta = params['_meta'];
  return (
    isJsonObject(meta) &&
    isPlainEnvelope(meta) &&
    headers.protocolVersion === meta[PROTOCOL_VERSION_META_KEY] &&
    headers.mcpMethod === body.method &&
    hasSameName(body.method, params, headers)
  );
};

const isPlainEnvelope = (meta: JsonObject): boolean => {
  const revision = meta[PROTOCOL_VERSION_META_KEY];
  const token = meta['progressToken'];
  return (
    typeof revision === 'string' &&
    MODERN_REVISIONS.includes(revision) &&
    (token === undefined || typeof token === 'string' || Number.isSafeInteger(token)) &&
    isPlainClient(meta[CLIENT_INFO_META_KEY]) &&
    isPlainCapabilities(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    isOptionalLevel(meta[LOG_LEVEL_META_KEY]) &&
    meta[RELATED_TASK_META_KEY] === undefined
  );
};

const isPlainClient = (client: unknown): boolean =>
  client === undefined ||
  (isJsonObject(client) &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    isOptionalText(client['title']) &&
    isOptionalText(client['description']) &&
    isOptionalText(client['websiteUrl']) &&
    client['icons'] === undefined);

const isPlainCapabilities = (capabilities: unknown): boolean => {
  if (!isJsonObject(capabilities)) return false;
  const { sampling, elicitation, roots, experimental, extensions } = capabilities;
  return (
    isPlainSampling(sampling) &&
    isPlainElicitation(elicitation) &&
    (roots === undefined || (isJsonObject(roots) && isOptionalFlag(roots['listChanged']))) &&
    experimental === undefined &&
    isPlainExtensions(extensions)
  );
};

const isPlainSampling = (sampling: unknown): boolean =>
  sampling === undefined ||
  (isJsonObject(sampling) &&
    isOptionalObject(sampling['context']) &&
    isOptionalObject(sampling['tools']));

const isPlainElicitation = (elicitation: unknown): boolean => {
  if (elicitation === undefined) return true;
  if (!isJsonObject(elicitation)) return false;
  const { form, url } = elicitation;
  if (!isOptionalObject(form) || !isOptionalObject(url)) return false;
  return !isJsonObject(form) || isOptionalFlag(form['applyDefaults']);
};

const isPlainExtensions = (extensions: unknown): boolean =>
  extensions === undefined ||
  (isJsonObject(extensions) && Object.values(extensions).every(isJsonObject));

/** A name in another writing, such as Base64, is for the whole check. */
const hasSameName = (method: string, params: JsonObject, { mcpName }: MirroredHeaders): boolean => {
  const member = MIRRORED_BY.get(method);
  if (member === undefined) return true;
  const name = params[member];
  return typeof name === 'string' && name === mcpName && !name.startsWith('=?');
};

/** Some clients mirror numbers too, which the revision does not permit. */
const CHECKED_TYPES: ReadonlySet<unknown> = new Set([...MIRRORED_TYPES, 'number']);

/**
 * Validates headers that repeat arguments of a call against the body, as 2026-07-28 requires for tools whose input schema names
 * such headers (`x-mcp-header`). The names in a schema are read once per schema.
 */
export class ParamHeaders {
  readonly #service: McpService;
  readonly #known = new WeakMap<JsonObject, readonly MirroredParam[]>();

  constructor(service: McpService) {
    this.#service = service;
  }

  /** Returns the error of a call of a tool, for HTTP 400; `undefined` when its headers match. */
  refuse(params: JsonObject, context: RequestContext): RpcError | undefined {
    const name = params['name'];
    if (typeof name !== 'string') return undefined;
    const schema = this.#service.inputSchema?.(name, context);
    if (schema === undefined) return undefined;
    for (const param of this.#mirrored(schema)) {
      const error = refuseParam(param, params['arguments'], context.header);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  #mirrored(schema: JsonObject): readonly MirroredParam[] {
    let params = this.#known.get(schema);
    if (params === undefined) {
      params = listMirroredParams(schema, CHECKED_TYPES).map(({ path, header }) => ({
        path,
        header: `${PARAM_HEADER_PREFIX}${header.toLowerCase()}`,
      }));
      this.#known.set(schema, params);
    }
    return params;
  }
}

/** Returns whether a header repeats an argument that the body does not have. */
const refuseParam = (
  param: MirroredParam,
  args: unknown,
  header: HeaderReader,
): RpcError | undefined => {
  const value = findArgument(args, param.path);
  if (value === undefined || value === null) return undefined;
  if (header(param.header) === undefined) {
    return createMismatchError('(missing)', `the ${param.header} header is absent`);
  }
  const line = findSingleHeader(header, param.header) ?? '';
  const told = decodeHeader(line);
  if (told === undefined)
    return createMismatchError(line, `the ${param.header} header is not valid Base64`);
  if (isSame(told, value)) return undefined;
  const path = quote(param.path.join('.'));
  return createMismatchError(line, `the ${param.header} header differs from the argument ${path}`);
};

const isSame = (told: string, value: unknown): boolean => {
  if (typeof value === 'number') return told.trim() !== '' && Number(told) === value;
  return (typeof value === 'string' || typeof value === 'boolean') && told === String(value);
};
