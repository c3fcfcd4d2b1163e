import {
  type CallContext,
  type Caller,
  InFlightMap,
  type JsonObject,
  type ProgressReport,
  RPC_CODE,
  type ServerFeatures,
} from '@gateway/call-contract';
import {
  changeMembers,
  findSourceText,
  storeSourceText,
  type Era,
  LOG_LEVEL_META_KEY,
} from '@gateway/mcp-wire';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ServerCapabilities,
} from '@modelcontextprotocol/client';
import { formatReason } from '../wire/reason.ts';
import {
  createFailure,
  readOutcome,
  type RequestFailure,
  type RequestOutcome,
  type SessionRefusal,
  findSessionRefusal,
} from '../wire/request-outcome.ts';
import type { Wire, WireExchange, WireSink } from '../wire/wire.ts';
import { LOG_LEVELS } from './log-level.ts';

export const toServerFeatures = (capabilities: ServerCapabilities): ServerFeatures => ({
  completions: capabilities.completions !== undefined,
  resourceSubscriptions: capabilities.resources?.subscribe === true,
  logging: capabilities.logging !== undefined,
});

/** The client capabilities that are declared to servers of the 2025 revisions in `initialize`. */
export interface ClientFeatures {
  readonly sampling?: Readonly<Record<string, unknown>>;
  readonly elicitation?: Readonly<Record<string, unknown>>;
  readonly roots?: Readonly<Record<string, unknown>>;
}

/** Returns an `initialize` message with the capabilities. The SDK's client has none: with 2026-07-28 it would declare them instead of those of the caller. */
export const applyClientFeatures = <M extends object>(message: M, features: ClientFeatures): M => {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'initialize') return message;
  return { ...message, params: { ...(params as JsonObject), capabilities: { ...features } } };
};

export const resolveProbeMethod = (era: Era): string =>
  era === 'modern' ? 'server/discover' : 'ping';

export interface RequestConnection {
  readonly era: Era;
  readonly features: ServerFeatures;
  /** Sends one request. Never rejects and never sends it twice. */
  request(request: OutgoingRequest): Promise<RequestOutcome>;
  /** Begins a call, which has one request or several. A connection that is replaced because of new values stays open until its calls end. */
  enter(): void;
  leave(): void;
}

/** The context of a downstream request. A request of the gateway itself has no caller, no progress sink and no `_meta`. */
export type RequestOptions = Partial<CallContext>;

export interface OutgoingRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly timeoutMs: number;
  /** The time up to which progress of the server extends the timeout; progress does not extend it when absent. */
  readonly maxTimeoutMs?: number | undefined;
  /** HTTP headers that the protocol derives from the arguments. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly options?: RequestOptions;
  /** The request proves whether the connection works: a refused session is reported as it is. */
  readonly isCheck?: boolean;
}

export interface RunningRequest {
  readonly id: number;
  readonly request: OutgoingRequest;
  /** The server has sent a message for the request. */
  isBegun: boolean;
}

export interface RequestWatcher {
  onRequestOver(request: RunningRequest, how: 'settled' | 'given-up'): void;
  onLateAnswer(id: number): void;
}

/** Above the ids of the SDK, which count from 0, and within 31 bits, because some servers read ids into such an integer. */
const FIRST_ID = 1_000_000_000;
const LAST_ID = 2_147_483_647;
/** Number of random ids that are drawn at once: a single one costs a call of the system. */
const DRAWN_IDS = 256;
/** Number of requests in a row that fail before the connection is checked. */
const MANY_FAILED = 3;
/** Number of answered requests whose second answer is ignored. */
const MAX_SETTLED = 64;
/** Number of abandoned requests whose late answer is ignored. */
const MAX_GIVEN_UP = 10_000;
const MAX_CANCELLATION_CHARS = 200;
/** Interval of the deadline checks in milliseconds; a deadline is exceeded by at most this. */
const TICK_MS = 50;

export const isOwnId = (id: unknown): id is number => typeof id === 'number' && id >= FIRST_ID;

const drawn = new Uint32Array(DRAWN_IDS);
let drawnCount = 0;

/** Returns an id that a server cannot guess: an answer that it sends before the request has another one. */
const createRandomId = (): number => {
  if (drawnCount === 0) {
    crypto.getRandomValues(drawn);
    drawnCount = DRAWN_IDS;
  }
  drawnCount -= 1;
  return FIRST_ID + ((drawn[drawnCount] ?? 0) % (LAST_ID - FIRST_ID));
};

/** The ids of requests that have ended, as far as an answer to them may still arrive. */
class EndedIds {
  readonly #settled: number[] = [];
  readonly #givenUp = new Set<number>();
  #next = 0;

  add(id: number, how: 'settled' | 'given-up'): void {
    if (how === 'settled') {
      this.#settled[this.#next] = id;
      this.#next = (this.#next + 1) % MAX_SETTLED;
      return;
    }
    this.#givenUp.add(id);
    const [oldest] = this.#givenUp;
    if (this.#givenUp.size > MAX_GIVEN_UP && oldest !== undefined) this.#givenUp.delete(oldest);
  }

  has(id: number): boolean {
    return this.#givenUp.has(id) || this.#settled.includes(id);
  }
}

/** Returns the reason of a cancellation for the server. Never splits a surrogate pair. */
const formatCancellation = ({ kind }: RequestFailure, signal: AbortSignal | undefined): string => {
  const reason: unknown = kind === 'cancelled' ? signal?.reason : undefined;
  const text = reason instanceof Error ? reason.message : reason;
  if (typeof text !== 'string' || text === '') return kind;
  return text.slice(0, MAX_CANCELLATION_CHARS).replace(/[\ud800-\udbff]$/u, '');
};

export interface OutgoingObserver {
  readonly incoming: RequestWatcher;
  onRequestsFail(): void;
  /** Resolves with whether the server does not know the session. Must not reject. */
  onSessionRefused(answer: SessionAnswer, how: SessionRefusal): Promise<boolean>;
}

export type SessionAnswer = Extract<RequestFailure, { readonly kind: 'session-refused' }>['answer'];

const toSessionAnswer = (failure: RequestFailure): SessionAnswer | undefined =>
  failure.kind === 'refused' || failure.kind === 'lost' || failure.kind === 'invalid'
    ? failure
    : undefined;

const findRefusal = (answer: SessionAnswer, hasSession: boolean): SessionRefusal | undefined =>
  findSessionRefusal({
    httpStatus: 'httpStatus' in answer ? answer.httpStatus : undefined,
    rpcCode: 'rpcCode' in answer ? answer.rpcCode : undefined,
    text: 'message' in answer ? answer.message : (answer.text ?? ''),
    hasSession,
    namesOtherSession: 'namesOtherSession' in answer ? answer.namesOtherSession : undefined,
  });

const MAY_CONCERN_CONNECTION: ReadonlySet<RequestFailure['kind']> = new Set([
  'refused',
  'lost',
  'invalid',
  'timeout',
]);

/** Returns whether a failure proves that the server reads the requests of the connection. */
const isProof = (failure: RequestFailure): boolean =>
  failure.kind === 'input-required' ||
  (failure.kind === 'refused' && failure.rpcCode === RPC_CODE.methodNotFound);

type Meta = Readonly<Record<string, unknown>>;

/** Returns the client description that every request of the 2026-07-28 revision carries. */
export const createModernEnvelope = (
  protocolVersion: string,
  clientInfo: { readonly name: string; readonly version: string },
): Meta => ({
  [PROTOCOL_VERSION_META_KEY]: protocolVersion,
  [CLIENT_INFO_META_KEY]: clientInfo,
  [CLIENT_CAPABILITIES_META_KEY]: {},
});

/** Returns the `_meta` that describes the caller to a 2026-07-28 server: its capabilities and its log level. */
const toCallerMeta = (caller: Caller | undefined): Meta => {
  if (caller === undefined) return {};
  const { capabilities, logLevel } = caller;
  return {
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...(LOG_LEVELS.has(logLevel) ? { [LOG_LEVEL_META_KEY]: logLevel } : {}),
  };
};

/** Returns a `_meta` with further members. The others keep their text. */
const withMembers = (meta: Meta, own: Meta): Meta => {
  const changed = { ...meta, ...own };
  const text = findSourceText(meta);
  if (text === undefined) return changed;
  const add = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  return storeSourceText(changed, changeMembers(text, { add }));
};

/** Returns the `_meta` of a call together with its trace; the same object when the call has no trace. */
const toTracedMeta = (call: Pick<CallContext, 'meta' | 'trace'> | undefined): Meta | undefined => {
  const trace = call?.trace;
  if (trace === undefined) return call?.meta;
  return withMembers(call?.meta ?? {}, { ...trace });
};

/** Returns the `_meta` of the call, which has no keys of the caller's own connection, followed by those of this connection. */
const createOutgoingMeta = (
  call: Pick<CallContext, 'meta' | 'trace'> | undefined,
  own: Meta | undefined,
): Meta | undefined => {
  const passed = toTracedMeta(call);
  return passed === undefined || own === undefined ? (passed ?? own) : withMembers(passed, own);
};

const createWireParams = (
  connectionMeta: JsonObject | undefined,
  id: number,
  { params, options, timeoutMs, maxTimeoutMs = timeoutMs }: OutgoingRequest,
): JsonObject => {
  const envelope =
    connectionMeta === undefined
      ? undefined
      : { ...connectionMeta, ...toCallerMeta(options?.caller) };
  const asksProgress = options?.onProgress !== undefined || maxTimeoutMs > timeoutMs;
  const own = asksProgress ? { ...envelope, progressToken: id } : envelope;
  const meta = createOutgoingMeta(options, own);
  return meta === undefined ? params : { ...params, _meta: meta };
};

/** Returns the signal of a request if it already exists. A signal that is created on first access is left for later. */
const findSignal = (options: RequestOptions | undefined): AbortSignal | undefined =>
  options === undefined
    ? undefined
    : // The value of a getter is not in here.
      (Object.getOwnPropertyDescriptor(options, 'signal')?.value as AbortSignal | undefined);

class Running implements RunningRequest, WireSink {
  readonly id: number;
  readonly request: OutgoingRequest;
  deadline: number;
  isBegun = false;
  readonly #startedAt = performance.now();
  readonly #channel: OutgoingRequests;
  readonly #resolve: (outcome: RequestOutcome) => void;
  #exchange: WireExchange | undefined;
  #signal: AbortSignal | undefined;
  /** The request was pending at an earlier tick. */
  #isSlow = false;
  readonly #onAbort = (): void => this.#giveUp({ kind: 'cancelled' });

  constructor(
    id: number,
    request: OutgoingRequest,
    channel: OutgoingRequests,
    resolve: (outcome: RequestOutcome) => void,
  ) {
    this.id = id;
    this.request = request;
    this.#channel = channel;
    this.#resolve = resolve;
    this.deadline = this.#startedAt + request.timeoutMs;
  }

  get isOver(): boolean {
    return !this.#channel.running.has(this.id);
  }

  send(): void {
    const { id, request } = this;
    this.#channel.running.set(id, this);
    this.#watch(findSignal(request.options));
    const params = createWireParams(this.#channel.envelope(), id, request);
    const { method, headers } = request;
    try {
      this.#exchange = this.#channel.wire.exchange({ id, method, params, headers }, this);
    } catch (error) {
      // A request that cannot be serialized is never sent.
      this.onEnd({ kind: 'lost', reason: formatReason(error) });
    }
  }

  settle(outcome: RequestOutcome, how: 'settled' | 'given-up' = 'settled'): void {
    const { running, ended, observer } = this.#channel;
    if (!running.delete(this.id)) return;
    ended.add(this.id, how);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#exchange?.finish();
    observer.incoming.onRequestOver(this, how);
    if (outcome.ok) {
      if (this.request.isCheck !== true) this.#channel.failedInARow = 0;
      this.#resolve(outcome);
    } else this.#fail(outcome.failure);
  }

  distrust(reason: string): void {
    this.settle(createFailure({ kind: 'invalid', reason }));
    this.#exchange?.abandon();
  }

  /** Counts the requests without a result whose cause may be the connection. */
  #count(failure: RequestFailure): void {
    const channel = this.#channel;
    if (isProof(failure)) channel.failedInARow = 0;
    if (isProof(failure) || !MAY_CONCERN_CONNECTION.has(failure.kind)) return;
    channel.failedInARow += 1;
    if (channel.failedInARow === MANY_FAILED) channel.observer.onRequestsFail();
  }

  #fail(failure: RequestFailure): void {
    if (this.request.isCheck !== true) this.#count(failure);
    const answer = toSessionAnswer(failure);
    const how = answer && findRefusal(answer, this.#channel.wire.hasSession);
    if (answer === undefined || how === undefined) {
      this.#resolve(createFailure(failure));
      return;
    }
    const refused = createFailure({
      kind: 'session-refused',
      answer,
      how,
      mayBeProcessed: this.isBegun,
    });
    if (this.request.isCheck === true)
      this.#resolve(how === 'possible' ? createFailure(failure) : refused);
    else
      void this.#channel.observer
        .onSessionRefused(answer, how)
        .then((isReplaced) => this.#resolve(isReplaced ? refused : createFailure(failure)));
  }

  onTick(): void {
    // Most answers arrive before the second tick, so the signal of a fast request is never created.
    if (this.#isSlow && this.#signal === undefined) this.#watch(this.request.options?.signal);
    this.#isSlow = true;
  }

  /** Takes progress of the server, which gives the request its time again within the maximum. */
  onProgress(progress: ProgressReport): void {
    const { timeoutMs, maxTimeoutMs = timeoutMs, options } = this.request;
    this.deadline = Math.min(performance.now() + timeoutMs, this.#startedAt + maxTimeoutMs);
    options?.onProgress?.(progress);
  }

  onLate(): void {
    this.#giveUp({ kind: 'timeout', timeoutMs: Math.round(this.deadline - this.#startedAt) });
  }

  onEnd(failure: RequestFailure): void {
    // A server whose answer was lost may still be processing the request.
    this.settle(createFailure(failure), failure.kind === 'lost' ? 'given-up' : 'settled');
  }

  #watch(signal: AbortSignal | undefined): void {
    this.#signal = signal;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  #giveUp(failure: RequestFailure): void {
    if (this.isOver) return;
    this.settle(createFailure(failure), 'given-up');
    this.#channel.sendCancellation(this.id, formatCancellation(failure, this.#signal));
    this.#exchange?.abandon();
  }
}

export class OutgoingRequests {
  readonly wire: Wire;
  /** Returns the `_meta` that every request of a 2026-07-28 connection carries; `undefined` in the 2025 revisions. */
  readonly envelope: () => JsonObject | undefined;
  readonly observer: OutgoingObserver;
  readonly running = new InFlightMap<number, Running>();
  readonly ended = new EndedIds();
  /** Number of requests since the last one that had a result. */
  failedInARow = 0;
  /** One timer for all deadlines, because a timer per request costs more than the request. It runs only while there are requests. */
  #timer: NodeJS.Timeout | undefined;

  constructor(wire: Wire, envelope: () => JsonObject | undefined, observer: OutgoingObserver) {
    this.wire = wire;
    this.envelope = envelope;
    this.observer = observer;
  }

  request(request: OutgoingRequest): Promise<RequestOutcome> {
    if (findSignal(request.options)?.aborted === true)
      return Promise.resolve(createFailure({ kind: 'cancelled' }));
    let id = createRandomId();
    while (this.isOwn(id)) id = createRandomId();
    this.#watchDeadlines();
    return new Promise((resolve) => new Running(id, request, this, resolve).send());
  }

  /** Settles the request with this id. Returns `false` for an id that none of the requests had. */
  answer(id: number, message: JsonObject): boolean {
    const request = this.running.get(id);
    if (request === undefined) {
      this.observer.incoming.onLateAnswer(id);
      return this.ended.has(id);
    }
    request.settle(readOutcome(message, request.request.method));
    return true;
  }

  isOwn(id: unknown): boolean {
    return isOwnId(id) && (this.running.has(id) || this.ended.has(id));
  }

  distrust(id: number, reason: string): void {
    this.running.get(id)?.distrust(reason);
  }

  sendCancellation(id: number, reason: string): void {
    const envelope = this.envelope();
    // A modern HTTP server detects the end of the request's own stream.
    if (envelope !== undefined && this.wire.hasPerRequestStream) return;
    const params = { requestId: id, reason };
    this.wire
      .send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: envelope === undefined ? params : { ...params, _meta: envelope },
      })
      // The server is gone; there is nothing to cancel.
      .catch(() => undefined);
  }

  end(reason: string): void {
    clearTimeout(this.#timer);
    for (const request of this.running.values())
      request.settle(createFailure({ kind: 'lost', reason }));
  }

  #watchDeadlines(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = performance.now();
      for (const request of this.running.values()) {
        if (request.deadline <= now) request.onLate();
        else request.onTick();
      }
      if (this.running.size > 0) this.#watchDeadlines();
    }, TICK_MS);
  }
}
