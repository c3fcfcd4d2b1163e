import { RPC_CODE } from '@gateway/call-contract';
import {
  createLineSplitter,
  isRpcId,
  type RpcId,
  decodeText,
  LISTEN_METHOD,
} from '@gateway/mcp-wire';
import type { Readable, Writable } from 'node:stream';
import {
  type BridgeFailure,
  formatBridgeFailure,
  discard,
  findStatusFailure,
  Endpoint,
  type EndpointOptions,
  MAX_MESSAGE_BYTES,
} from './endpoint.ts';
import { Exchanges, BridgeSubscriptions } from './exchanges.ts';
import {
  parseClientMessage,
  type ClientMessage,
  type ClientNotice,
  ClientOutput,
  PendingRequest,
} from './messages.ts';
import {
  DEFAULT_PATIENCE,
  LegacySession,
  type BridgeParts,
  type Patience,
  StandingStream,
} from './session.ts';

const MAX_BACKLOG_BYTES = 16 * 1024 * 1024;

/** Messages up to this size have room of their own, so that large ones do not stop cancellations. */
const SMALL_BYTES = 4 * 1024;
const ROOM_OF_SMALL_BYTES = 1024 * 1024;

class Backlog {
  readonly #onFull: (isFull: boolean) => void;
  #bytes = 0;
  #isFull = false;

  /** @param onFull receives each change: `true` above the bound */
  constructor(onFull: (isFull: boolean) => void) {
    this.#onFull = onFull;
  }

  hasRoom(bytes: number): boolean {
    const room = bytes > SMALL_BYTES ? 0 : ROOM_OF_SMALL_BYTES;
    return this.#bytes + bytes <= MAX_BACKLOG_BYTES + room;
  }

  hold(bytes: number, work: Promise<void>): void {
    this.#change(bytes);
    const release = (): void => this.#change(-bytes);
    work.then(release, release);
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    const isFull = this.#bytes > MAX_BACKLOG_BYTES;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#onFull(isFull);
  }
}

/** The memory of a waiting notification, and of a response with its connection, besides their text, in bytes. */
const NOTIFICATION_BYTES = 1_024;
const RESPONSE_BYTES = 65_536;

class Notices {
  readonly #session: LegacySession;
  readonly #parts: BridgeParts;
  readonly #backlog = new Backlog(() => undefined);
  /** True when the last notice found no room. */
  #isDropping = false;
  readonly #onSent: (notice: ClientNotice) => void;
  /** Notifications are sent one after the other. */
  #queue: Promise<void> = Promise.resolve();

  constructor(
    session: LegacySession,
    parts: BridgeParts,
    /** Receives a notice that was sent, and one that was dropped because the gateway did not take it. */
    onSent: (notice: ClientNotice) => void,
  ) {
    this.#session = session;
    this.#parts = parts;
    this.#onSent = onSent;
  }

  /**
   * Sends a notice. One that the gateway does not take within the time for a restart is dropped, and one for which there is no room: the input
   * must be read for requests, cancellations and its end.
   */
  send(notice: ClientNotice): void {
    const bytes = Buffer.byteLength(notice.line);
    if (!this.#backlog.hasRoom(bytes)) {
      this.#drop(notice);
      return;
    }
    this.#isDropping = false;
    // A response must not wait for a notification that the gateway does not take.
    if (notice.kind === 'response') {
      this.#backlog.hold(bytes + RESPONSE_BYTES, this.#post(notice));
      return;
    }
    const since = performance.now();
    this.#queue = this.#queue.then(() => this.#postInTime(notice, since));
    this.#backlog.hold(bytes + NOTIFICATION_BYTES, this.#queue);
  }

  #drop(notice: ClientNotice): void {
    if (!this.#isDropping)
      this.#parts.log('notifications or responses were dropped: too many wait for the gateway');
    this.#isDropping = true;
    this.#onSent(notice);
  }

  async #postInTime(notice: ClientNotice, since: number): Promise<void> {
    const { totalMs } = this.#parts.patience;
    if (performance.now() - since < totalMs) {
      await this.#post(notice);
      return;
    }
    this.#parts.log('a notification was dropped: the gateway took none in time');
    this.#onSent(notice);
  }

  async #post(notice: ClientNotice): Promise<void> {
    const { endpoint, signal, patience } = this.#parts;
    const { id } = this.#session;
    const ending = AbortSignal.any([signal, AbortSignal.timeout(patience.totalMs)]);
    const sent = await endpoint.post(notice.line, notice, ending);
    if (sent.ok) {
      discard(sent.answer);
      if (sent.answer.status === 404 && id !== undefined) void this.#session.renew(id);
    }
    this.#onSent(notice);
  }
}

export interface BridgeOptions extends EndpointOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Receives one line per event of the connection; it contains no content of messages. */
  readonly log: (text: string) => void;
  readonly patience?: Partial<Patience>;
}

/** How a bridge ended: by the client or the signal, or because there was no gateway at its start. */
type BridgeEnd = { readonly ok: true } | { readonly ok: false; readonly text: string };

const MAX_PENDING = 1_000;

const MAX_PENDING_BYTES = 128 * 1024 * 1024;

const REFUSAL_BYTES = 1_024;

const PROBE_MS = 10_000;
const GOODBYE_MS = 2_000;

/** Returns why there is no gateway at the address; `undefined` when one answers. */
const probe = async (endpoint: Endpoint): Promise<BridgeFailure | undefined> => {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), PROBE_MS);
  const sent = await endpoint.listen(undefined, ended.signal);
  clearTimeout(timer);
  if (!sent.ok) {
    return ended.signal.aborted
      ? { code: 'unreachable', reason: 'no answer in time' }
      : sent.failure;
  }
  discard(sent.answer);
  ended.abort();
  return findStatusFailure(sent.answer.status);
};

class Bridge {
  readonly #endpoint: Endpoint;
  readonly #output: ClientOutput;
  readonly #session: LegacySession;
  readonly #exchanges: Exchanges;
  readonly #subscriptions: BridgeSubscriptions;
  readonly #standing: StandingStream;
  readonly #pending = new Set<PendingRequest>();
  readonly #ending = new AbortController();
  readonly #notices: Notices;
  readonly #refusals: Backlog;
  #pendingBytes = 0;

  constructor(options: BridgeOptions, endpoint: Endpoint) {
    const { signal } = this.#ending;
    this.#endpoint = endpoint;
    this.#output = new ClientOutput(options.output, () => this.#ending.abort());
    const patience = { ...DEFAULT_PATIENCE, ...options.patience };
    const parts = { endpoint, output: this.#output, patience, signal, log: options.log };
    this.#session = new LegacySession(parts);
    this.#exchanges = new Exchanges(this.#session, parts);
    this.#subscriptions = new BridgeSubscriptions(this.#exchanges, parts);
    this.#standing = new StandingStream(this.#session, parts);
    // The end of a client that does not read is seen at its output.
    this.#refusals = new Backlog((isFull) => {
      if (isFull) options.input.pause();
      else options.input.resume();
    });
    this.#notices = new Notices(this.#session, parts, ({ method }) => {
      if (method === 'notifications/initialized') this.#standing.start();
    });
  }

  async serve({ input, signal }: Pick<BridgeOptions, 'input' | 'signal'>): Promise<void> {
    const end = (): void => this.#ending.abort();
    const lines = createLineSplitter(MAX_MESSAGE_BYTES, (line) => {
      const text = decodeText(line);
      if (text.trim() !== '') this.#take(parseClientMessage(text));
    });
    input.on('data', (chunk: Buffer) => {
      if (!lines.push(chunk).ok) end();
    });
    input.once('end', end).once('close', end).once('error', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    await this.#waitForEnd();
    input.destroy();
    for (const pending of this.#pending) pending.end();
    if (this.#session.id !== undefined)
      await this.#endpoint.endSession(AbortSignal.timeout(GOODBYE_MS));
  }

  #waitForEnd(): Promise<void> {
    const { signal } = this.#ending;
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve());
    });
  }

  #take(message: ClientMessage): void {
    switch (message.kind) {
      case 'request':
      case 'batch':
        void this.#run(new PendingRequest(message));
        break;
      case 'notification':
      case 'response':
        this.#pass(message);
        break;
      case 'not-valid':
        this.#refuse(null, 'the line is not a message of JSON-RPC', RPC_CODE.parse);
        break;
    }
  }

  async #run(pending: PendingRequest): Promise<void> {
    const bytes = Buffer.byteLength(pending.line);
    const failure = this.#findRefusal(bytes);
    if (failure !== undefined) {
      for (const id of pending.open) this.#refuse(id, formatBridgeFailure(failure, ''));
      return;
    }
    this.#pending.add(pending);
    this.#pendingBytes += bytes;
    const isListening = pending.isModern && pending.method === LISTEN_METHOD;
    await (isListening ? this.#subscriptions : this.#exchanges).run(pending);
    this.#pending.delete(pending);
    this.#pendingBytes -= bytes;
  }

  #findRefusal(bytes: number): BridgeFailure | undefined {
    if (this.#pending.size >= MAX_PENDING)
      return { code: 'too-many', limit: `${String(MAX_PENDING)} requests` };
    const isFull = this.#pending.size > 0 && this.#pendingBytes + bytes > MAX_PENDING_BYTES;
    return isFull ? { code: 'too-many', limit: '128 MiB of requests' } : undefined;
  }

  #refuse(id: RpcId | null, text: string, code?: number): void {
    this.#refusals.hold(REFUSAL_BYTES, this.#output.fail(id, text, code));
  }

  #pass(notice: ClientNotice): void {
    if (notice.method === 'notifications/cancelled' && this.#cancel(notice)) return;
    this.#notices.send(notice);
  }

  /** Ends a request. Returns `true` for one of 2026-07-28, whose end the gateway sees at its connection. */
  #cancel({ params }: ClientNotice): boolean {
    const id = params?.['requestId'];
    if (!isRpcId(id)) return false;
    for (const pending of this.#pending) {
      if (!pending.open.has(id)) continue;
      pending.isCancelled = true;
      if (pending.isModern) pending.end();
      return pending.isModern;
    }
    return false;
  }
}

/**
 * Connects a client on a pair of streams to a gateway over Streamable HTTP until the client's stream ends or the signal aborts. Messages
 * of both revisions are passed on unchanged. Never rejects.
 *
 * @returns the reason when no gateway answered at the start
 */
export const runBridge = async (options: BridgeOptions): Promise<BridgeEnd> => {
  const endpoint = new Endpoint(options);
  try {
    const failure = await probe(endpoint);
    if (failure !== undefined)
      return { ok: false, text: formatBridgeFailure(failure, endpoint.url) };
    await new Bridge(options, endpoint).serve(options);
    return { ok: true };
  } finally {
    await endpoint.close();
  }
};
