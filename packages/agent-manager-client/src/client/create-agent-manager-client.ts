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

/** The page's own address, where there is a page. */
const pageAddress = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href?: string } }).location?.href;

/**
 * An address in front of which routes can be put, without a slash at its end.
 *
 * @throws {TypeError} when it is not an address of HTTP, or has credentials, a query or a fragment
 */
const baseAddress = (given: string): string => {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(
    given,
    pageAddress(),
  );
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`baseUrl must be an address of http or https, not ${protocol}`);
  if ([username, password, search, hash].some((part) => part !== ''))
    throw new TypeError('baseUrl must be without credentials, query and fragment');
  return origin + pathname.replace(/\/+$/, '');
};

/** `create_agent` as a program writes it: `createAgent`. */
type MethodName<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<MethodName<Rest>>}`
  : Name;

/** The name of an operation as programs write it: `createAgent` for `create_agent`. Also its `operationId` in OpenAPI. */
export const toMethodName = <Name extends string>(name: Name): MethodName<Name> =>
  // The type above describes the same conversion.
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()) as MethodName<Name>;

/** A missing namespace is not replaced: only agent-manager knows its default. */
const NO_DEFAULT = { namespace: '' };

const unsendable = (reason: string) => createClientFailure('unsendable', reason);

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
    if (!call.ok) return unsendable(formatReason(call.error));
    const bytes = new TextEncoder().encode(call.value.body).length;
    return bytes <= MAX_BODY_BYTES
      ? call
      : unsendable(`the arguments take ${bytes} bytes, more than the ${MAX_BODY_BYTES} of a body`);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return unsendable(`the arguments have no JSON: ${reason}`);
  }
};

/** Default timeout of a call, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** The longest that timers of all platforms can wait, in milliseconds. */
const MAX_TIMEOUT_MS = 2_147_483_647;
/** Default size limit of an answer, in bytes: thousands of agents with their values. */
const DEFAULT_MAX_ANSWER_BYTES = 67_108_864;

/** Address of agent-manager and options of requests to it. */
export interface AgentManagerClientOptions {
  /** Address in front of `/api/v1`, such as `http://127.0.0.1:8080`; in a browser also relative to the page. Without credentials. */
  readonly baseUrl: string;
  /** Sends the requests. Left out: the `fetch` that is global. The place for tokens that expire, cookies, proxies and logs. */
  readonly fetch?: typeof globalThis.fetch;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The most milliseconds of a call, its answer included. Left out: 60,000. */
  readonly timeoutMs?: number;
  /** The most bytes of an answer. Left out: 64 MiB. */
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

/** The arguments of an operation over REST: as in its table, but those in the path must be there. */
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

/** Asks for one operation, whichever. */
type Ask = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options: CallOptions,
) => Promise<ClientResult<OperationOutput<Name>>>;

const messageOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause === undefined
    ? thrown.message
    : `${thrown.message}: ${messageOf(thrown.cause)}`;
};

const asking = (options: AgentManagerClientOptions): Ask => {
  const base = baseAddress(options.baseUrl);
  const headers = new Headers(options.headers);
  headers.set('accept', 'application/json');
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new RangeError(`timeoutMs must be between 1 and ${MAX_TIMEOUT_MS}`);
  // Called as a function of the global object: browsers refuse it as a method of another one.
  const send = options.fetch ?? ((...given) => globalThis.fetch(...given));

  const requestOf = ({ method, body }: HttpCall): RequestInit => {
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
    const whyNot = (thrown: unknown) => {
      if (signal?.aborted === true)
        return createClientFailure('aborted', 'the caller ended the call');
      if (deadline.aborted)
        return createClientFailure('timeout', `no whole answer within ${timeoutMs} ms`);
      return createClientFailure(
        'unreachable',
        `no whole answer from ${base}: ${messageOf(thrown)}`,
      );
    };
    try {
      const request = { ...requestOf(call.value), signal: ended };
      const response = await send(base + call.value.target, request);
      return await parseResponse(OPERATIONS[name], response, maxAnswerBytes);
    } catch (thrown) {
      return whyNot(thrown);
    }
  };
};

/**
 * A client of the REST routes of agent-manager, made from the table of operations. Runs in browsers and in Node.
 *
 * @throws {TypeError} when the address or a header cannot be one
 * @throws {RangeError} when no timer can wait for that long
 * @spec §4.4
 */
export const createAgentManagerClient = (
  options: AgentManagerClientOptions,
): AgentManagerClient => {
  const ask = asking(options);
  const methods = (Object.keys(OPERATIONS) as OperationName[]).map((name) => [
    toMethodName(name),
    (input: OperationInput<typeof name> = {}, callOptions: CallOptions = {}) =>
      ask(name, input, callOptions),
  ]);
  // Built from the table that the type is made of.
  return Object.fromEntries(methods) as AgentManagerClient;
};
