import {
  ANONYMOUS,
  type Caller,
  type CallResult,
  type Principal,
  isJsonObject,
  isResolvedWithin,
  RPC_CODE,
} from '@gateway/call-contract';
import type { ServerTool } from '@gateway/catalog';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import {
  createParamHeaders,
  listMirroredParams,
  type MirroredParam,
  type CallMethod,
} from '@gateway/mcp-wire';
import { formatSafeLine } from '../wire/reason.ts';
import { listArgumentValues, listSecrets } from '../wire/referenced-values.ts';
import { findSetArguments, setArguments } from '../wire/tool-rules.ts';
import {
  INPUT_REQUIRED,
  UNAUTHORIZED,
  type RequestFailure,
  type RequestOutcome,
  formatSessionReason,
} from '../wire/request-outcome.ts';
import { requestWithInput } from './input-rounds.ts';
import type { OutgoingRequest, RequestConnection, RequestOptions } from './outgoing-requests.ts';

/** A server, or one of its tools by its own name, whose limits end a request. */
interface LimitedTarget {
  readonly server: string;
  readonly tool?: string;
}

const formatTarget = ({ server, tool }: LimitedTarget): string =>
  tool === undefined ? `server ${server}` : `tool ${tool} of server ${server}`;

const formatWait = (ms: number): string => `${Math.ceil(ms / 1000)} s`;

const formatBreaker = ({ waitMs }: { readonly waitMs?: number }): string =>
  waitMs === undefined
    ? 'half-open, the next attempt runs now; retry when it has ended'
    : `open, the next attempt is possible in ${formatWait(waitMs)}`;

export type DownstreamError =
  | { readonly code: 'server.unknown'; readonly server: string }
  | { readonly code: 'server.not-connected'; readonly server: string; readonly state: string }
  | {
      readonly code: 'server.auth-required';
      readonly server: string;
      /** Why the sign-in of the caller cannot be used: one line; absent when the caller has not signed in. */
      readonly reason?: string;
    }
  /** A value that the definition of the server refers to is missing. */
  | {
      readonly code: 'tool.value-missing';
      readonly server: string;
      readonly tool: string;
      readonly argument: string;
      /** One line without values. */
      readonly reason: string;
    }
  | { readonly code: 'server.connection-lost'; readonly server: string; readonly reason: string }
  /** The server or the tool has as many running and waiting requests as it may have. */
  | (LimitedTarget & {
      readonly code: 'server.busy';
      readonly running: number;
      readonly waiting: number;
    })
  | (LimitedTarget & {
      readonly code: 'server.rate-limited';
      /** The number of calls that are allowed in `windowMs`. */
      readonly calls: number;
      readonly windowMs: number;
      readonly isPerUser: boolean;
      readonly waitMs: number;
    })
  /** Earlier requests failed in a row, and the next attempt is later. */
  | (LimitedTarget & {
      readonly code: 'server.breaker-open';
      /** Time until the next attempt; absent while it runs. */
      readonly waitMs?: number;
    })
  | { readonly code: 'request.timeout'; readonly server: string; readonly timeoutMs: number }
  | { readonly code: 'request.cancelled'; readonly server: string }
  | {
      readonly code: 'request.refused';
      readonly server: string;
      readonly rpcCode: number;
      readonly message: string;
      /** The unchanged value of the server; absent when there is none. */
      readonly data?: unknown;
    }
  /** The server requested input that its caller could not or did not give (2026-07-28). */
  | { readonly code: 'input.not-given'; readonly server: string; readonly reason: string }
  | { readonly code: 'response.invalid'; readonly server: string; readonly reason: string };

export type DownstreamOutcome =
  | {
      readonly ok: true;
      readonly result: CallResult;
    }
  | { readonly ok: false; readonly error: DownstreamError };

type ErrorCode = DownstreamError['code'];

type ErrorByCode<Code extends ErrorCode> = Extract<DownstreamError, { readonly code: Code }>;

const ERROR_TEXTS: { readonly [Code in ErrorCode]: (error: ErrorByCode<Code>) => string } = {
  'server.unknown': ({ server }) => `server not found: ${server}`,
  'server.not-connected': ({ server, state }) =>
    `server not connected: ${server} (status: ${state})`,
  'server.auth-required': ({ server, reason }) =>
    `user not authenticated to server ${server}${reason === undefined ? '' : `: ${reason}`}`,
  'tool.value-missing': ({ server, tool, argument, reason }) =>
    `tool ${tool} of server ${server} has no value for its argument ${JSON.stringify(argument)}: ${reason}`,
  'server.connection-lost': ({ server, reason }) =>
    `connection to server ${server} was lost: ${reason}`,
  'server.busy': (error) =>
    `${formatTarget(error)} has ${error.running} running and ${error.waiting} waiting calls; retry later`,
  'server.rate-limited': (error) =>
    `${formatTarget(error)} has reached its rate limit for ${error.isPerUser ? 'this user' : 'all users'} (${error.calls} in ${formatWait(error.windowMs)}); retry in ${formatWait(error.waitMs)}`,
  'server.breaker-open': (error) =>
    `${formatTarget(error)} failed several times in a row and is not called: its breaker is ${formatBreaker(error)}`,
  'request.timeout': ({ server, timeoutMs }) =>
    `server ${server} did not answer within ${timeoutMs / 1000} s`,
  'request.cancelled': ({ server }) => `request to server ${server} was cancelled`,
  'request.refused': ({ server, message, rpcCode }) =>
    `server ${server} refused the request: ${message} (code ${rpcCode})`,
  'input.not-given': ({ server, reason }) =>
    `server ${server} requires input that the caller did not provide: ${reason}`,
  'response.invalid': ({ server, reason }) =>
    `server ${server} sent an invalid response: ${reason}`,
};

const formatError = <Code extends ErrorCode>(code: Code, error: ErrorByCode<Code>): string =>
  ERROR_TEXTS[code](error);

/** Returns one sentence that names the server. */
export const formatDownstreamError = (error: DownstreamError): string =>
  formatError(error.code, error);

export interface RequestPeer {
  readonly definition: McpServer;
  readonly statusState: McpServerState;
  /** The server answered HTTP 401. */
  readonly requiresAuth: boolean;
  readonly connection: RequestConnection | undefined;
  readonly tools: readonly ServerTool[];
  /** Resolves when no attempt to connect is in progress; absent when asking for the peer again waits for it. */
  waitForRest?(): Promise<void>;
  /** Why there is no connection; derived from the state when it is absent. */
  readonly refusal?: DownstreamError;
}

type Refusal = Extract<RequestFailure, { readonly kind: 'refused' }>;

/** Returns what a server said about a call that it refused: unchanged, unless it repeats a value that its definition set in the call. */
const toRefusal = (
  { rpcCode, message, data }: Refusal,
  definition: McpServer,
): Pick<Refusal, 'rpcCode' | 'message' | 'data'> => {
  const values = listArgumentValues(definition);
  const text = values.length === 0 ? '' : JSON.stringify([message, data]);
  return values.some((value) => text.includes(JSON.stringify(value).slice(1, -1)))
    ? { rpcCode, message: formatSafeLine(message, values) }
    : { rpcCode, message, ...(data !== undefined && { data }) };
};

export const toDownstreamError = (
  failure: RequestFailure,
  { definition, requiresAuth }: Pick<RequestPeer, 'definition' | 'requiresAuth'>,
): DownstreamError => {
  const server = definition.metadata.name;
  const shown = (reason: string): string => formatSafeLine(reason, listSecrets(definition));
  switch (failure.kind) {
    case 'refused':
      return { code: 'request.refused', server, ...toRefusal(failure, definition) };
    case 'timeout':
      return { code: 'request.timeout', server, timeoutMs: failure.timeoutMs };
    case 'cancelled':
      return { code: 'request.cancelled', server };
    case 'lost':
      return requiresAuth || failure.httpStatus === UNAUTHORIZED
        ? { code: 'server.auth-required', server }
        : { code: 'server.connection-lost', server, reason: shown(failure.reason) };
    case 'session-refused':
      return {
        code: 'server.connection-lost',
        server,
        reason: shown(formatSessionReason(failure)),
      };
    case 'unauthorized':
      return { code: 'server.auth-required', server, reason: failure.reason };
    case 'input-required':
      return { code: 'response.invalid', server, reason: INPUT_REQUIRED };
    case 'not-given':
      return { code: 'input.not-given', server, reason: shown(failure.reason) };
    case 'invalid':
      return { code: 'response.invalid', server, reason: shown(failure.reason) };
  }
};

export const createConnectionError = ({
  definition,
  statusState,
  requiresAuth,
  refusal,
}: RequestPeer): DownstreamError => {
  const server = definition.metadata.name;
  if (refusal !== undefined) return refusal;
  return requiresAuth
    ? { code: 'server.auth-required', server }
    : { code: 'server.not-connected', server, state: statusState };
};

type Arguments = Readonly<Record<string, unknown>>;

/** The time of a call in milliseconds. */
export interface CallTime {
  /** Time for the answer of the server; the time of the gateway when absent. Progress of the server begins it again. */
  readonly timeoutMs?: number | undefined;
  /** Time of the whole call; progress does not extend the call when absent. */
  readonly maxTimeoutMs?: number | undefined;
}

interface Addressed {
  readonly server: string;
  /** The time that the server has; the time of the gateway when absent. */
  readonly time?: CallTime | undefined;
}

/** A tool of one server, by the server's own name. */
interface ServerToolCall extends Addressed {
  readonly tool: string;
  readonly arguments?: Arguments;
}

interface ResourceRead extends Addressed {
  readonly uri: string;
}

interface PromptGet extends Addressed {
  readonly prompt: string;
  readonly arguments?: Arguments;
}

interface Completion extends Addressed {
  /** `ref/prompt` or `ref/resource`, with the server's own names. */
  readonly ref: Arguments;
  readonly argument: Arguments;
  readonly context?: Arguments;
}

interface SentRequest extends Addressed {
  readonly method: CallMethod;
  readonly params: Arguments;
  readonly options: RequestOptions | undefined;
  readonly tool?: string;
}

const refuse = (error: DownstreamError): DownstreamOutcome => ({ ok: false, error });

/** The mirrored arguments of all tools of a list, computed once per list. */
const mirroredByList = new WeakMap<
  readonly ServerTool[],
  ReadonlyMap<string, readonly MirroredParam[]>
>();

const findMirrored = (
  tools: readonly ServerTool[],
): ReadonlyMap<string, readonly MirroredParam[]> => {
  const known = mirroredByList.get(tools);
  if (known !== undefined) return known;
  const mirrored = new Map(
    tools.flatMap(({ name, inputSchema }) => {
      const params = listMirroredParams(inputSchema);
      return params.length === 0 ? [] : [[name, params] as const];
    }),
  );
  mirroredByList.set(tools, mirrored);
  return mirrored;
};

const createMirrorHeaders = (
  request: SentRequest,
  peer: RequestPeer,
): Readonly<Record<string, string>> | undefined => {
  const { connection, definition } = peer;
  if (request.tool === undefined || connection?.era !== 'modern') return undefined;
  if (definition.spec.type === 'stdio') return undefined;
  const mirrored = findMirrored(peer.tools).get(request.tool);
  return mirrored === undefined
    ? undefined
    : createParamHeaders(mirrored, request.params['arguments']);
};

/** The requests of callers. Results are returned unchanged. */
export interface Requests {
  callTool(call: ServerToolCall, options?: RequestOptions): Promise<DownstreamOutcome>;
  readResource(read: ResourceRead, options?: RequestOptions): Promise<DownstreamOutcome>;
  getPrompt(get: PromptGet, options?: RequestOptions): Promise<DownstreamOutcome>;
  /** Refused without a request when the server does not declare completions. */
  complete(completion: Completion, options?: RequestOptions): Promise<DownstreamOutcome>;
}

/** Returns a server as the requests of a user and a client reach it; a promise while its connection is being opened. */
export type FindPeer = (
  server: string,
  principal: Principal,
  caller: Caller | undefined,
) => RequestPeer | undefined | Promise<RequestPeer | undefined>;

/** Without a spread, because this is on the path of each call. */
const createCallParams = (name: string, args: Arguments | undefined): Arguments =>
  args === undefined ? { name } : { name, arguments: args };

/** Returns why a request is not sent over a connection; `undefined` when it is. */
const findRefusal = (
  { server, method, tool }: SentRequest,
  definition: McpServer,
  { features }: RequestConnection,
): DownstreamError | undefined => {
  if (method === 'completion/complete' && !features.completions) {
    const message = 'the server does not support completions';
    return { code: 'request.refused', server, rpcCode: RPC_CODE.methodNotFound, message };
  }
  const missing = findSetArguments(definition, tool)?.missing;
  return tool === undefined || missing === undefined
    ? undefined
    : { code: 'tool.value-missing', server, tool, ...missing };
};

/** Returns a call of a tool with the arguments that the definition of its server sets; the same request without any. */
const applySetArguments = (request: SentRequest, { definition }: RequestPeer): SentRequest => {
  const set = findSetArguments(definition, request.tool);
  if (set === undefined) return request;
  const { params } = request;
  const given = isJsonObject(params['arguments']) ? params['arguments'] : {};
  return { ...request, params: { ...params, arguments: setArguments(given, set) } };
};

const sendTo = async (
  peer: RequestPeer,
  connection: RequestConnection,
  request: SentRequest,
  { timeoutMs, maxTimeoutMs }: Pick<OutgoingRequest, 'timeoutMs' | 'maxTimeoutMs'>,
): Promise<RequestOutcome> => {
  const sent = applySetArguments(request, peer);
  const { method, params, options = {} } = sent;
  const headers = createMirrorHeaders(sent, peer);
  connection.enter();
  try {
    const outgoing = { method, params, timeoutMs, maxTimeoutMs, headers, options };
    // Servers of 2025 send their requests as messages.
    return await (connection.era === 'modern'
      ? requestWithInput(connection, outgoing)
      : connection.request(outgoing));
  } finally {
    connection.leave();
  }
};

/** A request is sent once, because the server may have processed it; once more only when it was refused with its session before it was processed. */
export const createRequests = (findPeer: FindPeer, defaultMs: number): Requests => {
  const find = ({ server, options }: SentRequest): ReturnType<FindPeer> =>
    findPeer(server, options?.principal ?? ANONYMOUS, options?.caller);
  const toTime = ({ time = {} }: SentRequest) => {
    const { timeoutMs = defaultMs, maxTimeoutMs = timeoutMs } = time;
    return { timeoutMs: Math.min(timeoutMs, maxTimeoutMs), maxTimeoutMs };
  };
  /** Sends a request again when another connection has replaced the one whose session was refused. */
  const sendAgain = async (
    request: SentRequest,
    first: { peer: RequestPeer; connection: RequestConnection; outcome: RequestOutcome },
    startedAt: number,
  ): Promise<RequestOutcome> => {
    const { timeoutMs, maxTimeoutMs } = toTime(request);
    const leftMs = (): number => maxTimeoutMs - (performance.now() - startedAt);
    const signal = request.options?.signal;
    const replaced = (async () => {
      await first.peer.waitForRest?.();
      return find(request);
    })();
    const isFound = await isResolvedWithin(replaced, leftMs(), signal);
    const peer = isFound ? await replaced : undefined;
    const connection = peer?.connection;
    if (peer === undefined || connection === undefined || connection === first.connection)
      return first.outcome;
    if (leftMs() <= 0 || signal?.aborted === true) return first.outcome;
    const left = leftMs();
    const time = { timeoutMs: Math.min(timeoutMs, left), maxTimeoutMs: left };
    return sendTo(peer, connection, request, time);
  };
  const send = async (request: SentRequest): Promise<DownstreamOutcome> => {
    const { server } = request;
    const startedAt = performance.now();
    const found = find(request);
    // Most connections are open, and no request waits for them.
    const peer = found !== undefined && 'then' in found ? await found : found;
    if (peer === undefined) return refuse({ code: 'server.unknown', server });
    // The values of the definition may change meanwhile, and the server knows the earlier ones.
    const { connection, definition } = peer;
    if (connection === undefined) return refuse(createConnectionError(peer));
    const refusal = findRefusal(request, definition, connection);
    if (refusal !== undefined) return refuse(refusal);
    let outcome = await sendTo(peer, connection, request, toTime(request));
    const isUnprocessed =
      !outcome.ok && outcome.failure.kind === 'session-refused' && !outcome.failure.mayBeProcessed;
    if (isUnprocessed) outcome = await sendAgain(request, { peer, connection, outcome }, startedAt);
    if (outcome.ok) return outcome;
    const { requiresAuth } = peer;
    return refuse(toDownstreamError(outcome.failure, { definition, requiresAuth }));
  };
  return {
    callTool: ({ server, tool, arguments: args, time }, options) => {
      const params = createCallParams(tool, args);
      return send({ server, time, method: 'tools/call', params, options, tool });
    },
    readResource: ({ server, uri, time }, options) =>
      send({ server, time, method: 'resources/read', params: { uri }, options }),
    getPrompt: ({ server, prompt, arguments: args, time }, options) => {
      const params = createCallParams(prompt, args);
      return send({ server, time, method: 'prompts/get', params, options });
    },
    complete: ({ server, time, ...params }, options) =>
      send({ server, time, method: 'completion/complete', params, options }),
  };
};
