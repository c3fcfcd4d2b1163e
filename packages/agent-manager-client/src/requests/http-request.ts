import type { PathArguments } from './find-operation.ts';

/** A request over REST whose operation is found. */
export interface HttpRequest {
  readonly path: PathArguments;
  /** The encoded query without the question mark; `''` without a query. */
  readonly query: string;
  /** The bytes of the body; empty without one. */
  readonly body: Uint8Array;
}

/** A request over REST to be sent. */
export interface HttpCall {
  readonly method: string;
  /** From the server's root, encoded, with the query. */
  readonly target: string;
  /** JSON; `undefined` without a body. */
  readonly body: string | undefined;
}
