import type { Callback } from './callback.ts';
import { NEVER_ABORTED } from './callback.ts';
import { CallScope } from './call-scope.ts';
import { LinkError, messageOf } from './link-error.ts';
import type { Answer, Invocation, Target } from './link-message.ts';
import { DATA_ONLY, decodeCall, encodeCall, type EncodedCall, type Payload } from './payload.ts';
import { messageSize, type Sender } from './sender.ts';

/** Limits of a link, in characters. */
export interface LinkLimits {
  /** Size of the calls without a result; a further call is refused with the code `full`. */
  readonly maxPending: number;
  /** Size of the data that waits to leave this process; a further call or result is refused with the code `full`. */
  readonly maxUnsent: number;
}

interface OutgoingCall {
  readonly size: number;
  readonly callbacks: readonly Callback[];
  readonly scope: CallScope;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: LinkError) => void;
  readonly release: () => void;
}

/** A call to start. */
interface CallRequest {
  readonly kind: 'call' | 'open';
  readonly target: Target;
  readonly args: readonly unknown[];
  /** The incoming call whose callback is called. */
  readonly within?: CallScope | undefined;
}

const MAX_REASON_CHARS = 200;
const CLOSED = 'the other process has ended';
const CANCELLED = 'the call was cancelled';

const reasonOf = ({ reason }: AbortSignal): string => {
  const text: unknown = reason instanceof Error ? reason.message : reason;
  return typeof text === 'string' ? text.slice(0, MAX_REASON_CHARS) : '';
};

/** Encodes values; throws a {@link LinkError} for a value without a JSON form. */
export const encodeOrThrow = (values: readonly unknown[]): EncodedCall => {
  try {
    return encodeCall(values);
  } catch (error) {
    throw new LinkError('invalid-value', messageOf(error));
  }
};

/** The calls that this process makes. Each settles once, at the latest when the channel closes. */
export class OutgoingCalls {
  readonly #sender: Sender;
  readonly #limits: LinkLimits;
  readonly #calls = new Map<number, OutgoingCall>();
  #nextId = 1;
  #pending = 0;
  #isClosed = false;

  constructor(sender: Sender, limits: LinkLimits) {
    this.#sender = sender;
    this.#limits = limits;
  }

  /** Calls a function of the other process. */
  request(target: Target, args: readonly unknown[], within?: CallScope): Promise<unknown> {
    // An error that the start throws rejects the promise.
    return new Promise((resolve, reject) => {
      this.#start({ kind: 'call', target, args, within }, { resolve, reject });
    });
  }

  /** Opens a subscription. @returns a function that ends it */
  open(
    target: Target,
    args: readonly unknown[],
    onFailure: (error: LinkError) => void,
  ): () => void {
    try {
      const settle = { resolve: () => undefined, reject: onFailure };
      const id = this.#start({ kind: 'open', target, args }, settle);
      return () => this.#cancel(id, 'the subscription has ended');
    } catch (error) {
      onFailure(error as LinkError);
      return () => undefined;
    }
  }

  /** Calls a function without awaiting it. @returns false when the message is dropped because too much is unsent */
  notify(target: Target, args: readonly unknown[], maxUnsent: number): boolean {
    if (this.#isClosed) return true;
    const { payload } = encodeOrThrow(args);
    return this.#sender.offer({ kind: 'send', id: 0, target, payload }, maxUnsent);
  }

  /** Returns a callback of a running call. */
  callback(call: number, number: number): { callback: Callback; scope: CallScope } | undefined {
    const running = this.#calls.get(call);
    const callback = running?.callbacks[number];
    return running && callback && { callback, scope: running.scope };
  }

  /** Settles a call with the other process's answer. */
  take(message: Answer): void {
    const call = this.#remove(message.id);
    if (call === undefined) return;
    if (message.kind === 'fail') call.reject(new LinkError(message.code, message.reason));
    else settleWith(call, message.payload);
  }

  /** Rejects all calls: the other process has ended. */
  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#calls.keys()])
      this.#remove(id)?.reject(new LinkError('closed', CLOSED));
  }

  #start(
    { kind, target, args, within }: CallRequest,
    settle: Pick<OutgoingCall, 'resolve' | 'reject'>,
  ): number {
    if (this.#isClosed) throw new LinkError('closed', CLOSED);
    const { payload, callbacks, signal = NEVER_ABORTED } = encodeOrThrow(args);
    if (signal.aborted || within?.hasEnded) throw new LinkError('cancelled', CANCELLED);
    const id = this.#nextId++;
    const message: Invocation = { kind, id, target, payload };
    const size = messageSize(message);
    this.#checkRoom(size);
    const release = this.#cancelWith(id, signal, within);
    this.#pending += size;
    this.#calls.set(id, { size, callbacks, scope: new CallScope(), ...settle, release });
    this.#sender.send(message, size);
    return id;
  }

  #checkRoom(size: number): void {
    const { maxPending, maxUnsent } = this.#limits;
    const hasRoom = this.#pending === 0 || this.#pending + size <= maxPending;
    if (!hasRoom) throw new LinkError('full', 'too many calls wait for a result');
    if (!this.#sender.hasRoomFor(size, maxUnsent))
      throw new LinkError('full', 'too much data waits to be sent');
  }

  /** Cancels the call with its signal and with the call that encloses it. @returns a function that stops that */
  #cancelWith(id: number, signal: AbortSignal, within: CallScope | undefined): () => void {
    const leaveScope = within?.add(() => this.#cancel(id, CANCELLED));
    if (signal === NEVER_ABORTED) return leaveScope ?? (() => undefined);
    const onAbort = (): void => this.#cancel(id, reasonOf(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      leaveScope?.();
      signal.removeEventListener('abort', onAbort);
    };
  }

  #cancel(id: number, reason: string): void {
    const call = this.#remove(id);
    if (call === undefined) return;
    this.#sender.send({ kind: 'stop', id, reason });
    call.reject(new LinkError('cancelled', CANCELLED));
  }

  #remove(id: number): OutgoingCall | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    this.#pending -= call.size;
    call.release();
    call.scope.end();
    return call;
  }
}

const settleWith = (call: OutgoingCall, payload: Payload): void => {
  try {
    call.resolve(decodeCall(payload, DATA_ONLY)[0]);
  } catch (error) {
    call.reject(new LinkError('invalid-value', messageOf(error)));
  }
};
