import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { RequestOptions } from './call.ts';
import { modernEnvelope, outgoingMeta } from './request-meta.ts';
import { failureOfSend, outcomeOfAnswer } from './request-outcome.ts';
import type { RequestFailure, RequestOutcome } from './request-outcome.ts';

/** Which of a server's lists changed. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** What the tap reports of a connection. */
export interface TapObserver {
  readonly onListChanged: (list: ChangedList) => void;
  readonly onError: (error: Error) => void;
  /** Once, however the transport ended. */
  readonly onClosed: () => void;
  /** Why the connection ended, for the requests that end with it. */
  readonly closeReason: () => string;
}

/** One request, as the tap sends it. */
export interface TapRequest extends RequestOptions {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** HTTP headers that the protocol derives from the arguments. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Pending {
  readonly settle: (outcome: RequestOutcome) => void;
  readonly onProgress: RequestOptions['onProgress'];
}

type OpenRecord = Readonly<Record<string, unknown>>;

/** The SDK counts its own request ids from 0; these start where it never gets to, and fit 31 bits. */
const FIRST_ID = 1_000_000_000;
const LAST_ID = 2_000_000_000;
/** A server that leaves its answered stream open has it closed after this many milliseconds. */
const ANSWERED_STREAM_MS = 2_000;

const CHANGED_LISTS: ReadonlyMap<string, ChangedList> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
]);

/**
 * A transport that the SDK negotiates through, and on which the gateway then asks by itself. The SDK reads every result
 * through the schemas it knows and so drops or refuses what it does not know; here an answer comes back as it was sent.
 */
export class TapTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly hasPerRequestStream: boolean;
  readonly #inner: Transport;
  readonly #observer: TapObserver;
  readonly #pending = new Map<number, Pending>();
  #nextId = FIRST_ID;
  #envelope: OpenRecord = {};
  #closed = false;

  constructor(inner: Transport, observer: TapObserver) {
    this.#inner = inner;
    this.#observer = observer;
    this.hasPerRequestStream = inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get isModern(): boolean {
    return Object.keys(this.#envelope).length > 0;
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  /** From here on requests carry the envelope of the 2026-07-28 revision. */
  useModernEnvelope(version: string, client: { name: string; version: string }): void {
    this.#envelope = modernEnvelope(version, client);
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    this.#inner.onmessage = (message, extra) => this.#receive(message, extra);
    this.#inner.onerror = (error) => {
      this.#observer.onError(error);
      this.onerror?.(error);
    };
    this.#inner.onclose = () => this.#finish();
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  async close(): Promise<void> {
    await this.#inner.close();
    this.#finish();
  }

  /** Sends one request. Never rejects, never asks twice, and settles by its deadline at the latest. */
  request(request: TapRequest): Promise<RequestOutcome> {
    if (request.signal?.aborted === true) return Promise.resolve(failed({ kind: 'cancelled' }));
    if (this.#closed)
      return Promise.resolve(failed({ kind: 'lost', reason: this.#observer.closeReason() }));
    return new Promise((resolve) => this.#exchange(request, resolve));
  }

  #exchange(request: TapRequest, resolve: (outcome: RequestOutcome) => void): void {
    const id = this.#newId();
    const stream = new AbortController();
    let sent = false;
    let streamEnded = false;
    const settle = (outcome: RequestOutcome): void => {
      if (!this.#pending.delete(id)) return;
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
      if (sent && !streamEnded && this.hasPerRequestStream)
        setTimeout(() => stream.abort(), ANSWERED_STREAM_MS).unref();
      resolve(outcome);
    };
    const giveUp = (failure: RequestFailure): void => {
      if (!this.#pending.has(id)) return;
      settle(failed(failure));
      this.#tellCancelled(id, cancellationText(failure, request.signal));
      stream.abort();
    };
    const onAbort = (): void => giveUp({ kind: 'cancelled' });
    const { timeoutMs } = request;
    const timer = setTimeout(() => giveUp({ kind: 'timeout', timeoutMs }), timeoutMs);
    request.signal?.addEventListener('abort', onAbort, { once: true });
    this.#pending.set(id, { settle, onProgress: request.onProgress });
    const options: TransportSendOptions = {
      requestSignal: stream.signal,
      onRequestStreamEnd: () => {
        streamEnded = true;
        settle(failed({ kind: 'lost', reason: 'the answer ended before it was complete' }));
      },
      ...(request.headers === undefined ? {} : { headers: request.headers }),
    };
    this.#inner.send(this.#message(id, request), options).then(
      () => {
        sent = true;
      },
      (error: unknown) => settle(failed(failureOfSend(error))),
    );
  }

  #newId(): number {
    const id = this.#nextId;
    this.#nextId = id >= LAST_ID ? FIRST_ID : id + 1;
    return id;
  }

  #message(id: number, request: TapRequest): JSONRPCMessage {
    const progress = request.onProgress === undefined ? {} : { progressToken: id };
    const meta = outgoingMeta(request.meta, { ...this.#envelope, ...progress });
    const params = meta === undefined ? request.params : { ...request.params, _meta: meta };
    return { jsonrpc: '2.0', id, method: request.method, params };
  }

  #tellCancelled(id: number, why: string): void {
    // A modern HTTP server sees the end of the request's own stream instead.
    if (this.isModern && this.hasPerRequestStream) return;
    const params = { requestId: id, reason: why };
    const meta = outgoingMeta(undefined, this.#envelope);
    this.#inner
      .send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: meta === undefined ? params : { ...params, _meta: meta },
      })
      // The peer is gone, which is what was wanted of it.
      .catch(() => undefined);
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (this.#takeAnswer(message) || this.#takeProgress(message)) return;
    if ('method' in message) {
      const changed = CHANGED_LISTS.get(message.method);
      if (changed !== undefined) this.#observer.onListChanged(changed);
    }
    this.onmessage?.(message, extra);
  }

  #takeAnswer(message: OpenRecord): boolean {
    const { id } = message;
    if (typeof id !== 'number' || id < FIRST_ID || Object.hasOwn(message, 'method')) return false;
    // An answer that nobody waits for any more ends here.
    this.#pending.get(id)?.settle(outcomeOfAnswer(message));
    return true;
  }

  #takeProgress(message: OpenRecord): boolean {
    if (message['method'] !== 'notifications/progress') return false;
    const { params } = message;
    if (typeof params !== 'object' || params === null) return false;
    const { progressToken, ...progress } = params as OpenRecord;
    if (typeof progressToken !== 'number' || progressToken < FIRST_ID) return false;
    if (isProgress(progress)) this.#pending.get(progressToken)?.onProgress?.(progress);
    return true;
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    const reason = this.#observer.closeReason();
    for (const pending of [...this.#pending.values()])
      pending.settle(failed({ kind: 'lost', reason }));
    this.onclose?.();
    this.#observer.onClosed();
  }
}

/** A tap on a child's standard streams; the SDK tells them by these two names. */
export class StdioTapTransport extends TapTransport {
  readonly stderr = null;
  readonly pid = null;
}

const MAX_CANCELLATION_CHARS = 200;

/** Why a request is given up, for the server's eyes. The cut leaves no half of a surrogate pair. */
const cancellationText = ({ kind }: RequestFailure, signal: AbortSignal | undefined): string => {
  const reason: unknown = kind === 'cancelled' ? signal?.reason : undefined;
  const text = reason instanceof Error ? reason.message : reason;
  if (typeof text !== 'string' || text === '') return kind;
  return text.slice(0, MAX_CANCELLATION_CHARS).replace(/[\ud800-\udbff]$/u, '');
};

const failed = (failure: RequestFailure): RequestOutcome => ({ ok: false, failure });

const isProgress = (
  value: OpenRecord,
): value is OpenRecord & { readonly progress: number; readonly total?: number } =>
  typeof value['progress'] === 'number';
