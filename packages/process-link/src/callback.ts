/** A function that travels as an argument. */
export type Callback = (...args: never[]) => unknown;

/** Options of a one-way callback. */
export interface OneWayOptions {
  /** Calls are dropped while so many characters wait to leave the calling process. Default: no limit. */
  readonly maxUnsent?: number;
}

const LIMIT = Symbol('maxUnsent');

interface Marked {
  [LIMIT]?: number;
}

/**
 * Marks a callback as one-way: the other process calls it without waiting for a result, and the call is dropped when too much is unsent.
 * A callback without this mark is a request, whose result the other process awaits.
 */
export const oneWay = <F extends (...args: never[]) => void>(
  callback: F,
  { maxUnsent = Number.MAX_SAFE_INTEGER }: OneWayOptions = {},
): F => {
  (callback as Marked)[LIMIT] = maxUnsent;
  return callback;
};

/** Returns the limit of a one-way callback; `undefined` for a callback that is a request. */
export const oneWayLimit = (callback: Callback): number | undefined => (callback as Marked)[LIMIT];

/** A signal that never aborts. As an argument it gives the implementation a signal at no cost for the caller. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal;
