import type { Callback } from './callback.ts';
import { CallScope } from './call-scope.ts';
import { findMember } from './contract.ts';
import { LinkError, messageOf } from './link-error.ts';
import type { FailureCode, Invocation, Target } from './link-message.ts';
import { encodeOrThrow, type LinkLimits, type OutgoingCalls } from './outgoing-calls.ts';
import { DATA_ONLY, decodeCall, type DecodeTarget, type Payload } from './payload.ts';
import type { Sender } from './sender.ts';

interface IncomingCall {
  readonly scope: CallScope;
  controller: AbortController | undefined;
  /** Ends the subscription that the call has opened. */
  unsubscribe: (() => void) | undefined;
  readonly release: () => void;
}

/** Dependencies of {@link IncomingCalls}. */
export interface IncomingOptions {
  readonly sender: Sender;
  readonly outgoing: OutgoingCalls;
  readonly implementation: object;
  readonly limits: LinkLimits;
  /** Receives the error of a notification, which no caller awaits. */
  readonly onError: (error: unknown) => void;
}

const ENDED = 'the other process has ended';
const NOT_FOUND = 'the function does not exist in the other process';

/** Runs the calls that the other process makes. Their signals abort when the caller cancels them or ends. */
export class IncomingCalls {
  readonly #options: IncomingOptions;
  readonly #calls = new Map<number, IncomingCall>();
  readonly #members = new Map<string, Callback>();
  #isClosed = false;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  /** Runs a function and sends its result, unless it is a notification. After the end of the other process, it runs nothing. */
  run(message: Invocation): void {
    if (this.#isClosed) return;
    const found = this.#find(message.target);
    if (message.kind === 'send') {
      if (found !== undefined) this.#runNotification(found.callback, message.payload);
      return;
    }
    if (this.#calls.has(message.id)) return;
    const call = this.#begin(message.id, found?.scope);
    try {
      if (found === undefined) throw new LinkError('failed', NOT_FOUND);
      const args = decodeCall(message.payload, this.#targetOf(message.id, call));
      const result = found.callback(...(args as never[]));
      if (message.kind === 'open') this.#opened(message.id, call, result);
      else this.#answer(message.id, call, result);
    } catch (error) {
      this.#fail(message.id, call, { code: 'failed', reason: messageOf(error) });
    }
  }

  /** Cancels a call or ends a subscription. */
  stop(id: number, reason: string): void {
    this.#end(id)?.controller?.abort(reason);
  }

  /** Cancels all calls and ends all subscriptions. */
  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#calls.keys()]) this.stop(id, ENDED);
  }

  #find(target: Target): { callback: Callback; scope: CallScope | undefined } | undefined {
    const { implementation, outgoing } = this.#options;
    if (typeof target !== 'string') return outgoing.callback(...target);
    const callback = this.#members.get(target) ?? findMember(implementation, target);
    if (callback === undefined) return undefined;
    this.#members.set(target, callback);
    return { callback, scope: undefined };
  }

  #begin(id: number, parent: CallScope | undefined): IncomingCall {
    const release = parent?.add(() => this.stop(id, 'the call has ended'));
    const call: IncomingCall = {
      scope: new CallScope(),
      controller: undefined,
      unsubscribe: undefined,
      release: release ?? (() => undefined),
    };
    this.#calls.set(id, call);
    return call;
  }

  #end(id: number): IncomingCall | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    call.release();
    call.scope.end();
    try {
      call.unsubscribe?.();
    } catch (error) {
      this.#options.onError(error);
    }
    return call;
  }

  #opened(id: number, call: IncomingCall, unsubscribe: unknown): void {
    if (typeof unsubscribe !== 'function') {
      // The function is a request: its own failure has no caller.
      if (unsubscribe instanceof Promise) unsubscribe.catch(() => undefined);
      throw new TypeError('a subscription returns no function');
    }
    call.unsubscribe = unsubscribe as () => void;
    // The implementation may have ended it while it opened.
    if (!this.#calls.has(id)) call.unsubscribe();
  }

  #answer(id: number, call: IncomingCall, result: unknown): void {
    void Promise.resolve(result).then(
      (value) => this.#done(id, call, value),
      (error: unknown) => this.#fail(id, call, { code: 'failed', reason: messageOf(error) }),
    );
  }

  #done(id: number, call: IncomingCall, value: unknown): void {
    if (this.#calls.get(id) !== call) return;
    const { sender, limits } = this.#options;
    try {
      const { payload } = encodeOrThrow([value]);
      this.#end(id);
      if (sender.offer({ kind: 'done', id, payload }, limits.maxUnsent)) return;
      sender.send({
        kind: 'fail',
        id,
        code: 'result-dropped',
        reason: 'too much data waits to be sent',
      });
    } catch (error) {
      this.#fail(id, call, { code: 'invalid-value', reason: messageOf(error) });
    }
  }

  #fail(id: number, call: IncomingCall, failure: { code: FailureCode; reason: string }): void {
    if (this.#calls.get(id) !== call) return;
    this.#end(id);
    this.#options.sender.send({ kind: 'fail', id, ...failure });
  }

  #runNotification(callback: Callback, payload: Payload): void {
    const { onError } = this.#options;
    const args = decodeOrIgnore(payload);
    if (args === undefined) return;
    try {
      const result: unknown = callback(...(args as never[]));
      if (result instanceof Promise) result.catch(onError);
    } catch (error) {
      onError(error);
    }
  }

  #targetOf(id: number, call: IncomingCall): DecodeTarget {
    const { outgoing } = this.#options;
    return {
      callback: (number, limit) =>
        limit === undefined
          ? (...args: readonly unknown[]) => outgoing.request([id, number], args, call.scope)
          : (...args: readonly unknown[]) => {
              if (!call.scope.hasEnded) outgoing.notify([id, number], args, limit);
            },
      signal: () => (call.controller ??= new AbortController()).signal,
    };
  }
}

const decodeOrIgnore = (payload: Payload): unknown[] | undefined => {
  try {
    return decodeCall(payload, DATA_ONLY);
  } catch {
    return undefined;
  }
};
