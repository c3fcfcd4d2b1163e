import type { Result } from '@gateway/toolset-grammar';
import { MAX_BODY_BYTES } from '../limits.ts';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  OPERATIONS,
} from '../operations/operations.ts';
import { type ClientFailure, formatReason } from '../refusals/refusal.ts';
import type { HttpCall } from '../requests/find-operation.ts';
import { writeRequest } from '../requests/write-request.ts';
import { type ClientResult, createClientFailure, parseResponse } from './parse-response.ts';

/** Returns the URL of the page; undefined outside browsers. */
const findPageUrl = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href?: string } }).location?.href;

/**
 * Returns the base URL of the routes, without a trailing slash.
 *
 * @throws {TypeError} when it is not an HTTP URL, or has credentials, a query or a fragment
 */
const parseBaseUrl = (given: string): string => {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(
    given,
    findPageUrl(),
  );
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`baseUrl must be an address of http or https, not ${protocol}`);
  if ([username, password, search, hash].some((part) => part !== ''))
    throw new TypeError('baseUrl must be without credentials, query and fragment');
  return origin + pathname.replace(/\/+$/, '');
};

/** The name of an operation in camel case: `createAgent` for `create_agent`. */
type MethodName<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<MethodName<Rest>>}`
  : Name;

/** Returns the method name of an operation: `createAgent` for `create_agent`. Also its `operationId` in OpenAPI. */
export const toMethodName = <Name extends string>(name: Name): MethodName<Name> =>
  // The type above describes the same conversion.
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()) as MethodName<Name>;

/** A missing namespace is not replaced: only agent-manager knows its default. */
const NO_DEFAULT = { namespace: '' };

const refuseUnsendable = (reason: string) => createClientFailure('unsendable', reason);

/**
 * Returns the request of an operation, or the reason why it cannot be sent. The arguments are not validated here: agent-manager
 * validates them.
 */
export const createOperationCall = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
): Result<HttpCall, ClientFailure> => {
  try {
    const call = writeRequest(name, input, NO_DEFAULT);
    if (!call.ok) return refuseUnsendable(formatReason(call.error));
    const bytes = new TextEncoder().encode(call.value.body).length;
    return bytes <= MAX_BODY_BYTES
      ? call
      : refuseUnsendable(
          `the arguments take ${bytes} bytes, more than the ${MAX_BODY_BYTES} of a body`,
        );
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return refuseUnsendable(`the arguments have no JSON: ${reason}`);
  }
};

/** Default timeout of a call, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** Maximum delay that timers support on all platforms, in milliseconds. */
const MAX_TIMEOUT_MS = 2_147_483_647;
/** Default size limit of an answer, in bytes: thousands of agents with their values. */
const DEFAULT_MAX_ANSWER_BYTES = 67_108_864;

/** Address of agent-manager and options of requests to it. */
export interface AgentManagerClientOptions {
  /** Address in front of `/api/v1`, such as `http://127.0.0.1:8080`; in a browser also relative to the page. Without credentials. */
  readonly baseUrl: string;
  /** Sends the requests; the global `fetch` when absent. Set it to add expiring tokens, cookies, proxies or logs. */
  readonly fetch?: typeof globalThis.fetch;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of a call including its answer, in milliseconds; 60,000 when absent. */
  readonly timeoutMs?: number;
  /** Maximum size of an answer, in bytes; 64 MiB when absent. */
  readonly maxAnswerBytes?: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

type PathArgument<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathArgument<Rest>
  : never;

type InPath<Name extends OperationName> = PathArgument<(typeof OPERATIONS)[Name]['route']> &
  keyof OperationInput<Name>;

/** The arguments of an operation over REST. Arguments in the path are required. */
export type ClientInput<Name extends OperationName> = Omit<OperationInput<Name>, InPath<Name>> & {
  readonly [Key in InPath<Name>]: NonNullable<OperationInput<Name>[Key]>;
};

type Call<Input, Output> =
  Record<string, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<ClientResult<Output>>
    : (input: Input, options?: CallOptions) => Promise<ClientResult<Output>>;

/** One method for each operation: `createAgent` for `create_agent`. No method throws, no promise rejects. @spec §4.4 */
export type AgentManagerClient = {
  readonly [Name in OperationName as MethodName<Name>]: Call<
    ClientInput<Name>,
    OperationOutput<Name>
  >;
};

/** Calls an operation. */
type CallOperation = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options: CallOptions,
) => Promise<ClientResult<OperationOutput<Name>>>;

const formatThrown = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause === undefined
    ? thrown.message
    : `${thrown.message}: ${formatThrown(thrown.cause)}`;
};

const createOperationCaller = (options: AgentManagerClientOptions): CallOperation => {
  const base = parseBaseUrl(options.baseUrl);
  const headers = new Headers(options.headers);
  headers.set('accept', 'application/json');
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new RangeError(`timeoutMs must be between 1 and ${MAX_TIMEOUT_MS}`);
  // Browsers refuse `fetch` when it is called as a method of another object.
  const send = options.fetch ?? ((...given) => globalThis.fetch(...given));

  const toRequestInit = ({ method, body }: HttpCall): RequestInit => {
    const sent = new Headers(headers);
    if (body !== undefined) sent.set('content-type', 'application/json');
    // A followed redirect would send the headers to another server and change a POST to a GET.
    return { method, headers: sent, redirect: 'manual', ...(body === undefined ? {} : { body }) };
  };

  return async (name, input, { signal }) => {
    const call = createOperationCall(name, input);
    if (!call.ok) return call;
    const deadline = AbortSignal.timeout(timeoutMs);
    const ended = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    const toFailure = (thrown: unknown) => {
      if (signal?.aborted === true)
        return createClientFailure('aborted', 'the caller ended the call');
      if (deadline.aborted)
        return createClientFailure('timeout', `no whole answer within ${timeoutMs} ms`);
      return createClientFailure(
        'unreachable',
        `no whole answer from ${base}: ${formatThrown(thrown)}`,
      );
    };
    try {
      const request = { ...toRequestInit(call.value), signal: ended };
      const response = await send(base + call.value.target, request);
      return await parseResponse(OPERATIONS[name], response, maxAnswerBytes);
    } catch (thrown) {
      return toFailure(thrown);
    }
  };
};

/**
 * Returns a client of the REST API of agent-manager. Runs in browsers and in Node.
 *
 * @throws {TypeError} when the address or a header is invalid
 * @throws {RangeError} when the timeout is out of range
 * @spec §4.4
 */
export const createAgentManagerClient = (
  options: AgentManagerClientOptions,
): AgentManagerClient => {
  const ask = createOperationCaller(options);
  const methods = (Object.keys(OPERATIONS) as OperationName[]).map((name) => [
    toMethodName(name),
    (input: OperationInput<typeof name> = {}, callOptions: CallOptions = {}) =>
      ask(name, input, callOptions),
  ]);
  // The type is derived from the same table.
  return Object.fromEntries(methods) as AgentManagerClient;
};
