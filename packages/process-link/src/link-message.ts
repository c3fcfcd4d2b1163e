import type { Payload } from './payload.ts';

/** The addressed function: a member of the contract, or a callback of a call that the receiver made. */
export type Target = string | readonly [call: number, callback: number];

/** Calls a function: `call` awaits its result, `open` opens a subscription, `send` awaits nothing. */
export interface Invocation {
  readonly kind: 'call' | 'open' | 'send';
  /** Unique among the calls of the sender; 0 for `send`. */
  readonly id: number;
  readonly target: Target;
  readonly payload: Payload;
}

/** Cancels a call or ends a subscription of the sender. */
export interface Stop {
  readonly kind: 'stop';
  readonly id: number;
  readonly reason: string;
}

/** Reason of a failure that the other process reports. */
export type FailureCode = 'failed' | 'result-dropped' | 'invalid-value';

/** The result of a call of the receiver. */
export type Answer =
  | { readonly kind: 'done'; readonly id: number; readonly payload: Payload }
  | {
      readonly kind: 'fail';
      readonly id: number;
      readonly code: FailureCode;
      readonly reason: string;
    };

/** A message of a link. */
export type LinkMessage = Invocation | Stop | Answer;

/** The form in which a message is sent: flat, because copying nested values between processes is slow. */
type WireMessage = (string | number)[];

const FAILURE_CODES: ReadonlySet<unknown> = new Set<FailureCode>([
  'failed',
  'result-dropped',
  'invalid-value',
]);

/** Returns the form in which a message is sent. */
export const toWire = (message: LinkMessage): WireMessage => {
  const { kind, id } = message;
  if (kind === 'stop') return [kind, id, message.reason];
  if (kind === 'fail') return [kind, id, message.code, message.reason];
  const { json, texts } = message.payload;
  if (kind === 'done') return [kind, id, json, ...texts];
  const { target } = message;
  const [name, callback] = typeof target === 'string' ? ([target, 0] as const) : target;
  return [kind, id, name, callback, json, ...texts];
};

/** Parses an incoming message; `undefined` for anything that is not a message of a link. */
export const fromWire = (message: unknown): LinkMessage | undefined => {
  if (!Array.isArray(message)) return undefined;
  const wire = message as readonly unknown[];
  const [kind, id] = wire;
  if (!isInteger(id)) return undefined;
  switch (kind) {
    case 'call':
    case 'open':
    case 'send':
      return invocationOf(kind, id, wire);
    case 'done': {
      const payload = payloadOf(wire, 2);
      return payload && { kind, id, payload };
    }
    case 'stop':
    case 'fail':
      return endOf(kind, id, wire);
    default:
      return undefined;
  }
};

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

const invocationOf = (
  kind: Invocation['kind'],
  id: number,
  wire: readonly unknown[],
): LinkMessage | undefined => {
  const name = wire[2];
  const callback = wire[3];
  const payload = payloadOf(wire, 4);
  if (payload === undefined || !isInteger(callback)) return undefined;
  if (typeof name === 'string') return { kind, id, target: name, payload };
  return isInteger(name) ? { kind, id, target: [name, callback], payload } : undefined;
};

const endOf = (
  kind: 'stop' | 'fail',
  id: number,
  [, , first, reason]: readonly unknown[],
): LinkMessage | undefined => {
  if (kind === 'stop') return typeof first === 'string' ? { kind, id, reason: first } : undefined;
  if (!FAILURE_CODES.has(first) || typeof reason !== 'string') return undefined;
  return { kind, id, code: first as FailureCode, reason };
};

const payloadOf = (wire: readonly unknown[], at: number): Payload | undefined => {
  for (let index = at; index < wire.length; index += 1)
    if (typeof wire[index] !== 'string') return undefined;
  const [json, ...texts] = wire.slice(at) as readonly string[];
  return json === undefined ? undefined : { json, texts };
};
