import { type CallSlots, KeyedSlots } from '../admission/call-slots.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { RunningCall, RunningCalls } from './running-call.ts';

type AdmissionLimits = Pick<
  McpHttpLimits,
  'maxConcurrentCalls' | 'maxConcurrentCallsPerCaller' | 'maxQueuedCallsPerCaller'
>;

/** A connection with one caller has no slots. */
const UNLIMITED = { release: (): void => undefined };

/**
 * The limits of concurrent calls: of the endpoint, and of each caller with a bounded queue. Queued calls are tracked as running
 * ones are, so that a cancellation, a disconnect and their time limit reach them.
 */
export class CallAdmission {
  readonly #calls: RunningCalls;
  readonly #limits: AdmissionLimits;
  readonly #slots: KeyedSlots;
  #queued = 0;

  constructor(calls: RunningCalls, limits: AdmissionLimits) {
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
  refuse(caller: string, more: number): Refusal | undefined {
    const slots = this.#slots.peek(caller);
    if (slots !== undefined && slots.capacity < more) return this.#callerFull;
    return this.refuseAny(more);
  }

  /** Returns the refusal of further calls of any caller. */
  refuseAny(more: number): Refusal | undefined {
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
  ): Refusal | undefined {
    const { callerKey } = call;
    if (callerKey === undefined) {
      start(UNLIMITED);
      return undefined;
    }
    const slots = this.#slots.of(callerKey);
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
  ): Refusal | undefined {
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

  get #callerFull(): Refusal {
    const { maxConcurrentCallsPerCaller, maxQueuedCallsPerCaller } = this.#limits;
    return {
      code: 'caller-calls-full',
      limit: maxConcurrentCallsPerCaller,
      queueLimit: maxQueuedCallsPerCaller,
    };
  }
}
