import type { Socket } from 'node:net';
import { detached } from './detached.ts';
import { HttpClientError } from './http-client-error.ts';
import type { SocketOpener } from './open-socket.ts';
import { ResponseParser } from './response-parser.ts';
import type { ResponseSink } from './response-parser.ts';
import type { ResponseHead } from './response-head.ts';

/** Receives the response to a request. Nothing is called before the request was returned, and nothing after its end or `abort`. */
export interface ResponseHandler {
  /** The final response begins. Called once. */
  onHead(head: ResponseHead): void;
  /** Receives a part of the body. The bytes are valid during the call only. */
  onData(bytes: Buffer): void;
  /** The response is complete. */
  onEnd(): void;
  /** The request failed. */
  onFailure(error: Error): void;
}

/** A request that a connection carries. */
export interface CarriedRequest {
  /** Its head without its length and its last line. */
  readonly head: string;
  readonly body: string | undefined;
  readonly handler: ResponseHandler;
}

/** The owner of connections. */
export interface ConnectionOwner {
  readonly maxHeadBytes: number;
  /** The connection is open and carries no request. */
  onIdle(connection: Connection): void;
  /** The connection is closed. Called once, before the failure of its request is reported. */
  onClosed(connection: Connection, error: Error): void;
}

/** Time for which an unused connection stays open, in milliseconds, when the server states none. */
const DEFAULT_IDLE_MS = 4_000;
/** A connection is closed this much before the server closes it, because a request could meet the end of the connection. */
const IDLE_MARGIN_MS = 2_000;
const MAX_IDLE_MS = 600_000;

const idleMsOf = ({ keepAliveMs }: ResponseHead): number =>
  keepAliveMs === undefined ? DEFAULT_IDLE_MS : Math.min(keepAliveMs - IDLE_MARGIN_MS, MAX_IDLE_MS);

/** Writes a request in one part: the socket sends it with one call of the system. */
const write = (socket: Socket, { head, body }: CarriedRequest): void => {
  if (body === undefined) {
    socket.write(`${head}\r\n`, 'latin1');
    return;
  }
  const bytes = Buffer.byteLength(body);
  const start = `${head}content-length: ${bytes}\r\n\r\n`;
  // As many bytes as characters: all of them are ASCII.
  if (bytes === body.length) socket.write(start + body, 'latin1');
  else socket.write(Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(body)]));
};

/** One connection, which carries one request at a time. */
export class Connection implements ResponseSink {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #parser: ResponseParser;
  #request: CarriedRequest | undefined;
  #idleMs = DEFAULT_IDLE_MS;
  #isPaused = false;
  #wasIdle = false;
  #isClosed = false;
  #failure: Error | undefined;
  #idleSince = 0;

  constructor(owner: ConnectionOwner, opener: SocketOpener) {
    this.#owner = owner;
    this.#parser = new ResponseParser(owner.maxHeadBytes, this);
    this.#socket = opener.open({
      onOpen: () => this.#rest(),
      onBytes: (bytes) => this.#read(bytes),
      onEnd: () => this.#end(),
      onClose: (error) => this.#close(error),
    });
  }

  /** Returns whether the owner was called because the connection is open. */
  get wasIdle(): boolean {
    return this.#wasIdle;
  }

  /** Returns for how long the connection has had no request, in milliseconds. @param now on the clock of `performance.now()` */
  idleMs(now: number): number {
    return now - this.#idleSince;
  }

  /** Returns for how long requests can be written, in milliseconds. */
  leftMs(now: number): number {
    const isOpen = !this.#isClosed && this.#socket.writable;
    return isOpen ? this.#idleSince + this.#idleMs - now : 0;
  }

  /** Writes a request. */
  carry(request: CarriedRequest): void {
    this.#request = request;
    this.#parser.expect();
    write(this.#socket, request);
  }

  /** Stops reading the response to a request. */
  pause(request: CarriedRequest): void {
    if (this.#request !== request) return;
    this.#isPaused = true;
    this.#socket.pause();
  }

  /** Continues reading the response to a request. */
  resume(request: CarriedRequest): void {
    if (this.#request === request) this.#resume();
  }

  /** Closes the connection. Its request, if it is not withdrawn, fails with the error. */
  destroy(error?: Error): void {
    this.#failure ??= error;
    this.#socket.destroy();
  }

  /** Closes the connection if it carries this request, whose handler is not called any more. */
  withdraw(request: CarriedRequest): void {
    if (this.#request !== request) return;
    this.#request = undefined;
    this.destroy();
  }

  onHead(head: ResponseHead): void {
    this.#idleMs = idleMsOf(head);
    this.#request?.handler.onHead(head);
  }

  onData(bytes: Buffer): void {
    this.#request?.handler.onData(bytes);
  }

  onEnd(isPersistent: boolean): void {
    const request = this.#request;
    this.#request = undefined;
    this.#resume();
    if (isPersistent && this.#canRest()) this.#rest();
    else this.destroy();
    // The connection may carry the next request already, which an error of this handler does not concern.
    if (request !== undefined) detached(() => request.handler.onEnd());
  }

  /** A server that answers before it has read the request may never read the rest of it. A handler may have aborted its request. */
  #canRest(): boolean {
    const { destroyed, writableLength } = this.#socket;
    return !destroyed && writableLength === 0 && this.#idleMs > 0;
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket.resume();
  }

  #rest(): void {
    this.#idleSince = performance.now();
    this.#owner.onIdle(this);
    this.#wasIdle = true;
  }

  #read(bytes: Buffer): void {
    if (this.#socket.destroyed) return;
    try {
      this.#parser.push(bytes);
    } catch (error) {
      this.#break(error);
    }
  }

  #end(): void {
    try {
      this.#parser.end();
      this.destroy();
    } catch (error) {
      this.#break(error);
    }
  }

  /** An error that is not one of this client comes from a handler. Without a request nothing can report it. */
  #break(error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    const hasRequest = this.#request !== undefined;
    this.destroy(failure);
    if (!hasRequest && !(error instanceof HttpClientError)) throw failure;
  }

  #close(error: Error | undefined): void {
    this.#isClosed = true;
    const failure =
      this.#failure ??
      error ??
      new HttpClientError('connection-ended', 'the server closed the connection before its answer');
    const request = this.#request;
    this.#request = undefined;
    this.#owner.onClosed(this, failure);
    if (request !== undefined) detached(() => request.handler.onFailure(failure));
  }
}
