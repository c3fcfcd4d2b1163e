import { FairQueue, type Turn } from '@gateway/call-contract';
import { LRUCache } from 'lru-cache';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { EndpointRefusal } from '../protocol/refusal.ts';
import { answerEmpty, type RouteHandler, type RouteHandlers } from '../wire/incoming-exchange.ts';
import { createCallerAddress, type ProxyOptions } from '../wire/request-origin.ts';
import type { RunningCall, RunningCalls } from './running-call.ts';

/** A token bucket for each caller. */
export interface RateLimit {
  /** Tokens that a bucket regains each second; a request takes one. */
  readonly requestsPerSecond: number;
  /** Tokens of a full bucket: the requests that a caller can send at once. */
  readonly burst: number;
  /** Buckets that are stored. Beyond that the least recently used one is forgotten, which fills it. */
  readonly maxCallers: number;
}

/** Admits requests at a limited rate for each caller. */
interface RateLimiter {
  /**
   * Takes tokens of a caller, at most `burst` of them.
   *
   * @returns 0, or the milliseconds after which so many tokens exist when there are too few now; then none is taken
   */
  take(caller: string, tokens: number): number;
}

/** The rate limit that holds where none is given. */
export const DEFAULT_RATE_LIMIT: RateLimit = {
  requestsPerSecond: 200,
  burst: 400,
  maxCallers: 50_000,
};

/**
 * Creates a rate limiter for this process. A bucket is one number, the time at which it is full again (generic cell rate
 * algorithm), so that a request costs no timer. The clock is monotonic.
 */
export const createRateLimiter = (
  { requestsPerSecond, burst, maxCallers }: RateLimit,
  now: () => number = () => performance.now(),
): RateLimiter => {
  const fullAt = new LRUCache<string, number>({ max: maxCallers });
  const msPerToken = 1000 / requestsPerSecond;
  const msPerBucket = burst * msPerToken;
  return {
    take(caller, tokens) {
      const time = now();
      const next =
        Math.max(time, fullAt.get(caller) ?? time) + Math.min(tokens, burst) * msPerToken;
      const waitMs = next - time - msPerBucket;
      // Sums of fractions are inexact.
      if (waitMs > TOLERANCE_MS) return waitMs;
      fullAt.set(caller, next);
      return 0;
    },
  };
};

const TOLERANCE_MS = 1e-6;

/** Charges a caller with a number of messages. Returns the refusal when it has sent too many. */
export type RequestRate = (caller: string, messages: number) => EndpointRefusal | undefined;

/** Creates the rate of an endpoint; without a limit it refuses nothing. */
export const createRequestRate = (rateLimit?: Partial<RateLimit>): RequestRate => {
  if (rateLimit === undefined) return () => undefined;
  const rate = { ...DEFAULT_RATE_LIMIT, ...rateLimit };
  const limiter = createRateLimiter(rate);
  return (caller, messages) => {
    const waitMs = messages === 0 ? 0 : limiter.take(caller, messages);
    if (waitMs === 0) return undefined;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    return { code: 'rate-limited', limit: rate.requestsPerSecond, retryAfterSeconds };
  };
};

/** How many requests an address may send to some routes. */
export interface RouteLimitOptions extends ProxyOptions {
  readonly rateLimit: Partial<RateLimit>;
}

/**
 * Returns a function that limits handlers: a request of an address that exceeds its rate is answered with 429 and `Retry-After`. All handlers that
 * one function limits share the rate. Addresses of one IPv6 network (/64) count as one.
 *
 * @throws RangeError when an entry of `trustedProxies` is neither an address nor a CIDR range
 */
export const createRouteLimit = ({
  rateLimit,
  ...proxies
}: RouteLimitOptions): ((handlers: RouteHandlers) => RouteHandlers) => {
  const resolveAddress = createCallerAddress(proxies);
  const limiter = createRateLimiter({ ...DEFAULT_RATE_LIMIT, ...rateLimit });
  const limited =
    (handle: RouteHandler): RouteHandler =>
    (request, response) => {
      const waitMs = limiter.take(resolveAddress(request), 1);
      if (waitMs === 0) {
        handle(request, response);
        return;
      }
      response.setHeader('retry-after', String(Math.ceil(waitMs / 1000)));
      request.resume();
      answerEmpty(response, 429);
    };
  return (handlers) =>
    Object.fromEntries(Object.entries(handlers).map(([path, handle]) => [path, limited(handle)]));
};

/** The number of calls of one resource that run, and that wait, at one moment. */
export interface SlotLimits {
  readonly maxRunning: number;
  readonly maxQueued: number;
}

/** Removes a waiting call from its queue; without effect once it has started. */
type Withdraw = () => void;

interface WaitingCall {
  readonly slots: CallSlots;
  readonly start: () => void;
}

const isReady = ({ slots }: WaitingCall): boolean => slots.hasFree;

/**
 * The slots of one resource with a bounded queue. A released slot goes to the users in turn, and to the runs of a user in turn. Slots
 * can be a part of the slots of a larger resource: a call then takes one of both at once, and holds none while it waits.
 */
export class CallSlots {
  #limits: SlotLimits;
  readonly #whole: CallSlots | undefined;
  /** The calls that wait for these slots or for a part of them. Created by the first one. */
  #queue: FairQueue<WaitingCall> | undefined;
  #running = 0;
  #queued = 0;
  #isStarting = false;

  constructor(limits: SlotLimits, whole?: CallSlots) {
    this.#limits = limits;
    this.#whole = whole;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Number of calls that can be started or queued now. */
  get capacity(): number {
    const { maxRunning, maxQueued } = this.#limits;
    return maxRunning - this.#running + maxQueued - this.#queued;
  }

  get hasFree(): boolean {
    return this.#running < this.#limits.maxRunning && this.#whole?.hasFree !== false;
  }

  /** No further call can wait for these slots, regardless of those of the larger resource. */
  get isQueueFull(): boolean {
    return this.#queued >= this.#limits.maxQueued;
  }

  /** Takes a slot. Returns `false` when none is free. */
  take(): boolean {
    if (!this.hasFree) return false;
    this.#count(1, 0);
    return true;
  }

  /**
   * Queues a call until a slot is released to it.
   *
   * @param start called with the slot taken
   * @returns `undefined` when the queue is full
   */
  wait(turn: Turn, start: () => void): Withdraw | undefined {
    const whole = this.#whole ?? this;
    if (this.isQueueFull || whole.isQueueFull) return undefined;
    const queue = (whole.#queue ??= new FairQueue());
    const call = { slots: this, start };
    queue.add(call, turn);
    this.#count(0, 1);
    return () => {
      if (queue.remove(call, turn)) this.#count(0, -1);
    };
  }

  /** Returns a slot, which starts the next waiting call. */
  release(): void {
    this.#count(-1, 0);
    this.#startWaiting();
  }

  /** Changes the limits. Running calls keep their slots and waiting ones their places, also beyond the new limits. */
  resize(limits: SlotLimits): void {
    this.#limits = limits;
    this.#startWaiting();
  }

  #count(running: number, queued: number): void {
    this.#running += running;
    this.#queued += queued;
    if (this.#whole !== undefined) this.#whole.#count(running, queued);
  }

  #startWaiting(): void {
    if (this.#whole !== undefined) {
      this.#whole.#startWaiting();
      return;
    }
    // A call that releases its slot while it starts is followed by this loop, not by one inside it.
    if (this.#queued === 0 || this.#isStarting) return;
    this.#isStarting = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        next.slots.#count(1, -1);
        next.start();
      }
    } finally {
      this.#isStarting = false;
    }
  }

  #next(): WaitingCall | undefined {
    return this.hasFree ? this.#queue?.take(isReady) : undefined;
  }
}

/** Idle slots that stay for their next call. */
const MAX_IDLE = 256;

/** The slots of many resources, by key. Unused slots are removed, so that keys from outside occupy no memory. */
export class KeyedSlots {
  readonly #limits: SlotLimits;
  readonly #slots = new Map<string, CallSlots>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Returns the slots of a key. Take one, or wait for one, before anything else calls this. */
  get(key: string): CallSlots {
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    if (this.#slots.size >= MAX_IDLE) this.#removeIdle();
    const slots = new CallSlots(this.#limits);
    this.#slots.set(key, slots);
    return slots;
  }

  /** Returns the slots of a key that is in use. */
  peek(key: string): CallSlots | undefined {
    return this.#slots.get(key);
  }

  /** The keys in use with their slots. */
  entries(): IterableIterator<[string, CallSlots]> {
    return this.#slots.entries();
  }

  #removeIdle(): void {
    for (const [key, slots] of this.#slots) if (slots.running === 0) this.#slots.delete(key);
  }
}

/** A connection with one caller has no slots. */
const UNLIMITED = { release: (): void => undefined };

/**
 * The limits of concurrent calls: of the endpoint, and of each caller with a bounded queue. Queued calls are tracked as running
 * ones are, so that a cancellation, a disconnect and their time limit reach them.
 */
export class CallAdmission {
  readonly #calls: RunningCalls;
  readonly #limits: McpHttpLimits;
  readonly #slots: KeyedSlots;
  #queued = 0;

  constructor(calls: RunningCalls, limits: McpHttpLimits) {
    this.#calls = calls;
    this.#limits = limits;
    this.#slots = new KeyedSlots({
      maxRunning: limits.maxConcurrentCallsPerCaller,
      maxQueued: limits.maxQueuedCallsPerCaller,
    });
  }

  /** Number of calls that wait for other calls of their caller. */
  get queued(): number {
    return this.#queued;
  }

  /** Returns the refusal of further calls of a caller; `undefined` when they can be started or queued. */
  refuse(caller: string, more: number): EndpointRefusal | undefined {
    const slots = this.#slots.peek(caller);
    if (slots !== undefined && slots.capacity < more) return this.#callerFull;
    return this.refuseAny(more);
  }

  /** Returns the refusal of further calls of any caller. */
  refuseAny(more: number): EndpointRefusal | undefined {
    const { maxConcurrentCalls: limit } = this.#limits;
    const running = this.#calls.size - this.#queued;
    const isFull = running + more > limit || this.#queued >= limit;
    return isFull ? { code: 'calls-full', limit } : undefined;
  }

  /**
   * Starts a call at once, or when other calls of its caller have ended.
   *
   * @param start called with the slots that it releases when the service has answered
   * @returns the refusal when the queue of the caller is full
   */
  start(
    call: RunningCall,
    start: (slots: Pick<CallSlots, 'release'>) => void,
  ): EndpointRefusal | undefined {
    const { callerKey } = call;
    if (callerKey === undefined) {
      start(UNLIMITED);
      return undefined;
    }
    const slots = this.#slots.get(callerKey);
    if (slots.take()) {
      start(slots);
      return undefined;
    }
    return this.#wait(call, slots, start);
  }

  #wait(
    call: RunningCall,
    slots: CallSlots,
    start: (slots: Pick<CallSlots, 'release'>) => void,
  ): EndpointRefusal | undefined {
    const leave = (): void => {
      call.withdraw = undefined;
      this.#queued -= 1;
    };
    const withdraw = slots.wait({ user: call.callerKey ?? '' }, () => {
      leave();
      start(slots);
    });
    if (withdraw === undefined) return this.#callerFull;
    this.#queued += 1;
    call.withdraw = () => {
      leave();
      withdraw();
    };
    this.#calls.add(call);
    return undefined;
  }

  get #callerFull(): EndpointRefusal {
    const { maxConcurrentCallsPerCaller, maxQueuedCallsPerCaller } = this.#limits;
    return {
      code: 'caller-calls-full',
      limit: maxConcurrentCallsPerCaller,
      queueLimit: maxQueuedCallsPerCaller,
    };
  }
}
