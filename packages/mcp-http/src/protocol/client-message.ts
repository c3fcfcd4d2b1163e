import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject, RPC_CODE, type RpcError } from '@gateway/call-contract';
import {
  type CallMethod,
  changeMembers,
  decodeText,
  findSourceText,
  type JsonSlice,
  LOG_LEVEL_META_KEY,
  METHOD_HEADER,
  NAME_HEADER,
  type RequestedParts,
  REVISION_HEADER,
  SESSION_HEADER,
  storeSourceText,
} from '@gateway/mcp-wire';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';

/** Reads a request header by lower-case name: the values of its lines in order, `undefined` when absent. */
export type HeaderReader = (name: string) => readonly string[] | undefined;

/**
 * Returns a reader of the raw header lines. Node joins repeated lines and drops some of them in `headers`; only `rawHeaders`
 * separates the lines.
 */
export const createHeaderReader =
  (request: Pick<IncomingMessage, 'rawHeaders'>): HeaderReader =>
  (name) => {
    const { rawHeaders } = request;
    let values: string[] | undefined;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const line = rawHeaders[at];
      if (line?.length === name.length && line.toLowerCase() === name) {
        (values ??= []).push(rawHeaders[at + 1] ?? '');
      }
    }
    return values;
  };

/** The value of a header that has exactly one line. */
export const findSingleHeader = (header: HeaderReader, name: string): string | undefined => {
  const values = header(name);
  return values?.length === 1 ? values[0] : undefined;
};

/** The lines of one header: absent, one value, or the values in order. */
export type HeaderValue = string | readonly string[] | undefined;

/** The values of a header as one text; absent header: `undefined`. */
export const joinValues = (value: HeaderValue, separator = ', '): string | undefined =>
  typeof value === 'object' ? value.join(separator) : value;

const addLine = (value: HeaderValue, line: string): HeaderValue => {
  if (value === undefined) return line;
  return typeof value === 'string' ? [value, line] : [...value, line];
};

/** The headers that the endpoint itself reads, found in one pass over the lines. */
export class KnownHeaders {
  host: HeaderValue;
  origin: HeaderValue;
  accept: HeaderValue;
  contentType: HeaderValue;
  contentEncoding: HeaderValue;
  sessionId: HeaderValue;
  protocolVersion: HeaderValue;
  mcpMethod: HeaderValue;
  mcpName: HeaderValue;

  constructor({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? '';
      const member = findMember(name);
      if (member !== undefined) this[member] = addLine(this[member], rawHeaders[at + 1] ?? '');
    }
  }
}

type Member = Exclude<keyof KnownHeaders, 'constructor'>;

const MEMBERS: Readonly<Record<string, Member>> = {
  host: 'host',
  origin: 'origin',
  accept: 'accept',
  'content-type': 'contentType',
  'content-encoding': 'contentEncoding',
  [SESSION_HEADER]: 'sessionId',
  [REVISION_HEADER]: 'protocolVersion',
  [METHOD_HEADER]: 'mcpMethod',
  [NAME_HEADER]: 'mcpName',
};

/** The known header names in lower case, by length: nearly all other headers differ by their length alone. */
const BY_LENGTH: readonly (readonly (readonly [name: string, member: Member])[] | undefined)[] =
  Array.from({ length: 1 + Math.max(...Object.keys(MEMBERS).map(({ length }) => length)) }).map(
    (_, length) => {
      const named = Object.entries(MEMBERS).filter(([name]) => name.length === length);
      return named.length === 0 ? undefined : named;
    },
  );

const findMember = (name: string): Member | undefined => {
  const named = BY_LENGTH[name.length];
  if (named === undefined) return undefined;
  for (const [known, member] of named) if (name === known) return member;
  const lower = name.toLowerCase();
  for (const [known, member] of named) if (lower === known) return member;
  return undefined;
};

/** Returns the headers of a request that decide what it may do, as plain data for another process. */
export const readScopeHeaders = (
  { scopeHeaders: names = [] }: { readonly scopeHeaders?: readonly string[] },
  header: HeaderReader,
): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => {
      const lines = header(name);
      return lines === undefined ? [] : [[name, lines]];
    }),
  );

/** Returns a reader of the headers that another process has sent; `undefined` for any other data. */
export const parseScopeHeaders = (scope: unknown): HeaderReader | undefined => {
  if (!isJsonObject(scope) || !Object.values(scope).every(isLines)) return undefined;
  return (name) => (Object.hasOwn(scope, name) ? (scope[name] as readonly string[]) : undefined);
};

const isLines = (value: unknown): boolean =>
  Array.isArray(value) && value.every((line) => typeof line === 'string');

/** Revisions with one envelope per request, newest first. */
export const MODERN_REVISIONS: readonly string[] = ['2026-07-28'];

/** Revisions that are agreed by `initialize`, newest first. */
export const LEGACY_REVISIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (revision) => !MODERN_REVISIONS.includes(revision),
);

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id);

const isPlainMeta = (meta: unknown): boolean => {
  if (meta === undefined) return true;
  if (!isJsonObject(meta) || Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY)) return false;
  const token = meta['progressToken'];
  return (token === undefined || isId(token)) && meta[RELATED_TASK_META_KEY] === undefined;
};

/**
 * Returns whether a body is certainly one request of a 2025-era client; `isLegacyRevision` must hold too. Such requests are most of the
 * traffic and skip the SDK's classification, which costs as much as the rest; every other body goes through it.
 */
export const isPlainLegacyBody = (body: unknown): body is JSONRPCRequest =>
  isPlainRequest(body) && isPlainParams(body.params);

/** Returns whether a body is certainly one request; its parameters are not checked. */
export const isPlainRequest = (body: unknown): body is JSONRPCRequest => {
  if (!isJsonObject(body)) return false;
  const { jsonrpc, id, method, params } = body;
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    isId(id) &&
    // Any other member makes it another kind of message, or an invalid one.
    Object.keys(body).length === (params === undefined ? 3 : 4)
  );
};

const isPlainParams = (params: unknown): boolean =>
  params === undefined || (isJsonObject(params) && isPlainMeta(params['_meta']));

/**
 * Returns whether a body is certainly one notification of a 2025-era client; `isLegacyRevision` must hold too. Each session starts with
 * one, and the SDK's classification tries three other kinds of messages before it finds the kind.
 */
export const isPlainLegacyNotification = (body: unknown): body is JSONRPCNotification => {
  if (!isJsonObject(body)) return false;
  const { jsonrpc, method, params } = body;
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    // Any other member makes it another kind of message, or an invalid one.
    Object.keys(body).length === (params === undefined ? 2 : 3) &&
    isPlainParams(params)
  );
};

/** Returns whether the header names a revision of the 2025 era, or is absent. */
export const isLegacyRevision = (revision: HeaderValue): boolean =>
  revision === undefined || (typeof revision === 'string' && LEGACY_REVISIONS.includes(revision));

/** Returns whether a message that is known to be valid JSON-RPC is a request, by the members that only a request has. */
export const isRequest = (message: unknown): message is JSONRPCRequest =>
  isJsonObject(message) && Object.hasOwn(message, 'method') && Object.hasOwn(message, 'id');

/** Returns whether a message that is known to be valid JSON-RPC is a notification. */
export const isNotification = (message: unknown): message is JSONRPCNotification =>
  isJsonObject(message) && Object.hasOwn(message, 'method') && !Object.hasOwn(message, 'id');

/** Members of `_meta` that the gateway reads; the others are for servers, which receive them unchanged. */
const META_KEYS: readonly string[] = [
  'progressToken',
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
];

/** Deletes the members of an object that are `null`. */
const dropNulls = (value: unknown, keys?: readonly string[]): void => {
  if (!isJsonObject(value)) return;
  for (const key of keys ?? Object.keys(value)) {
    // Only messages with such a member pay for the deletion.
    if (Object.hasOwn(value, key) && value[key] === null) Reflect.deleteProperty(value, key);
  }
};

/**
 * Deletes members of a parsed message, or of the messages of a batch, that are `null` and count as absent: `params`, each parameter, what
 * the gateway reads in `_meta`, and what a client states of itself. `arguments` and values for servers stay as they are.
 */
export const dropNullMembers = (message: unknown): void => {
  if (Array.isArray(message)) for (const one of message) dropNullMembers(one);
  if (!isJsonObject(message)) return;
  const isResponse = Object.hasOwn(message, 'result') && Object.hasOwn(message, 'error');
  dropNulls(message, isResponse ? ['params', 'error'] : ['params']);
  const { params } = message;
  if (!isJsonObject(params)) return;
  dropNulls(params);
  dropNulls(params['clientInfo']);
  dropNulls(params['capabilities']);
  const { _meta: meta } = params;
  if (!isJsonObject(meta)) return;
  dropNulls(meta, META_KEYS);
  for (const key of [CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY]) dropNulls(meta[key]);
};

/** The parts of a client's message that are forwarded with the bytes that they came with. */
const MESSAGE: RequestedParts = {
  members: {
    params: {
      // `arguments` in `arguments` are those of the tool that `call_tool` calls.
      members: { arguments: { members: { arguments: {} } }, _meta: {}, inputResponses: {} },
    },
    result: {},
  },
};

/** The same, for a message or a batch. */
export const MESSAGE_TEXTS: RequestedParts = { ...MESSAGE, elements: MESSAGE };

/** Lets the forwarded parts of a parsed message keep their text. */
export const keepMessageTexts = (value: unknown, slice: JsonSlice, bytes: Uint8Array): void => {
  if (Array.isArray(value)) {
    for (const [index, element] of (slice.elements ?? []).entries())
      keepMemberTexts(value[index], element, bytes);
  } else keepMemberTexts(value, slice, bytes);
};

const keepMemberTexts = (value: unknown, { members }: JsonSlice, bytes: Uint8Array): void => {
  if (members === undefined || !isJsonObject(value)) return;
  for (const [name, member] of Object.entries(members)) {
    const part = value[name];
    if (!isJsonObject(part)) continue;
    // `params` are not forwarded as a whole.
    if (name !== 'params') storeSourceText(part, decodeText(bytes, member.from, member.to));
    keepMemberTexts(part, member, bytes);
  }
};

/** The parameters of a call, checked and taken apart. */
export interface CallParams {
  /** The parameters that the service receives. */
  readonly params: JsonObject;
  /** Token of the progress reports that the caller requests. */
  readonly progressToken: string | number | undefined;
  /** `_meta` without the keys of the transport. */
  readonly meta: JsonObject | undefined;
  /** The caller's answers to an `input_required` result, and its state (2026-07-28). */
  readonly inputResponses: JsonObject | undefined;
  readonly requestState: string | undefined;
}

/** `_meta` keys that describe the connection of the caller and not the request. Servers receive those of their own connection. */
const TRANSPORT_META_KEYS: ReadonlySet<string> = new Set([
  'progressToken',
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
]);

const createParamsError = (
  message: string,
): { readonly ok: false; readonly error: { code: number; message: string } } => ({
  ok: false,
  error: { code: RPC_CODE.invalidParams, message },
});

const isOptionalObject = (value: unknown): value is JsonObject | undefined =>
  value === undefined || isJsonObject(value);

const refuseNamed = ({ name, arguments: args }: JsonObject): string | undefined => {
  if (typeof name !== 'string') return 'params.name must be a string';
  return isOptionalObject(args) ? undefined : 'params.arguments must be an object';
};

const refuseCompletion = ({ ref, argument, context }: JsonObject): string | undefined => {
  if (!isJsonObject(ref)) return 'params.ref must be an object';
  if (!isJsonObject(argument)) return 'params.argument must be an object';
  if (typeof argument['name'] !== 'string') return 'params.argument.name must be a string';
  if (typeof argument['value'] !== 'string') return 'params.argument.value must be a string';
  return isOptionalObject(context) ? undefined : 'params.context must be an object';
};

/** Returns why the parameters of a method are invalid; `undefined` for valid ones. */
const REFUSE: Readonly<Record<CallMethod, (params: JsonObject) => string | undefined>> = {
  'tools/call': refuseNamed,
  'prompts/get': refuseNamed,
  'resources/read': ({ uri }) =>
    typeof uri === 'string' ? undefined : 'params.uri must be a string',
  'completion/complete': refuseCompletion,
};

/** Parses the parameters of a call, as far as the protocol defines them. */
export const parseCallParams = (
  method: CallMethod,
  params: unknown,
):
  | { readonly ok: true; readonly call: CallParams }
  | { readonly ok: false; readonly error: RpcError } => {
  if (!isJsonObject(params)) return createParamsError('params must be an object');
  const refused = REFUSE[method](params);
  if (refused !== undefined) return createParamsError(refused);
  const { _meta: meta, inputResponses, requestState } = params;
  if (!isOptionalObject(meta)) return createParamsError('params._meta must be an object');
  if (!isOptionalObject(inputResponses))
    return createParamsError('params.inputResponses must be an object');
  if (requestState !== undefined && typeof requestState !== 'string') {
    return createParamsError('params.requestState must be a string');
  }
  return {
    ok: true,
    call: {
      params: withoutEnvelope(params),
      inputResponses,
      requestState,
      progressToken: meta === undefined ? undefined : readProgressToken(meta),
      meta: meta === undefined ? undefined : selectOwnMeta(meta),
    },
  };
};

/** Returns the parameters without the members that the context carries; the same object when there are none. */
const withoutEnvelope = (params: JsonObject): JsonObject => {
  let isWhole = true;
  let isUsual = true;
  for (const key of Object.keys(params)) {
    if (ENVELOPE_KEYS.has(key)) isWhole = false;
    else if (key !== 'name' && key !== 'arguments') isUsual = false;
  }
  if (isWhole) return params;
  // Taking a part out of an object of any shape costs several times as much as this one shape.
  if (isUsual && params['arguments'] !== undefined) {
    return { name: params['name'], arguments: params['arguments'] };
  }
  const { _meta, inputResponses: _responses, requestState: _state, ...rest } = params;
  return rest;
};

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

/** Returns `_meta` without the keys of the transport; `undefined` when nothing is left. */
const selectOwnMeta = (meta: JsonObject): JsonObject | undefined => {
  const own = Object.entries(meta).filter(([key]) => !TRANSPORT_META_KEYS.has(key));
  if (own.length === 0) return undefined;
  const kept = Object.fromEntries(own);
  const text = findSourceText(meta);
  if (text === undefined) return kept;
  return storeSourceText(
    kept,
    changeMembers(text, { remove: (key) => TRANSPORT_META_KEYS.has(key) }),
  );
};

const readProgressToken = (meta: JsonObject): string | number | undefined => {
  const token = Object.hasOwn(meta, 'progressToken') ? meta['progressToken'] : undefined;
  return typeof token === 'string' || Number.isSafeInteger(token)
    ? (token as string | number)
    : undefined;
};
