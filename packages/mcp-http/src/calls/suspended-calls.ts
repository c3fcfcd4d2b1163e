import {
  type AskOptions,
  type ClientAnswer,
  type ClientRequest,
  isJsonObject,
  RPC_CODE,
  type RpcError,
} from '@gateway/call-contract';
import { AskedQuestions } from './asked-questions.ts';
import { noAnswer, WITHDRAWN } from '../protocol/client-answers.ts';
import type { SettledResponse } from '../protocol/response-sink.ts';
import { resultMessage } from '../protocol/json-rpc.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { requestFingerprint } from './request-fingerprint.ts';
import type { RequestStates } from './request-state.ts';
import type { SessionRequest } from '../sessions/session-scope.ts';
import { resultText, type ResultStamp } from '../protocol/result-text.ts';
import type { CallEnd, RunningCall } from './running-call.ts';
import type { RunningCalls } from './running-calls.ts';

/** The dependencies of {@link SuspendedCalls}. */
export interface SuspendedCallsDependencies {
  readonly self: string;
  readonly states: RequestStates;
  readonly calls: RunningCalls;
  readonly stamp: ResultStamp;
  readonly limits: Pick<
    McpHttpLimits,
    'maxSuspendedCalls' | 'suspendedTimeoutMs' | 'maxInputRounds'
  >;
}

/** One call of 2026-07-28 that has asked its caller. */
class AskingCall {
  readonly call: RunningCall;
  readonly questions = new AskedQuestions();
  rounds = 0;
  /** The name of the call, the hash that its retry must have and the end of its time, while no request waits for it. */
  waiting:
    | { readonly secret: string; readonly fingerprint: string; readonly timer: NodeJS.Timeout }
    | undefined;
  /** How the call ended while no request waited for it. */
  outcome: CallEnd | undefined;
  /** Ends the wait for the other questions of the same result. */
  scheduled: { readonly cancel: () => void } | undefined;

  constructor(call: RunningCall) {
    this.call = call;
  }
}

/** The error of a retry whose call does not exist. */
export const GONE: RpcError = {
  code: RPC_CODE.invalidParams,
  message: 'The call of this requestState is over or has expired; start it again',
};

/**
 * Calls of 2026-07-28 whose caller is asked: the request is answered `input_required`, the call continues in this process, and
 * the retry with the answers resumes it: the same method and parameters of the same principal. Bounded in number, time and rounds.
 */
export class SuspendedCalls {
  readonly #dependencies: SuspendedCallsDependencies;
  readonly #asking = new WeakMap<RunningCall, AskingCall>();
  readonly #waiting = new Map<string, AskingCall>();

  constructor(dependencies: SuspendedCallsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Number of calls that wait for their caller. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Asks the caller of a call; never rejects. */
  ask(call: RunningCall, question: ClientRequest, options: AskOptions = {}): Promise<ClientAnswer> {
    if (call.isOver || options.signal?.aborted === true) return Promise.resolve(WITHDRAWN);
    let asking = this.#asking.get(call);
    if (asking === undefined) {
      asking = new AskingCall(call);
      this.#asking.set(call, asking);
      const kept = asking;
      call.questions = { onEnd: (outcome) => this.#end(kept, outcome) };
    }
    const answer = asking.questions.ask(question, options);
    this.#schedule(asking, options.more);
    return answer;
  }

  /** Resumes a call for a retry of its caller. Returns the error of a retry that matches no call. */
  resume(secret: string, scoped: SessionRequest): RpcError | undefined {
    const asking = this.#waiting.get(secret);
    if (asking?.waiting === undefined) return GONE;
    const { call } = asking;
    const { params } = scoped.request;
    if (requestFingerprint(scoped.request, scoped.scope.principal) !== asking.waiting.fingerprint) {
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
    call.continueFor(scoped, progressTokenOf(params));
    if (asking.outcome === undefined) {
      this.#dependencies.calls.add(call);
      asking.questions.receive(responses);
      this.#schedule(asking);
    } else call.deliver(asking.outcome);
    return undefined;
  }

  /** Ends all calls that wait, with an error for the code that runs them. */
  close(error: RpcError): void {
    for (const { call } of [...this.#waiting.values()]) call.fail(error, error.message);
  }

  /** Sends questions that are asked in the same turn, or announced by the one before, as one result. */
  #schedule(asking: AskingCall, more = false): void {
    if (asking.waiting !== undefined) return;
    asking.scheduled?.cancel();
    const suspend = (): void => {
      asking.scheduled = undefined;
      this.#suspend(asking);
    };
    asking.scheduled = more ? later(suspend) : soon(suspend);
  }

  #suspend(asking: AskingCall): void {
    const { call, questions } = asking;
    if (call.isOver || asking.waiting !== undefined || questions.size === 0) return;
    const { limits, states, self, calls } = this.#dependencies;
    asking.rounds += 1;
    const isFull = this.#waiting.size >= limits.maxSuspendedCalls;
    if (isFull || asking.rounds > limits.maxInputRounds) {
      const text = isFull
        ? `Too many calls wait for their callers: the limit of ${limits.maxSuspendedCalls} is reached`
        : `The caller was asked ${limits.maxInputRounds} times without an end`;
      questions.settleAll(noAnswer(RPC_CODE.transport, text));
      return;
    }
    const { secret, state } = states.issue(self);
    const settled = inputRequired(asking, state, this.#dependencies.stamp);
    const fingerprint = requestFingerprint(call.request, call.principal);
    if (settled === undefined || fingerprint === undefined) {
      questions.settleAll(UNWRITABLE);
      return;
    }
    const timer = setTimeout(() => this.#expire(asking), limits.suspendedTimeoutMs);
    timer.unref();
    asking.waiting = { secret, fingerprint, timer };
    this.#waiting.set(secret, asking);
    calls.release(call);
    call.scope.exchange.settle(settled);
  }

  #expire(asking: AskingCall): void {
    this.#wake(asking);
    asking.call.cancel('The caller has not come back with its answers');
  }

  #wake(asking: AskingCall): void {
    if (asking.waiting === undefined) return;
    clearTimeout(asking.waiting.timer);
    this.#waiting.delete(asking.waiting.secret);
    asking.waiting = undefined;
  }

  #end(asking: AskingCall, outcome: CallEnd): boolean {
    asking.questions.settleAll(WITHDRAWN);
    if (asking.waiting === undefined) return false;
    asking.outcome = outcome;
    return true;
  }
}

/** Time after which an announced question is not expected any more, in milliseconds. */
const MORE_MS = 1_000;

const soon = (work: () => void): AskingCall['scheduled'] => {
  const immediate = setImmediate(work);
  return { cancel: () => clearImmediate(immediate) };
};

const later = (work: () => void): AskingCall['scheduled'] => {
  const timer = setTimeout(work, MORE_MS);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
};

const UNWRITABLE = noAnswer(RPC_CODE.internal, 'The question cannot be written as JSON');

/** The answer to the request that waits now; `undefined` when a question is nested too deeply to be written. */
const inputRequired = (
  { call, questions }: AskingCall,
  requestState: string,
  stamp: ResultStamp,
): SettledResponse | undefined => {
  const { inputRequests } = questions;
  const result = { resultType: 'input_required', inputRequests, requestState };
  try {
    const text = resultText(result, stamp);
    return { message: resultMessage(call.request.id, text), status: 200 };
  } catch {
    return undefined;
  }
};

const progressTokenOf = (
  params: SessionRequest['request']['params'],
): string | number | undefined => params?._meta?.progressToken;
