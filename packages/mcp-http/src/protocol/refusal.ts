import { RPC_CODE, type RpcError } from '@gateway/call-contract';

/** Why the credentials of a request are refused. */
export interface CredentialRefusal {
  readonly code: 'not-authenticated';
  /** The reason as a code of a bounded set. */
  readonly reason?: string;
  readonly status: 400 | 401 | 403 | 503;
  readonly sentence: string;
  /** Value of `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** Why valid credentials do not suffice for a call. */
export interface InsufficientScope {
  readonly code: 'insufficient-scope';
  readonly sentence: string;
  /** Value of `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** Why a request to the endpoint is answered without being served. */
export type EndpointRefusal =
  | { readonly code: 'host-not-allowed'; readonly host: string }
  | { readonly code: 'origin-not-allowed'; readonly origin: string }
  | { readonly code: 'too-many-headers'; readonly limit: number }
  /** The credentials of the request are missing or invalid, or cannot be checked now. */
  | CredentialRefusal
  | InsufficientScope
  | { readonly code: 'method-not-allowed'; readonly allow: string }
  | { readonly code: 'unsupported-media-type' }
  | { readonly code: 'unsupported-encoding' }
  | { readonly code: 'not-acceptable'; readonly expected: string }
  | { readonly code: 'body-too-large'; readonly limit: number }
  | { readonly code: 'bodies-full'; readonly limit: number }
  | { readonly code: 'not-json' }
  | { readonly code: 'too-deep'; readonly limit: number }
  | { readonly code: 'too-many-values'; readonly limit: number }
  | { readonly code: 'batch-not-served'; readonly revision: string }
  | { readonly code: 'batch-too-large'; readonly limit: number; readonly count: number }
  | { readonly code: 'initialize-in-batch' }
  | { readonly code: 'unsupported-revision'; readonly supported: readonly string[] }
  | { readonly code: 'session-not-found' }
  | { readonly code: 'event-not-found' }
  /** The refusals of messages for a stream of the transport of 2024-11-05. */
  | { readonly code: 'batch-on-stream' }
  | { readonly code: 'initialized-already' }
  | { readonly code: 'stream-headers-differ' }
  | { readonly code: 'revision-without-streams' }
  | { readonly code: 'sessions-full'; readonly limit: number }
  | { readonly code: 'calls-full'; readonly limit: number }
  | { readonly code: 'caller-calls-full'; readonly limit: number; readonly queueLimit: number }
  | { readonly code: 'rate-limited'; readonly limit: number; readonly retryAfterSeconds: number }
  | { readonly code: 'answers-full'; readonly limit: number }
  | { readonly code: 'streams-full'; readonly limit: number }
  | { readonly code: 'caller-streams-full'; readonly limit: number }
  | { readonly code: 'draining' }
  | { readonly code: 'internal' }
  /** The refusals of the protocol itself, each with its HTTP status and its error code. */
  | { readonly code: 'protocol-error'; readonly status: number; readonly error: RpcError };

export type EndpointRefusalCode = EndpointRefusal['code'];

/** Longest part of a caller's value that a text repeats, in characters. */
const MAX_QUOTED = 200;

/** A caller's value in quotes, cut to a length that fits a message. */
export const quote = (value: string): string =>
  JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value);

interface RefusalRule<R extends EndpointRefusal> {
  readonly status: number;
  readonly rpc: number;
  readonly text: (refusal: R) => string;
}

type OwnRefusal = Exclude<
  EndpointRefusal,
  { readonly code: 'protocol-error' | 'not-authenticated' }
>;
type OwnCode = OwnRefusal['code'];
type RuleByCode<C extends OwnCode> = RefusalRule<Extract<EndpointRefusal, { readonly code: C }>>;

const createRule = <R extends EndpointRefusal>(
  status: number,
  rpc: number,
  text: (refusal: R) => string,
): RefusalRule<R> => ({ status, rpc, text });

const { transport, invalidRequest } = RPC_CODE;

const RULES: { readonly [C in OwnCode]: RuleByCode<C> } = {
  'host-not-allowed': createRule(
    403,
    transport,
    ({ host }) => `Host ${quote(host)} is not allowed`,
  ),
  'origin-not-allowed': createRule(
    403,
    transport,
    ({ origin }) => `Origin ${quote(origin)} is not allowed`,
  ),
  'too-many-headers': createRule(
    431,
    transport,
    ({ limit }) => `The request has more than ${limit} header lines`,
  ),
  'insufficient-scope': createRule(403, transport, ({ sentence }) => sentence),
  'method-not-allowed': createRule(
    405,
    transport,
    ({ allow }) => `Method not allowed; use ${allow}`,
  ),
  'unsupported-media-type': createRule(
    415,
    transport,
    () => 'Content-Type must be application/json',
  ),
  'unsupported-encoding': createRule(
    415,
    transport,
    () => 'Content-Encoding is not supported; send the body as it is',
  ),
  'not-acceptable': createRule(406, transport, ({ expected }) => `Accept must allow ${expected}`),
  'body-too-large': createRule(
    413,
    transport,
    ({ limit }) => `The request body is larger than the ${limit} bytes allowed`,
  ),
  'bodies-full': createRule(
    503,
    transport,
    ({ limit }) =>
      `Too many request bodies at once: the limit of ${limit} bytes is reached; retry later`,
  ),
  'not-json': createRule(
    400,
    RPC_CODE.parse,
    () => 'Parse error: the request body is not valid JSON',
  ),
  'too-deep': createRule(
    400,
    invalidRequest,
    ({ limit }) => `The request body is nested deeper than the ${limit} levels allowed`,
  ),
  'too-many-values': createRule(
    400,
    invalidRequest,
    ({ limit }) =>
      `The request body has more than the ${limit} members, objects and arrays allowed`,
  ),
  'batch-not-served': createRule(
    400,
    invalidRequest,
    ({ revision }) => `JSON-RPC batches are not part of protocol revision ${revision}`,
  ),
  'batch-too-large': createRule(
    400,
    invalidRequest,
    ({ count, limit }) => `The batch has ${count} messages, more than the ${limit} allowed`,
  ),
  'initialize-in-batch': createRule(
    400,
    invalidRequest,
    () => 'initialize cannot be part of a batch',
  ),
  'unsupported-revision': createRule(
    400,
    transport,
    ({ supported }) =>
      `MCP-Protocol-Version is not supported; supported are ${supported.join(', ')}`,
  ),
  'session-not-found': createRule(
    404,
    RPC_CODE.sessionNotFound,
    () => 'Session not found; start a new one with initialize',
  ),
  'event-not-found': createRule(
    400,
    transport,
    () => 'Last-Event-ID names nothing that can be resumed; start again without it',
  ),
  'batch-on-stream': createRule(
    400,
    invalidRequest,
    () => 'Send the messages of a batch one by one',
  ),
  'initialized-already': createRule(400, invalidRequest, () => 'The stream is initialized already'),
  'stream-headers-differ': createRule(
    400,
    invalidRequest,
    () => 'The headers of the GET of the stream apply; repeat them or leave them out',
  ),
  'revision-without-streams': createRule(400, invalidRequest, () => 'Send this revision to /mcp'),
  'sessions-full': createRule(
    503,
    transport,
    ({ limit }) => `Too many sessions: all ${limit} are busy; retry later`,
  ),
  'calls-full': createRule(
    503,
    transport,
    ({ limit }) => `Too many concurrent requests: the limit of ${limit} is reached; retry later`,
  ),
  'caller-calls-full': createRule(
    503,
    transport,
    ({ limit, queueLimit }) =>
      `Too many concurrent requests of one caller: ${limit} are running and ${queueLimit} are waiting; retry later`,
  ),
  'rate-limited': createRule(
    429,
    transport,
    ({ limit, retryAfterSeconds }) =>
      `Too many requests of one caller: ${limit} per second are allowed; retry after ${retryAfterSeconds} s`,
  ),
  'answers-full': createRule(
    503,
    transport,
    ({ limit }) =>
      `Too many unread answers at once: the limit of ${limit} bytes is reached; retry later`,
  ),
  'streams-full': createRule(
    503,
    transport,
    ({ limit }) => `Too many event streams: the limit of ${limit} is reached; retry later`,
  ),
  'caller-streams-full': createRule(
    429,
    transport,
    ({ limit }) =>
      `Too many event streams of one caller: the limit of ${limit} is reached; retry later`,
  ),
  draining: createRule(
    503,
    transport,
    () => 'The server is shutting down; retry on another connection',
  ),
  internal: createRule(500, RPC_CODE.internal, () => 'Internal error'),
};

// The table's key and the refusal's code are the same type parameter, which an indexed union cannot express.
const findRule = (refusal: OwnRefusal): RefusalRule<OwnRefusal> =>
  RULES[refusal.code] as RefusalRule<OwnRefusal>;

type StatedRefusal = Exclude<EndpointRefusal, OwnRefusal>;

/** Returns whether a refusal states its own HTTP status. */
const isStated = (refusal: EndpointRefusal): refusal is StatedRefusal =>
  refusal.code === 'protocol-error' || refusal.code === 'not-authenticated';

/** HTTP status of a refusal. */
export const toRefusalStatus = (refusal: EndpointRefusal): number =>
  isStated(refusal) ? refusal.status : findRule(refusal).status;

/**
 * Returns the refusal as the error member of a JSON-RPC response: one sentence with the reason and, where there is one, the
 * remedy. `data.limit` carries the limit in question.
 */
export const toRpcError = (refusal: EndpointRefusal): RpcError => {
  if (refusal.code === 'protocol-error') return refusal.error;
  if (refusal.code === 'not-authenticated') return { code: transport, message: refusal.sentence };
  const { rpc, text } = findRule(refusal);
  return {
    code: rpc,
    message: text(refusal),
    ...('limit' in refusal && { data: { reason: refusal.code, limit: refusal.limit } }),
  };
};
