import { ANONYMOUS, isJsonObject, type RpcError } from '@gateway/call-contract';
import {
  createLineSplitter,
  formatErrorMessage,
  joinText,
  toOneLine,
  readRpcId,
  type RpcId,
  type Era,
} from '@gateway/mcp-wire';
import { classifyInboundRequest, type JSONRPCRequest } from '@modelcontextprotocol/server';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { ServiceProtocol } from '../calls/service-protocol.ts';
import { dropNullMembers, isPlainLegacyBody, isRequest } from '../protocol/client-message.ts';
import { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from '../protocol/limits.ts';
import type { McpService } from '../protocol/mcp-service.ts';
import { ASSUMED_REVISION, type ResponseSink, type SettledResponse } from '../protocol/results.ts';
import { refuseRevision } from '../protocol/modern-message.ts';
import { type EndpointRefusal, toRpcError } from '../protocol/refusal.ts';
import type { HeaderReader } from '../protocol/client-message.ts';
import { createEndpointParts } from '../sessions/endpoint-parts.ts';
import type { Session } from '../sessions/session-store.ts';
import { parseBody } from '../wire/request-body.ts';

/** How to serve over a pair of streams. */
export interface ServeStdioOptions {
  /** Default: the standard input of the process. */
  readonly input?: Readable;
  /** Default: the standard output of the process. */
  readonly output?: Writable;
  /** Answers `RequestContext.header` in place of the headers of an HTTP request. */
  readonly header?: HeaderReader;
  readonly limits?: Partial<McpHttpLimits>;
  /** Called with errors that callers receive as an internal error, and with those of the streams. */
  readonly onError?: (error: unknown) => void;
}

/** A service on standard input and output. */
export interface StdioServing {
  /** Resolves once the client has closed its end or `close` was called. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves one client over standard input and output, one JSON message per line, in every revision. */
export const serveStdio = (service: McpService, options: ServeStdioOptions = {}): StdioServing =>
  new StdioConnection(service, options);

/** The name of the only client of a connection. */
const ONLY_CLIENT = 'connection';

/** The connection of one client: its requests take the same route as those over HTTP. */
class StdioConnection implements StdioServing {
  readonly closed: Promise<void>;
  readonly #protocol: ServiceProtocol;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #header: HeaderReader;
  /** The requests that have no response yet. */
  readonly #open = new Map<RpcId, LineSink>();
  #session: Session | undefined;
  #isClosing = false;
  #isClosed = false;
  #onClosed = (): void => undefined;

  constructor(service: McpService, options: ServeStdioOptions) {
    const { input = process.stdin, output = process.stdout, header = () => undefined } = options;
    const { onError = () => undefined } = options;
    const limits = { ...DEFAULT_MCP_HTTP_LIMITS, ...options.limits };
    const parts = createEndpointParts({ service, limits, onError }, {});
    this.#protocol = new ServiceProtocol(parts, undefined);
    this.#input = input;
    this.#output = output;
    this.#header = header;
    this.closed = new Promise((resolve) => {
      this.#onClosed = resolve;
    });
    const splitter = createLineSplitter(limits.maxBodyBytes, (line) => this.#take(line));
    this.#onData = (chunk) => {
      if (splitter.push(chunk).ok) return;
      this.#refuse({ code: 'body-too-large', limit: limits.maxBodyBytes }, null);
      this.#end();
    };
    input.on('data', this.#onData).on('error', onError).on('end', this.#end).on('close', this.#end);
    output.on('error', onError).on('error', this.#end);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  readonly close = async (): Promise<void> => {
    if (this.#isClosing) return this.closed;
    this.#isClosing = true;
    const { parts } = this.#protocol;
    this.#protocol.close();
    parts.service.clientEnded?.(ONLY_CLIENT);
    // Streams for changes end with a result, which is written in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    this.#isClosed = true;
    this.#input.off('data', this.#onData).off('end', this.#end).off('close', this.#end);
    if (this.#input.listenerCount('data') === 0) this.#input.pause();
    this.#onClosed();
  };

  #onData: (chunk: Buffer) => void = () => undefined;

  readonly #end = (): void => void this.close();

  readonly #write = (message: string): void => {
    if (!this.#isClosed) this.#output.write(`${toOneLine(message)}\n`);
  };

  #take(line: Uint8Array): void {
    if (this.#isClosing) return;
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    const { parts } = this.#protocol;
    const read = parseBody(bytes, parts.limits);
    if (read.kind === 'refused') {
      // A line that is not JSON is passed over: a terminal or a wrapper may write one.
      if (read.refusal.code !== 'not-json') this.#refuse(read.refusal, null);
      return;
    }
    try {
      this.#receive(read.value);
    } catch (error) {
      parts.onError(error);
      this.#refuse({ code: 'internal' }, readRpcId(read.value));
    }
  }

  #receive(message: unknown): void {
    dropNullMembers(message);
    if (isPlainLegacyBody(message)) this.#answer('legacy', message);
    else if (Array.isArray(message)) this.#refuse({ code: 'batch-on-stream' }, null);
    else this.#receiveUnusual(message);
  }

  /** Receives a message that is no plain request of the 2025 era, as the SDK classifies it. */
  #receiveUnusual(message: unknown): void {
    const route = classifyInboundRequest({ httpMethod: 'POST', body: message });
    switch (route.kind) {
      case 'reject':
        this.#refuseMessage(message, route);
        return;
      case 'modern': {
        const error = refuseRevision(route);
        if (error !== undefined) this.#refuseMessage(message, error);
        else if (route.messageKind === 'request') this.#answer('modern', route.message);
        else this.#cancel(message);
        return;
      }
      case 'legacy':
        if (isRequest(message)) this.#answer('legacy', message);
        else {
          this.#protocol.receive(this.#session, message);
          this.#cancel(message);
        }
    }
  }

  #answer(era: Era, request: JSONRPCRequest): void {
    const session = era === 'legacy' ? this.#openSession() : undefined;
    if (era === 'legacy' && request.method === 'initialize') {
      this.#initialize(request, session);
      return;
    }
    const exchange = new LineSink(this.#write, () => {
      if (this.#open.get(request.id) === exchange) this.#open.delete(request.id);
    });
    this.#open.set(request.id, exchange);
    const scope = { era, principal: ANONYMOUS, session, header: this.#header, exchange };
    this.#protocol.answer({ request, scope: { ...scope, client: ONLY_CLIENT } });
  }

  /** Returns the session, which starts with the first request of the 2025 era: other clients subscribe to each notification. */
  #openSession(): Session | undefined {
    if (this.#session !== undefined) return this.#session;
    const { parts, channels } = this.#protocol;
    this.#session = parts.sessions.create(ASSUMED_REVISION);
    const reader = { principal: ANONYMOUS, header: this.#header };
    const stream = { notify: this.#write, end: () => undefined, announceStop: () => undefined };
    if (this.#session !== undefined) channels.attach(this.#session, reader, stream);
    return this.#session;
  }

  /** A client that initializes again declares its features again; everything else of its session stays. */
  #initialize(request: JSONRPCRequest, session: Session | undefined): void {
    const initialized = this.#protocol.initialize(request, ANONYMOUS.key, session);
    if (!initialized.ok) this.#refuse(initialized.refusal, request.id);
    else if (initialized.settled.message !== undefined)
      this.#write(joinText(initialized.settled.message));
  }

  /** Ends a request that its client has cancelled. */
  #cancel(message: unknown): void {
    if (!isJsonObject(message) || message['method'] !== 'notifications/cancelled') return;
    const { params } = message;
    const id = isJsonObject(params) ? params['requestId'] : undefined;
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.disconnect();
  }

  /** Answers a message that the protocol does not permit; one without an id gets no answer. */
  #refuseMessage(message: unknown, { code, message: text, data }: RpcError): void {
    const id = readRpcId(message);
    const error = { code, message: text, ...(data !== undefined && { data }) };
    if (id === null) this.#protocol.parts.onError(new Error(text));
    else this.#write(formatErrorMessage(id, error));
  }

  #refuse(refusal: EndpointRefusal, id: RpcId | null): void {
    this.#write(formatErrorMessage(id, toRpcError(refusal)));
  }
}

/** The channel back to the caller of one request. */
class LineSink implements ResponseSink {
  readonly canStream = true;
  readonly notify: (message: string) => void;
  readonly #onSettled: () => void;
  #listener: (() => void) | undefined;

  constructor(write: (message: string) => void, onSettled: () => void) {
    this.notify = write;
    this.#onSettled = onSettled;
  }

  send(message: string): boolean {
    this.notify(message);
    return true;
  }

  /** Does nothing: a connection that is not HTTP needs no comments. */
  keepAlive(): void {
    return undefined;
  }

  settle({ message }: SettledResponse): void {
    this.#onSettled();
    if (message !== undefined) this.notify(joinText(message));
  }

  onDisconnect(listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  }

  /** Records that the client has cancelled the request. */
  disconnect(): void {
    this.#listener?.();
  }
}
