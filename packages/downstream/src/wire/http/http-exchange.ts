import type { PooledRequest, ResponseHandler, ResponseHead } from '@gateway/http-client';
import { CopyingBody, DiscardedBody, decodingReader, pacedReader } from './http-body.ts';
import type { BodyReader, BodySource } from './http-body.ts';
import type { HttpConnections, HttpParts, HttpTarget } from './http-connections.ts';
import { MAX_REDIRECTS, followed, redirectOf } from './http-redirect.ts';

/** The head of an answer. */
export interface HttpHead {
  readonly status: number;
  /** Returns the first header of this name. */
  header(name: string): string | undefined;
  /** Number of bytes that the reader of the body gets; `undefined` when it is not known. */
  readonly bytes: number | undefined;
  /** The target of a redirect that was not followed. */
  readonly redirect: URL | undefined;
}

/** Receives the outcome of an HTTP request. */
export interface HttpHandler {
  /** Called once. Returns the reader of the body; without one the body is discarded. */
  onHead(head: HttpHead): BodyReader | undefined;
  /** The request failed. Not called after `abort`, or when no more of the body is needed. */
  onFailure(error: Error): void;
}

/** Time for an unused body to end by itself, in milliseconds. */
const DROP_MS = 2_000;

/** One HTTP request with its redirects. */
export class HttpExchange implements ResponseHandler {
  readonly #connections: HttpConnections;
  readonly #parts: HttpParts;
  readonly #handler: HttpHandler;
  #target: HttpTarget;
  #redirects = 0;
  #next: HttpTarget | undefined;
  #request: PooledRequest | undefined;
  #reader: BodyReader | undefined;
  #dropTimer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(
    connections: HttpConnections,
    target: HttpTarget,
    parts: HttpParts,
    handler: HttpHandler,
  ) {
    this.#connections = connections;
    this.#target = target;
    this.#parts = parts;
    this.#handler = handler;
  }

  send(): void {
    this.#request = this.#connections.send(this.#target, this.#parts, this);
  }

  /** Aborts the request; nothing is reported any more. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#request?.abort();
  }

  /** Closes the connection, whose bytes cannot be believed any more. */
  closeConnection(reason: string): void {
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#request?.closeConnection(new Error(reason));
  }

  onHead(head: ResponseHead): void {
    const { status } = head;
    const redirect = redirectOf(status, head.header('location'), this.#target);
    this.#next = redirect === undefined ? undefined : this.#follow(status, redirect);
    if (this.#next === undefined) this.#read(head, redirect);
    else this.#drop();
  }

  onData(bytes: Buffer): void {
    if (!this.#over && this.#reader?.push(bytes) === false) this.#cut();
  }

  onEnd(): void {
    if (this.#over) return;
    clearTimeout(this.#dropTimer);
    if (this.#goOn()) return;
    this.#over = true;
    this.#reader?.end();
  }

  onFailure(error: Error): void {
    // The handler has its outcome, or the redirect is known: it does not matter how an unused body ends.
    if (this.#reader instanceof DiscardedBody) this.#cut();
    else this.#fail(error, this.#reader !== undefined);
  }

  #fail(error: Error, hasHead: boolean): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#request?.abort();
    if (!hasHead) this.#connections.onNetworkError(error);
    this.#handler.onFailure(error);
  }

  /** Aborts the rest of a body. */
  #cut(): void {
    if (this.#over) return;
    clearTimeout(this.#dropTimer);
    this.#request?.abort();
    this.#over = !this.#goOn();
  }

  #goOn(): boolean {
    const next = this.#next;
    if (next === undefined) return false;
    this.#next = undefined;
    this.#reader = undefined;
    this.#target = next;
    this.#redirects += 1;
    this.send();
    return true;
  }

  #follow(status: number, to: URL): HttpTarget | undefined {
    return this.#redirects < MAX_REDIRECTS
      ? followed(status, to, this.#target, this.#parts.method)
      : undefined;
  }

  #drop(): void {
    this.#reader = new DiscardedBody();
    this.#dropTimer = setTimeout(() => this.#cut(), DROP_MS);
    this.#dropTimer.unref();
  }

  #read(head: ResponseHead, redirect: URL | undefined): void {
    const { status, framing, header } = head;
    const coding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
    const isPlain = coding === 'identity';
    const bytes = isPlain && framing.kind === 'length' ? framing.bytes : undefined;
    this.#connections.onStatus(status);
    const reader = this.#handler.onHead({ status, header, bytes, redirect });
    if (this.#over) return;
    if (reader === undefined) this.#drop();
    else if (!isPlain) this.#decode(coding, reader);
    else if (reader.isStream === true) this.#pace(reader);
    else this.#reader = reader;
  }

  #pace(reader: BodyReader): void {
    const paced = pacedReader(reader, this.#source(), () => {
      if (!this.#over) this.#cut();
    });
    this.#reader = new CopyingBody(paced);
  }

  #source(): BodySource {
    const request = this.#request;
    const connection = {
      pause: () => request?.pause(),
      resume: () => request?.resume(),
    };
    return { connection, budget: this.#connections.budget };
  }

  #decode(coding: string, reader: BodyReader): void {
    try {
      const decoding = decodingReader(coding, reader, this.#source(), (error) => {
        // The whole body may have arrived while its end is still being decoded.
        if (error !== undefined && this.#over) this.#handler.onFailure(error);
        else if (error === undefined) this.abort();
        else this.#fail(error, true);
      });
      this.#reader = new CopyingBody(decoding);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)), true);
    }
  }
}
