import type { Dispatcher } from 'undici';
import { DiscardedBody, decodingReader, pacedReader } from './http-body.ts';
import type { BodyReader, BodySource } from './http-body.ts';
import type { HttpConnections, HttpParts, HttpTarget } from './http-connections.ts';
import { MAX_REDIRECTS, followed, redirectOf } from './http-redirect.ts';

/** The head of an answer. */
export interface HttpHead {
  readonly status: number;
  /** Returns the first header of this name. */
  header(name: string): string | undefined;
  /** The target of a redirect that was not followed. */
  readonly redirect: URL | undefined;
}

/** Receives the outcome of an HTTP request. */
export interface HttpHandler {
  /** Called once. Returns the reader of the body; without one the body is discarded. */
  onHead(head: HttpHead): BodyReader | undefined;
  /** The request failed. Not called after `abort`, or after a reader needed no more chunks. */
  onFailure(error: Error): void;
}

/** Time for an unused body to end by itself, in milliseconds. */
const DROP_MS = 2_000;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Aborts a request before it is written; never visible outside. */
const notWanted = new Error('not wanted any more');

/** One HTTP request with its redirects. */
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

  /** Aborts the request; nothing is reported any more. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#dropTimer);
    this.#controller?.abort(notWanted);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // An error that is thrown here prevents the request and preserves the connection.
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

  /** @param controller absent when the request did not get a connection */
  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    // A redirect whose body was aborted ends here while the next request is pending.
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

  /** Aborts the rest of a body. */
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
    const coding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
    if (coding !== 'identity') this.#decode(coding, reader);
    else if (reader.isStream === true)
      this.#reader = pacedReader(reader, this.#source(), () => {
        if (!this.#over) this.#cut();
      });
    else this.#reader = reader;
  }

  #source(): BodySource {
    const controller = this.#controller;
    const connection = {
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
    };
    return { connection, budget: this.#connections.budget };
  }

  #decode(coding: string, reader: BodyReader): void {
    try {
      this.#reader = decodingReader(coding, reader, this.#source(), (error) => {
        // The whole body may have arrived while its end is still being decoded.
        if (error !== undefined && this.#over) this.#handler.onFailure(error);
        else if (error === undefined) this.abort();
        else this.#fail(error, true);
      });
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)), true);
    }
  }
}
