import type { ClientAnswer } from '@gateway/call-contract';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { declaringFeatures } from './client-features.ts';
import type { ClientFeatures } from './client-features.ts';
import { takeIncoming } from './incoming-messages.ts';
import type { ChangedList, IncomingHandler, IncomingRoutes } from './incoming-messages.ts';
import { createOutgoingRequests } from './outgoing-requests.ts';
import type { OutgoingRequests, OutgoingRequest } from './outgoing-requests.ts';
import { ProbeFallback } from './probe-fallback.ts';
import { modernEnvelope } from './request-meta.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import type { OpenRecord, Wire, WireObserver } from '../wire/wire.ts';

/** Receives the events of a transport. */
export interface TransportObserver {
  readonly onListChanged: (list: ChangedList) => void;
  readonly onError: (error: Error) => void;
  /** Called once, however the transport ended. */
  readonly onClosed: () => void;
  /** Returns why the connection ended, for the requests that end with it. */
  readonly closeReason: () => string;
  /** Handles the server messages for callers; without it the SDK's client answers them. */
  readonly incoming?: IncomingHandler;
}

/** Maximum number of answers to requests of one server that are being sent. */
const MAX_UNSENT_ANSWERS = 64;

/**
 * A transport that the SDK negotiates over and that the gateway then sends its own requests on. The SDK parses results with its schemas and
 * drops or rejects unknown fields; requests of the gateway return results unchanged.
 */
export class InterceptingTransport implements Transport, WireObserver {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly hasPerRequestStream: boolean;
  readonly #wire: Wire;
  readonly #observer: TransportObserver;
  readonly #outgoing: OutgoingRequests;
  readonly #routes: IncomingRoutes;
  #features: ClientFeatures = {};
  #envelope: OpenRecord | undefined;
  #fallback: ProbeFallback | undefined;
  #isModern = false;
  #closed = false;
  #receivedCount = 0;
  #unsentAnswers = 0;

  constructor(wire: Wire, observer: TransportObserver) {
    this.#wire = wire;
    this.#observer = observer;
    this.hasPerRequestStream = wire.hasPerRequestStream;
    this.#outgoing = createOutgoingRequests(
      wire,
      () => this.#envelope,
      () => this.#isModern,
      observer.incoming,
    );
    this.#routes = {
      outgoing: this.#outgoing,
      handler: observer.incoming,
      onListChanged: (list) => observer.onListChanged(list),
      answer: (id, answer) => this.#answer(id, answer),
    };
  }

  get sessionId(): string | undefined {
    return this.#wire.sessionId;
  }

  get isModern(): boolean {
    return this.#isModern;
  }

  /** Number of messages that the server has sent. */
  get receivedCount(): number {
    return this.#receivedCount;
  }

  /** Number of the gateway's own pending requests. */
  get running(): number {
    return this.#outgoing.size;
  }

  /** Adds the envelope of the 2026-07-28 revision to all further requests. */
  useModernEnvelope(version: string, client: { name: string; version: string }): void {
    this.#envelope = modernEnvelope(version, client);
    this.#isModern = true;
  }

  setProtocolVersion(version: string): void {
    this.#wire.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#wire.start(this);
  }

  /** Sets the capabilities that `initialize` declares. */
  declare(features: ClientFeatures): void {
    this.#features = features;
  }

  /** Sends `initialize` too when the server does not answer the era probe within this time, in milliseconds. */
  fallBackAfter(afterMs: number, clientInfo: { name: string; version: string }): void {
    this.#fallback = new ProbeFallback({
      clientInfo,
      afterMs,
      send: (message) => void this.#sendReportingErrors(declaringFeatures(message, this.#features)),
      deliver: (message) => this.onmessage?.(message as unknown as JSONRPCMessage),
    });
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#fallback?.takeOutgoing({ ...message }) === true) return Promise.resolve();
    return this.#wire.send(declaringFeatures(message, this.#features), options);
  }

  async close(): Promise<void> {
    await this.#wire.close();
    this.onClosed();
  }

  /** Sends one request. Never rejects, never sends it twice, and settles by its deadline. */
  request(request: OutgoingRequest): Promise<RequestOutcome> {
    if (!this.#closed) return this.#outgoing.request(request);
    const reason = this.#observer.closeReason();
    return Promise.resolve({ ok: false, failure: { kind: 'lost', reason } });
  }

  onMessage(message: OpenRecord, resultText?: string, owner?: number): void {
    this.#receivedCount += 1;
    try {
      if (this.#fallback?.takeIncoming(message) === true) return;
      if (takeIncoming(message, owner, this.#routes, resultText)) return;
      // Only the shape of the envelope is checked; the SDK's client validates the rest.
      this.onmessage?.(message as unknown as JSONRPCMessage);
    } catch (error) {
      // A message that is nested too deeply to serialize must not end the process.
      this.#observer.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  onError(error: Error): void {
    this.#observer.onError(error);
    this.onerror?.(error);
  }

  onGap(): void {
    // Any list change causes all lists to be read again.
    this.#observer.onListChanged('tools');
  }

  onClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#fallback?.close();
    this.#outgoing.end(this.#observer.closeReason());
    this.onclose?.();
    this.#observer.onClosed();
  }

  /** A server that sends requests faster than it takes the answers does not get all of them. */
  #answer(id: string | number, answer: ClientAnswer): void {
    if (this.#unsentAnswers >= MAX_UNSENT_ANSWERS) return;
    const message: JSONRPCMessage = answer.ok
      ? { jsonrpc: '2.0', id, result: { ...answer.result } }
      : { jsonrpc: '2.0', id, error: { ...answer.error } };
    this.#unsentAnswers += 1;
    void this.#sendReportingErrors(message).then(() => (this.#unsentAnswers -= 1));
  }

  #sendReportingErrors(message: JSONRPCMessage): Promise<void> {
    return this.#wire.send(message).catch((error: unknown) => {
      this.#observer.onError(error instanceof Error ? error : new Error(String(error)));
    });
  }
}

/** An intercepting transport for stdio. The SDK recognizes stdio by these two properties. */
export class StdioInterceptingTransport extends InterceptingTransport {
  readonly stderr = null;
  readonly pid = null;
}
