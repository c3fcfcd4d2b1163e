import type { Payload } from './payload.ts';

/** The addressed function: a member of the contract, or a callback of a call that the receiver made. */
export type Target = string | readonly [call: number, callback: number];

/** A message of a link. Calls are numbered by the process that makes them. */
export type LinkMessage =
  /** Calls a function whose result the sender awaits. */
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly target: Target;
      readonly payload: Payload;
    }
  /** Opens a subscription; the implementation returns the function that ends it. */
  | {
      readonly kind: 'open';
      readonly id: number;
      readonly target: Target;
      readonly payload: Payload;
    }
  /** Calls a function without awaiting it. */
  | { readonly kind: 'send'; readonly target: Target; readonly payload: Payload }
  /** Cancels a call or ends a subscription of the sender. */
  | { readonly kind: 'stop'; readonly id: number; readonly reason: string }
  | { readonly kind: 'done'; readonly id: number; readonly payload: Payload }
  | {
      readonly kind: 'fail';
      readonly id: number;
      readonly code: FailureCode;
      readonly reason: string;
    };

/** Reason of a failure that the other process reports. */
export type FailureCode = 'failed' | 'full' | 'invalid-value';

const FAILURE_CODES: ReadonlySet<unknown> = new Set<FailureCode>([
  'failed',
  'full',
  'invalid-value',
]);

/** The form in which a message is sent: flat, because the copying of nested values between processes is slow. */
export type WireMessage = readonly (string | number)[];

/** Returns the form in which a message is sent. */
export const toWire = (message: LinkMessage): WireMessage => {
  switch (message.kind) {
    case 'call':
    case 'open':
      return [message.kind, message.id, ...targetToWire(message.target), ...partsOf(message)];
    case 'send':
      return [message.kind, 0, ...targetToWire(message.target), ...partsOf(message)];
    case 'done':
      return [message.kind, message.id, ...partsOf(message)];
    case 'stop':
      return [message.kind, message.id, message.reason];
    case 'fail':
      return [message.kind, message.id, message.code, message.reason];
  }
};

const partsOf = ({ payload }: { readonly payload: Payload }): readonly string[] => [
  payload.json,
  ...payload.texts,
];

const targetToWire = (target: Target): readonly [string | number, number] =>
  typeof target === 'string' ? [target, 0] : target;

type Reader = (id: number, rest: readonly unknown[]) => LinkMessage | undefined;

const readers: Readonly<Record<LinkMessage['kind'], Reader>> = {
  call: (id, rest) => addressed('call', id, rest),
  open: (id, rest) => addressed('open', id, rest),
  send: (id, rest) => addressed('send', id, rest),
  stop: (id, [reason]) => (typeof reason === 'string' ? { kind: 'stop', id, reason } : undefined),
  done: (id, rest) => {
    const payload = payloadOf(rest);
    return payload && { kind: 'done', id, payload };
  },
  fail: (id, [code, reason]) =>
    FAILURE_CODES.has(code) && typeof reason === 'string'
      ? { kind: 'fail', id, code: code as FailureCode, reason }
      : undefined,
};

/** Parses an incoming message; `undefined` for anything that is not a message of a link. */
export const fromWire = (message: unknown): LinkMessage | undefined => {
  if (!Array.isArray(message)) return undefined;
  const [kind, id, ...rest] = message as readonly unknown[];
  if (typeof kind !== 'string' || !Object.hasOwn(readers, kind)) return undefined;
  if (!Number.isSafeInteger(id)) return undefined;
  return readers[kind as LinkMessage['kind']](id as number, rest);
};

const addressed = (
  kind: 'call' | 'open' | 'send',
  id: number,
  [name, callback, ...parts]: readonly unknown[],
): LinkMessage | undefined => {
  const payload = payloadOf(parts);
  const target = targetOf(name, callback);
  return payload && target !== undefined ? { kind, id, target, payload } : undefined;
};

const targetOf = (name: unknown, callback: unknown): Target | undefined => {
  if (typeof name === 'string') return name;
  return Number.isSafeInteger(name) && Number.isSafeInteger(callback)
    ? [name as number, callback as number]
    : undefined;
};

const payloadOf = (parts: readonly unknown[]): Payload | undefined => {
  if (parts.length === 0 || !parts.every((part) => typeof part === 'string')) return undefined;
  const [json = '', ...texts] = parts as readonly string[];
  return { json, texts };
};
