import { formatResult } from '@gateway/mcp-wire';
import {
  type AskOptions,
  type ClientAnswer,
  type ClientRequest,
  isJsonObject,
  type JsonObject,
  type Principal,
  RPC_CODE,
  type RpcError,
} from '@gateway/call-contract';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { createErrorAnswer, WITHDRAWN } from '../protocol/client-features.ts';
import {
  createErrorResponse,
  type ResultStamp,
  createServiceStamp,
  formatResultText,
  type SettledResponse,
} from '../protocol/results.ts';
import type { EndpointParts } from '../sessions/endpoint-parts.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { SessionRequest } from '../sessions/session-store.ts';
import type { CallEnd, RunningCall, RunningCalls } from './running-call.ts';
import { isRequest } from '../protocol/client-message.ts';
import { isPrincipal, type PeerBus, type Relays } from '../wire/peers.ts';

/** Parameters of a call that differ in its retries. MCP 2026-07-28, multi round-trip requests */
const ROUND_PARAMETERS: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

/** Maximum nesting of hashed arguments: more than any tool needs, and too little to exhaust the stack. */
const MAX_LEVELS = 500;

/**
 * Returns a hash of a call: its principal, its method and all parameters that a retry repeats, whatever the order of their keys.
 * Returns `undefined` for parameters of more than 500 levels.
 */
export const computeFingerprint = (
  { method, params = {} }: Pick<JSONRPCRequest, 'method' | 'params'>,
  { key }: Pick<Principal, 'key'>,
): string | undefined => {
  const repeated = Object.fromEntries(
    Object.entries(params).filter(([key]) => !ROUND_PARAMETERS.has(key)),
  );
  if (isDeeper(repeated, MAX_LEVELS)) return undefined;
  const text = JSON.stringify([key, method, repeated], withSortedKeys);
  return createHash('sha256').update(text).digest('base64url');
};

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));

const compareKeys = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

const withSortedKeys = (_key: string, value: unknown): unknown =>
  isJsonObject(value) ? sortKeys(value) : value;

const sortKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).toSorted(compareKeys));

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];

const isRoot = (root: unknown): boolean => isJsonObject(root) && typeof root['uri'] === 'string';

/** The checks of answers by method: whether a result has the members that servers require. */
const IS_ANSWER: ReadonlyMap<string, (result: JsonObject) => boolean> = new Map([
  [
    'elicitation/create',
    ({ action, content }) =>
      ACTIONS.includes(action) &&
      (content === undefined || content === null || isJsonObject(content)),
  ],
  [
    'sampling/createMessage',
    ({ role, content, model }) =>
      typeof role === 'string' &&
      typeof model === 'string' &&
      (isJsonObject(content) || Array.isArray(content)),
  ],
  ['roots/list', ({ roots }) => Array.isArray(roots) && roots.every(isRoot)],
]);

/** A call that waits for its caller, as a `requestState` names it. */
interface CallReference {
  /** The process that runs the call. */
  readonly owner: string;
  readonly secret: string;
}

const STATE = /^([\w-]{1,64})\.([\w-]{22})$/;

/**
 * Writes and reads the `requestState` of calls that the endpoint suspends. A state begins with a mark of the key, so that a
 * modified state is distinguished from a state that a service issued.
 */
export class RequestStates {
  readonly #prefix: string;

  /** @param key secret that the processes of one endpoint share */
  constructor(key: Uint8Array) {
    const mark = createHmac('sha256', key).update('request state\0').digest('base64url');
    this.#prefix = `suspended.${mark.slice(0, 12)}.`;
  }

  /** Creates an unguessable name for a call. */
  issue(owner: string): CallReference & { readonly state: string } {
    const secret = randomBytes(16).toString('base64url');
    return { owner, secret, state: `${this.#prefix}${owner}.${secret}` };
  }

  /** Returns whether a state has the prefix of this key. */
  isOwn(state: string): boolean {
    return state.startsWith(this.#prefix);
  }

  /** Parses a state that this endpoint issued; returns `undefined` for a modified one. */
  read(state: string): CallReference | undefined {
    const [, owner, secret] = STATE.exec(state.slice(this.#prefix.length)) ?? [];
    return owner === undefined || secret === undefined ? undefined : { owner, secret };
  }
}

interface OpenQuestion {
  readonly question: ClientRequest;
  readonly settle: (answer: ClientAnswer) => void;
}

class SuspendableCall {
  readonly call: RunningCall;
  rounds = 0;
  /** The secret of a suspended call, the fingerprint that its retry must have, and its timeout. */
  waiting:
    | { readonly secret: string; readonly fingerprint: string; readonly timer: NodeJS.Timeout }
    | undefined;
  /** How the call ended while no request waited for it. */
  outcome: CallEnd | undefined;
  /** The timer that collects further questions for the same result. */
  scheduled: { readonly cancel: () => void } | undefined;
  /** The questions without an answer, by the keys under which the caller sees them. */
  readonly questions = new Map<string, OpenQuestion>();
  #last = 0;

  constructor(call: RunningCall) {
    this.call = call;
  }

  /** Adds a question; resolves with its answer and never rejects. */
  ask({ method, params }: ClientRequest, { signal }: AskOptions): Promise<ClientAnswer> {
    this.#last += 1;
    const key = `q${this.#last}`;
    return new Promise((resolve) => {
      const withdraw = (): void => settle(WITHDRAWN);
      const settle = (answer: ClientAnswer): void => {
        this.questions.delete(key);
        signal?.removeEventListener('abort', withdraw);
        resolve(answer);
      };
      this.questions.set(key, { question: { method, params }, settle });
      signal?.addEventListener('abort', withdraw);
    });
  }

  /** Receives the answers of a retry. Questions without a well-formed answer stay open, and unknown keys are ignored. */
  receive(responses: JsonObject): void {
    for (const [key, { question, settle }] of [...this.questions]) {
      const result = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (isJsonObject(result) && IS_ANSWER.get(question.method)?.(result) === true)
        settle({ ok: true, result });
    }
  }

  /** Answers all open questions with the same answer. */
  settleAll(answer: ClientAnswer): void {
    for (const { settle } of [...this.questions.values()]) settle(answer);
  }
}

/** The error of a retry whose call does not exist. */
const GONE: RpcError = {
  code: RPC_CODE.invalidParams,
  message: 'The call of this requestState is over or has expired; start it again',
};

/**
 * Calls of 2026-07-28 whose caller is asked: the request is answered `input_required`, the call continues in this process, and
 * the retry with the answers resumes it, whichever process receives it: the same method and parameters of the same principal. Bounded in
 * number, time and rounds.
 */
export class SuspendedCalls {
  readonly #limits: McpHttpLimits;
  readonly #bus: PeerBus;
  readonly #states: RequestStates;
  readonly #stamp: ResultStamp;
  readonly #calls: RunningCalls;
  readonly #relays: Relays;
  readonly #asking = new WeakMap<RunningCall, SuspendableCall>();
  readonly #waiting = new Map<string, SuspendableCall>();

  constructor(
    { service, limits, bus, key }: Pick<EndpointParts, 'service' | 'limits' | 'bus' | 'key'>,
    calls: RunningCalls,
    relays: Relays,
  ) {
    this.#limits = limits;
    this.#bus = bus;
    this.#states = new RequestStates(key);
    this.#stamp = createServiceStamp(service);
    this.#calls = calls;
    this.#relays = relays;
    relays.on('retry', ({ secret, request, principal }, sink) => {
      if (typeof secret !== 'string' || !isRequest(request) || !isPrincipal(principal))
        return false;
      sink.announce();
      // The process that holds the connection has checked the headers.
      const header = (): undefined => undefined;
      this.#resumeHere(secret, {
        request,
        scope: { era: 'modern', principal, session: undefined, header, sink },
      });
      return true;
    });
  }

  /** Returns whether a request is the retry of a call that this endpoint suspended. */
  isRetry({ scope }: SessionRequest, requestState: string): boolean {
    return scope.era === 'modern' && this.#states.isOwn(requestState);
  }

  /** Asks the caller of a call; never rejects. */
  ask(call: RunningCall, question: ClientRequest, options: AskOptions = {}): Promise<ClientAnswer> {
    if (call.isOver || options.signal?.aborted === true) return Promise.resolve(WITHDRAWN);
    let asking = this.#asking.get(call);
    if (asking === undefined) {
      asking = new SuspendableCall(call);
      this.#asking.set(call, asking);
      const created = asking;
      call.questions = { onEnd: (outcome) => this.#end(created, outcome) };
    }
    const answer = asking.ask(question, options);
    this.#schedule(asking, options.more);
    return answer;
  }

  /** Resumes the call that a state of this endpoint names. The caller has checked that the headers of the request admit it. */
  resume(scoped: SessionRequest, requestState: string): void {
    const named = this.#states.read(requestState);
    if (named === undefined) settleError(scoped, GONE);
    else if (named.owner === this.#bus.self) this.#resumeHere(named.secret, scoped);
    else this.#relay(named, scoped);
  }

  /** Ends all calls that wait, with an error for the code that runs them. */
  close(error: RpcError): void {
    for (const { call } of [...this.#waiting.values()]) call.fail(error, error.message);
  }

  /** Sends the questions of one turn, and questions that an earlier question announced, as one result. */
  #schedule(asking: SuspendableCall, more = false): void {
    if (asking.waiting !== undefined) return;
    asking.scheduled?.cancel();
    const suspend = (): void => {
      asking.scheduled = undefined;
      this.#suspend(asking);
    };
    asking.scheduled = more ? startMoreTimer(suspend) : startImmediate(suspend);
  }

  #suspend(asking: SuspendableCall): void {
    const { call, questions } = asking;
    if (call.isOver || asking.waiting !== undefined || questions.size === 0) return;
    const limits = this.#limits;
    asking.rounds += 1;
    const isFull = this.#waiting.size >= limits.maxSuspendedCalls;
    if (isFull || asking.rounds > limits.maxInputRounds) {
      const text = isFull
        ? `Too many calls wait for their callers: the limit of ${limits.maxSuspendedCalls} is reached`
        : `The caller was asked ${limits.maxInputRounds} times without an end`;
      asking.settleAll(createErrorAnswer(RPC_CODE.transport, text));
      return;
    }
    const { secret, state } = this.#states.issue(this.#bus.self);
    const settled = createInputRequired(asking, state, this.#stamp);
    const fingerprint = computeFingerprint(call.request, call.principal);
    if (settled === undefined || fingerprint === undefined) {
      asking.settleAll(UNWRITABLE);
      return;
    }
    const timer = setTimeout(() => this.#expire(asking), limits.suspendedTimeoutMs);
    timer.unref();
    asking.waiting = { secret, fingerprint, timer };
    this.#waiting.set(secret, asking);
    this.#calls.release(call);
    call.scope.sink.settle(settled);
  }

  #resumeHere(secret: string, scoped: SessionRequest): void {
    const error = this.#resume(secret, scoped);
    if (error !== undefined) settleError(scoped, error);
  }

  /** Resumes a call for a retry of its caller. Returns the error of a retry that matches no call. */
  #resume(secret: string, scoped: SessionRequest): RpcError | undefined {
    const asking = this.#waiting.get(secret);
    if (asking?.waiting === undefined) return GONE;
    const { call } = asking;
    const { params } = scoped.request;
    if (computeFingerprint(scoped.request, scoped.scope.principal) !== asking.waiting.fingerprint) {
      return {
        code: RPC_CODE.invalidParams,
        message: 'The requestState belongs to another request',
      };
    }
    const responses = params?.['inputResponses'];
    if (!isJsonObject(responses)) {
      return { code: RPC_CODE.invalidParams, message: 'params.inputResponses must be an object' };
    }
    this.#wake(asking);
    call.continueFor(scoped, params?._meta?.progressToken);
    if (asking.outcome === undefined) {
      this.#calls.add(call);
      asking.receive(responses);
      this.#schedule(asking);
    } else call.deliver(asking.outcome);
    return undefined;
  }

  /** Routes a retry to the process that runs the call. */
  #relay({ owner, secret }: CallReference, scoped: SessionRequest): void {
    const { request, scope } = scoped;
    const { sink, principal } = scope;
    const body = { secret, request, principal, canStream: sink.canStream };
    let cut = (): void => undefined;
    // Watch first: a relay that cannot be opened ends immediately.
    const stopWatching = sink.onDisconnect(() => cut());
    cut = this.#relays.open(owner, 'retry', body, {
      onTaken: () => undefined,
      onEvent: ({ message, mayDrop }) => {
        if (typeof message !== 'string') sink.keepAlive();
        else if (mayDrop === true) sink.notify(message);
        else sink.send(message);
      },
      onEnd: ({ message, status }) => {
        stopWatching();
        sink.settle({
          message: typeof message === 'string' ? message : undefined,
          status: typeof status === 'number' ? status : 200,
        });
      },
      onLost: () => {
        stopWatching();
        settleError(scoped, GONE);
      },
    });
  }

  #expire(asking: SuspendableCall): void {
    this.#wake(asking);
    asking.call.cancel('The caller did not answer in time');
  }

  #wake(asking: SuspendableCall): void {
    if (asking.waiting === undefined) return;
    clearTimeout(asking.waiting.timer);
    this.#waiting.delete(asking.waiting.secret);
    asking.waiting = undefined;
  }

  #end(asking: SuspendableCall, outcome: CallEnd): boolean {
    asking.settleAll(WITHDRAWN);
    if (asking.waiting === undefined) return false;
    asking.outcome = outcome;
    return true;
  }
}

/** Time to wait for an announced question, in milliseconds. */
const MORE_MS = 1_000;

const startImmediate = (work: () => void): SuspendableCall['scheduled'] => {
  const immediate = setImmediate(work);
  return { cancel: () => clearImmediate(immediate) };
};

const startMoreTimer = (work: () => void): SuspendableCall['scheduled'] => {
  const timer = setTimeout(work, MORE_MS);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
};

const UNWRITABLE = createErrorAnswer(RPC_CODE.internal, 'The question cannot be written as JSON');

/** Returns the `input_required` answer to the pending request; `undefined` when a question is nested too deeply to be written. */
const createInputRequired = (
  { call, questions }: SuspendableCall,
  requestState: string,
  stamp: ResultStamp,
): SettledResponse | undefined => {
  const inputRequests = Object.fromEntries(
    [...questions].map(([key, { question }]) => [key, question]),
  );
  const result = { resultType: 'input_required', inputRequests, requestState };
  try {
    const text = formatResultText(result, stamp);
    return { message: formatResult(call.request.id, text), status: 200 };
  } catch {
    return undefined;
  }
};

const settleError = ({ request, scope }: SessionRequest, error: RpcError): void =>
  scope.sink.settle(createErrorResponse(request, error));
