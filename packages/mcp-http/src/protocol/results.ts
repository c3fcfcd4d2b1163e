import {
  type CallResult,
  isJsonObject,
  type JsonObject,
  type Principal,
  RPC_CODE,
  type RpcError,
} from '@gateway/call-contract';
import {
  changeMembers,
  formatErrorMessage,
  formatResult,
  formatJson,
  findSourceText,
  type LongText,
  readMember,
  type MemberTexts,
  RawObject,
  type CallMethod,
  type ListMethod,
  type Era,
} from '@gateway/mcp-wire';
import { type JSONRPCRequest, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { McpService, ServiceAnswer, ServiceCapabilities } from './mcp-service.ts';
import type { InsufficientScope } from './refusal.ts';
import { type HeaderReader, LEGACY_REVISIONS, MODERN_REVISIONS } from './client-message.ts';

/** The members that every 2026-07-28 result of a service carries. */
export interface ResultStamp {
  /** The key of `_meta` under which the server names itself, and its value. */
  readonly metaKey: string;
  readonly metaValue: unknown;
  /** Further members, for a result that has no members of these names. */
  readonly members: JsonObject;
  /** The value as JSON. */
  readonly valueText: string;
  /** All members as JSON, for a result that has none of them. */
  readonly memberText: string;
}

/**
 * Returns a result as it is written. The text that it came with or keeps is used as it is; a stamp only adds members. A `resultType`, a
 * member or a `_meta` key of the stamp that the result has already stays.
 *
 * @throws TypeError when the result is no object or cannot be written as JSON
 */
export const formatStampedResult = (
  result: CallResult,
  stamp: ResultStamp | undefined,
): string | RawObject => {
  if (!(result instanceof RawObject)) return formatResultText(result, stamp);
  return stamp === undefined ? result : result.with(computeStampTexts(result, stamp));
};

export const formatResultText = (result: JsonObject, stamp: ResultStamp | undefined): string => {
  if (!isJsonObject(result)) throw new TypeError('A result must be an object');
  if (stamp === undefined) return formatJson(result);
  if (!canAppendStamp(stamp, result)) return JSON.stringify(applyStamp(result, stamp));
  const text = formatJson(result);
  return `{${stamp.memberText}${text === '{}' ? '' : ','}${text.slice(1)}`;
};

/**
 * Returns a result of a tool for clients of the 2025 revisions, whose structured content must be an object: that of a 2026-07-28 server may
 * be any value.
 */
export const wrapContent = (result: CallResult): CallResult => {
  if (result instanceof RawObject)
    return result.hasObject('structuredContent') === false
      ? result.wrap('structuredContent', '{"result":', '}')
      : result;
  const content = isJsonObject(result) ? result['structuredContent'] : undefined;
  return content === undefined || isJsonObject(content)
    ? result
    : { ...result, structuredContent: { result: content } };
};

/** Returns the members of a stamp that a result does not have. */
const computeStampTexts = (result: RawObject, stamp: ResultStamp): MemberTexts => {
  const added: Record<string, string> = {};
  if (result.member('resultType') === undefined) added['resultType'] = '"complete"';
  for (const [name, value] of Object.entries(stamp.members))
    if (result.member(name) === undefined) added[name] = JSON.stringify(value);
  const meta = result.member('_meta');
  const { metaKey, valueText } = stamp;
  if (meta === undefined) added['_meta'] = `{${JSON.stringify(metaKey)}:${valueText}}`;
  // A malformed `_meta` is the tool's own; it is passed on, not repaired.
  else if (meta.startsWith('{') && !Object.hasOwn(JSON.parse(meta) as object, metaKey))
    added['_meta'] = changeMembers(meta, { add: { [metaKey]: valueText } });
  return added;
};

/** Returns whether a result has no member of the stamp, so that both can be serialised one after the other. */
const canAppendStamp = ({ members }: ResultStamp, result: JsonObject): boolean => {
  if (findSourceText(result) === undefined && 'toJSON' in result) return false;
  for (const name of ['_meta', 'resultType']) if (Object.hasOwn(result, name)) return false;
  for (const name in members) if (Object.hasOwn(result, name)) return false;
  return true;
};

const applyStamp = (result: JsonObject, stamp: ResultStamp): JsonObject => ({
  resultType: 'complete',
  ...stamp.members,
  ...result,
  ...applyMetaStamp(result, stamp),
});

const applyMetaStamp = (result: JsonObject, { metaKey, metaValue }: ResultStamp): JsonObject => {
  const meta = Object.hasOwn(result, '_meta') ? result['_meta'] : {};
  return isJsonObject(meta) ? { _meta: { [metaKey]: metaValue, ...meta } } : {};
};

/** Creates a stamp; its texts are written once. */
export const createStamp = (
  metaKey: string,
  metaValue: unknown,
  members: JsonObject = {},
): ResultStamp => {
  const whole = { resultType: 'complete', ...members, _meta: { [metaKey]: metaValue } };
  return {
    metaKey,
    metaValue,
    members,
    valueText: JSON.stringify(metaValue),
    memberText: JSON.stringify(whole).slice(1, -1),
  };
};

/** Revision of a 2025-era request that names none. MCP 2025-06-18, Streamable HTTP, protocol version header */
export const ASSUMED_REVISION = '2025-03-26';

/** Revisions that know JSON-RPC batches. */
export const BATCH_REVISIONS: readonly string[] = ['2024-10-07', '2024-11-05', '2025-03-26'];

/** The capability that a method of the service belongs to. */
export const CAPABILITY_OF: Readonly<Record<ListMethod | CallMethod, keyof ServiceCapabilities>> = {
  'tools/list': 'tools',
  'tools/call': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'completion/complete': 'completions',
};

const readInstructions = ({ instructions }: McpService): { readonly instructions?: string } =>
  instructions === undefined ? {} : { instructions };

/** The revision that `initialize` settles on: the one asked for, else the newest. */
export const resolveRevision = (requested: string): string =>
  LEGACY_REVISIONS.includes(requested) ? requested : (LEGACY_REVISIONS[0] ?? ASSUMED_REVISION);

/** Returns the result of `initialize` for an agreed revision: the server, its capabilities and its instructions. */
export const createInitializeResult = (service: McpService, revision: string): JsonObject => ({
  protocolVersion: revision,
  capabilities: service.capabilities,
  serverInfo: service.info,
  ...readInstructions(service),
});

/** Returns the result of `server/discover` without the fields of every 2026-07-28 result. */
export const createDiscoverResult = (service: McpService): JsonObject => ({
  supportedVersions: MODERN_REVISIONS,
  capabilities: service.capabilities,
  ...readInstructions(service),
});

/** Returns the members that a service adds to every 2026-07-28 result. */
export const createServiceStamp = ({ info }: McpService): ResultStamp =>
  createStamp(SERVER_INFO_META_KEY, info);

/**
 * Returns the same for a result that states how long it may be cached. Results depend on the headers of the request, so only the
 * caller itself may cache them.
 */
export const createCacheableStamp = ({ info }: McpService, ttlMs: number): ResultStamp =>
  createStamp(SERVER_INFO_META_KEY, info, { ttlMs, cacheScope: 'private' });

/** The response to one request, as a JSON-RPC message; no message: the request was cancelled and gets no response. */
export interface SettledResponse {
  readonly message: LongText | undefined;
  /** HTTP status when this message is the whole answer. */
  readonly status: number;
  /** Set when the whole answer is a refusal with its own header, whatever framing the caller accepts. */
  readonly refusal?: InsufficientScope;
}

/** The channel back to the caller of a request: the `POST` in this process, one that another process holds, or a connection. */
export interface ResponseSink {
  /** `true` when messages other than the response can be sent. */
  readonly canStream: boolean;
  /** Sends a notification of a running request; drops it when the caller accepts no event stream or reads too slowly. */
  notify(message: string): void;
  /** Sends a message that must not be lost; returns `false` when the caller accepts no event stream. */
  send(message: string): boolean;
  /** Opens the event stream early, for its comments, when the caller accepts one. */
  keepAlive(): void;
  /** Settles one request; the last one ends the exchange. */
  settle(response: SettledResponse): void;
  /** Calls the listener when the caller disconnects and cannot resume, until the returned function is called. */
  onDisconnect(listener: () => void): () => void;
}

/** The surroundings of one request: its sender and the revision of that, its headers and the channel of its response. */
export interface RequestScope {
  readonly era: Era;
  readonly principal: Principal;
  readonly header: HeaderReader;
  readonly exchange: ResponseSink;
}

/** A request together with its scope. */
export interface ScopedRequest<S extends RequestScope = RequestScope> {
  readonly request: JSONRPCRequest;
  readonly scope: S;
}

export const createResultResponse = (
  { id }: JSONRPCRequest,
  result: string | RawObject,
): SettledResponse => ({
  message: formatResult(id, result),
  status: 200,
});

export const createErrorResponse = (
  { id }: JSONRPCRequest,
  error: RpcError,
  status = 200,
): SettledResponse => ({
  message: formatErrorMessage(id, error),
  status,
});

/**
 * Returns the response with an error of a service: status 200, or 400 for 2026-07-28 when the request needs more than the client
 * declared. That revision has no code of its own for a missing resource.
 */
const toErrorResponse = ({ request, scope }: ScopedRequest, error: RpcError): SettledResponse => {
  if (scope.era === 'legacy') return createErrorResponse(request, error);
  if (error.code === RPC_CODE.resourceNotFound) {
    return createErrorResponse(request, { ...error, code: RPC_CODE.invalidParams });
  }
  return createErrorResponse(
    request,
    error,
    error.code === RPC_CODE.missingClientCapability ? 400 : 200,
  );
};

/** Returns the response to an unknown method: status 404 for 2026-07-28, status 200 for earlier revisions. */
export const createMethodNotFound = ({ request, scope }: ScopedRequest): SettledResponse => {
  const error = { code: RPC_CODE.methodNotFound, message: 'Method not found' };
  return createErrorResponse(request, error, scope.era === 'modern' ? 404 : 200);
};

/** The error that callers receive for an exception of the service, without details of it. */
export const INTERNAL_ERROR: RpcError = { code: RPC_CODE.internal, message: 'Internal error' };

/** Writes the answers of a service as responses of the revision that a request has. */
export class AnswerWriter {
  readonly #onError: (error: unknown) => void;
  readonly #stamp: ResultStamp;
  readonly #readStamp: ResultStamp;

  constructor(service: McpService, resourceTtlMs: number, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#stamp = createServiceStamp(service);
    this.#readStamp = createCacheableStamp(service, resourceTtlMs);
  }

  /** Returns the response to a request; an internal error for an answer that cannot be written as JSON. */
  write({ request, scope }: ScopedRequest, answer: ServiceAnswer): SettledResponse {
    try {
      if (!answer.ok) return toErrorResponse({ request, scope }, answer.error);
      const { method } = request;
      const { result } = answer;
      if (scope.era === 'modern')
        return createResultResponse(
          request,
          formatStampedResult(result, this.#stampOf(method, result)),
        );
      const shown = method === 'tools/call' ? wrapContent(result) : result;
      return createResultResponse(request, formatStampedResult(shown, undefined));
    } catch (error) {
      this.#onError(error);
      return createErrorResponse(request, INTERNAL_ERROR);
    }
  }

  /** Returns the stamp of a result: a complete resource states how long clients may cache it. */
  #stampOf(method: string, result: CallResult): ResultStamp {
    if (method !== 'resources/read') return this.#stamp;
    const isWhole = (readMember(result, 'resultType') ?? 'complete') === 'complete';
    return isWhole ? this.#readStamp : this.#stamp;
  }
}
