import type { CarriedRequest, Connection, ResponseHandler } from './connection.ts';
import { detached } from './detached.ts';

/** A request that was handed to a pool, and its connection once it has one. */
export class PooledRequest implements CarriedRequest {
  readonly head: string;
  readonly body: string | undefined;
  readonly handler: ResponseHandler;
  /** Called when the request is aborted before it has a connection. */
  onAbort: (() => void) | undefined;
  #connection: Connection | undefined;
  #isOver = false;

  constructor({ head, body, handler }: CarriedRequest) {
    this.head = head;
    this.body = body;
    this.handler = handler;
  }

  /** Ends the request and its connection; its handler is not called any more. */
  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#connection === undefined) this.onAbort?.();
    else this.#connection.withdraw(this);
  }

  /**
   * Closes its connection, also after its response: what that said belongs to something else, and so would all further responses. A request
   * that the connection carries by now fails with the error.
   */
  closeConnection(error: Error): void {
    this.#isOver = true;
    this.#connection?.destroy(error);
  }

  /** Stops reading its response. */
  pause(): void {
    this.#connection?.pause(this);
  }

  /** Continues reading its response. */
  resume(): void {
    this.#connection?.resume(this);
  }

  /** Writes the request. */
  start(connection: Connection): void {
    this.#connection = connection;
    connection.carry(this);
  }

  /** Reports a failure before the request has a connection. */
  fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    detached(() => this.handler.onFailure(error));
  }
}
