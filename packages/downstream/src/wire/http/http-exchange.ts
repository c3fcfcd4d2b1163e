import type { Dispatcher } from 'undici';
import { DiscardedBody, decodingReader } from './http-body.ts';
import type { BodyReader } from './http-body.ts';
import type { HttpConnections, HttpParts, HttpTarget } from './http-connections.ts';
import { MAX_REDIRECTS, followed, redirectOf } from './http-redirect.ts';

/** The head of an answer. */
export interface HttpHead {
  readonly status: number;
  /** A header line, the first of its name. */
  header(name: string): string | undefined;
  /** Where the answer points to instead of being one, when that was not followed. */
  readonly redirect: URL | undefined;
}

/** Learns what an HTTP request comes to. */
export interface HttpHandler {
  /** Once. Answers who takes the body; nobody does without. */
  onHead(head: HttpHead): BodyReader | undefined;
  /** No answer, or none any more. Not called after `abort`, nor after a reader wanted no more. */
  onFailure(error: Error): void;
}

/** A body that nobody reads is given this many milliseconds to end by itself. */
const DROP_MS = 2_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Ends a request before it is written; nobody sees it. */
const notWanted = new Error('not wanted any more');

/** One HTTP request with the redirects that it leads through. */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #connections: HttpConnections;
  readonly #parts: HttpParts;
  readonly #handler: HttpHandler;
  #target: HttpTarget;
  #redirects = 0;
  #next: HttpTarget | undefined;
  #controller: Dispatcher.DispatchController | undefined;
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
    this.#connections.dispatch(this.#target, this.#parts, this);
  }

  /** Ends it; nothing is reported any more. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(notWanted);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // What is thrown here keeps the request from being written, and the connection whole.
    if (this.#over) throw notWanted;
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    if (status < 200 || this.#over) return;
    const redirect = redirectOf(status, headers['location'], this.#target);
    this.#next = redirect === undefined ? undefined : this.#follow(status, redirect);
    if (this.#next === undefined) this.#read({ status, headers, redirect });
    else this.#drop();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#over && this.#reader?.push(chunk) === false) this.#cut();
  }

  onResponseEnd(): void {
    if (this.#over) return;
    clearTimeout(this.#dropTimer);
    if (this.#goOn()) return;
    this.#over = true;
    this.#reader?.end();
  }

  /** @param controller absent when the request never came to a connection */
  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    // A redirect whose body was cut off ends like this when the next request is under way.
    if (controller === this.#controller) this.#fail(error, this.#reader !== undefined);
  }

  #fail(error: Error, hasHead: boolean): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(notWanted);
    if (!hasHead) this.#connections.onNetworkError(error);
    this.#handler.onFailure(error);
  }

  /** Leaves the rest of a body unread. */
  #cut(): void {
    const controller = this.#controller;
    clearTimeout(this.#dropTimer);
    this.#over = !this.#goOn();
    controller?.abort(notWanted);
  }

  #goOn(): boolean {
    const next = this.#next;
    if (next === undefined) return false;
    this.#next = undefined;
    this.#reader = undefined;
    this.#controller = undefined;
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

  #read(answer: {
    readonly status: number;
    readonly headers: Headers;
    readonly redirect: URL | undefined;
  }): void {
    const { status, headers, redirect } = answer;
    const header = (name: string): string | undefined => {
      const value = headers[name];
      return typeof value === 'object' ? value[0] : value;
    };
    this.#connections.onStatus(status, this.#parts.method);
    const reader = this.#handler.onHead({ status, header, redirect });
    if (reader === undefined) {
      this.#drop();
      return;
    }
    this.#reader = reader;
    const coding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
    if (coding !== 'identity') this.#decode(coding, reader);
  }

  #decode(coding: string, reader: BodyReader): void {
    try {
      this.#reader = decodingReader(coding, reader, (error) => {
        // All of the body may be here already while its end is still being decoded.
        if (error !== undefined && this.#over) this.#handler.onFailure(error);
        else if (error === undefined) this.abort();
        else this.#fail(error, true);
      });
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)), true);
    }
  }
}
