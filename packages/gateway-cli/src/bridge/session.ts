import { LIST_CHANGED, type WatchedList } from '@gateway/mcp-wire';
import {
  computeBackoffDelay,
  isJsonObject,
  type JsonObject,
  toObject,
} from '@gateway/call-contract';
import { setTimeout as pause } from 'node:timers/promises';
import { type HttpAnswer, discard, type Endpoint, readStream } from './endpoint.ts';
import { type ClientOutput, type BridgeRequest, readResponse } from './messages.ts';

export interface Patience {
  /** The first wait; doubled up to `maxWaitMs`. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  readonly totalMs: number;
}

/** Waits that cover the restart of a gateway. */
export const DEFAULT_PATIENCE: Patience = { firstWaitMs: 200, maxWaitMs: 5_000, totalMs: 30_000 };

export class Waits {
  readonly #patience: Patience;
  readonly #until: number;
  #waits = 0;

  constructor(patience: Patience) {
    this.#patience = patience;
    this.#until = performance.now() + patience.totalMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  reset(): void {
    this.#waits = 0;
  }

  async wait(signal: AbortSignal): Promise<void> {
    const { firstWaitMs: firstMs, maxWaitMs: maxMs } = this.#patience;
    await pause(computeBackoffDelay(this.#waits++, { firstMs, maxMs }), undefined, {
      signal,
    }).catch(() => undefined);
  }
}

export interface BridgeParts {
  readonly endpoint: Endpoint;
  readonly output: ClientOutput;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
}

const MAX_REPEATED = 1_000;

const INITIALIZED = {
  method: 'notifications/initialized',
  line: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  params: undefined,
};

/** A revision of the protocol, as it may stand in a header. */
const REVISION = /^\d{4}-\d\d-\d\d$/u;

/** Returns the key under which a request is repeated, and whether it ends what another one has started. */
const findRepetition = ({
  method,
  params,
}: BridgeRequest): { key: string; ends: boolean } | undefined => {
  const uri = params?.['uri'];
  switch (method) {
    case 'logging/setLevel':
      return { key: 'level', ends: false };
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { key: `uri ${String(uri)}`, ends: method === 'resources/unsubscribe' };
    default:
      return undefined;
  }
};

/**
 * The session of a client of the 2025 revisions at the gateway. When the gateway does not know it any more, another one is opened with the
 * client's own `initialize`, and gets its log level and its subscriptions.
 */
export class LegacySession {
  readonly #parts: BridgeParts;
  readonly #repeated = new Map<string, BridgeRequest>();
  #initialize: BridgeRequest | undefined;
  #id: string | undefined;
  #lists: readonly WatchedList[] = [];
  #renewing: Promise<boolean> | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  get id(): string | undefined {
    return this.#id;
  }

  takeResult(request: BridgeRequest, result: unknown, id: string | undefined): void {
    this.#initialize = request;
    this.#take(result, id);
  }

  /** Remembers a request that has succeeded and that another session needs too. */
  rememberRequest(request: BridgeRequest): void {
    const repeated = findRepetition(request);
    if (repeated === undefined) return;
    this.#repeated.delete(repeated.key);
    if (!repeated.ends && this.#repeated.size < MAX_REPEATED)
      this.#repeated.set(repeated.key, request);
  }

  /** Opens another session in the place of a lost one; concurrent calls share it. Resolves with `false` when there is none. */
  renew(lostId: string): Promise<boolean> {
    if (this.#id !== lostId) return Promise.resolve(this.#id !== undefined);
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<boolean> {
    const { endpoint, patience, signal, log, output } = this.#parts;
    const request = this.#initialize;
    if (request === undefined) return false;
    const waits = new Waits(patience);
    let sent = await endpoint.post(request.line, request, signal);
    while (!sent.ok && !waits.isOver && !signal.aborted) {
      await waits.wait(signal);
      sent = await endpoint.post(request.line, request, signal);
    }
    if (!sent.ok) return false;
    const result = (await readResponse(sent.answer))?.['result'];
    if (!isJsonObject(result)) return false;
    this.#take(result, sent.answer.sessionId);
    for (const repeated of [INITIALIZED, ...this.#repeated.values()]) {
      const repetition = await endpoint.post(repeated.line, repeated, signal);
      if (repetition.ok) discard(repetition.answer);
    }
    log('the session had ended; another one is open');
    // Changes while there was no session were missed.
    for (const list of this.#lists) await output.notify(LIST_CHANGED[list]);
    return true;
  }

  #take(result: unknown, id: string | undefined): void {
    const { headers } = this.#parts.endpoint;
    const { protocolVersion: version, capabilities } = toObject(result);
    this.#id = id;
    this.#lists = (['tools', 'resources', 'prompts'] as const).filter(
      (list) => toObject(toObject(capabilities)[list])['listChanged'] === true,
    );
    headers.sessionId = id;
    if (typeof version === 'string' && REVISION.test(version)) headers.version = version;
  }
}

export const isResult = (message: JsonObject): boolean => Object.hasOwn(message, 'result');

/** A stream that lasted this long was of use, in milliseconds; the next one is opened soon. */
const LASTING_MS = 5_000;

const NOT_FOUND = 404;
const NOT_SUPPORTED = 405;

/** The stream on which a session of the 2025 revisions receives what belongs to no request. It is opened again when it ends. */
export class StandingStream {
  readonly #parts: BridgeParts;
  readonly #session: LegacySession;
  #lastEventId: string | undefined;
  #isRunning = false;

  constructor(session: LegacySession, parts: BridgeParts) {
    this.#session = session;
    this.#parts = parts;
  }

  /** Keeps the stream open until the bridge ends; does nothing when it is. */
  start(): void {
    if (this.#isRunning || this.#session.id === undefined) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  async #run(): Promise<void> {
    const { endpoint, patience, signal } = this.#parts;
    const waits = new Waits(patience);
    while (!signal.aborted) {
      const sent = await endpoint.listen(this.#lastEventId, signal);
      if (sent.ok) {
        const since = performance.now();
        if (!(await this.#take(sent.answer))) return;
        if (performance.now() - since > LASTING_MS) waits.reset();
      }
      await waits.wait(signal);
    }
  }

  /** Returns `false` when the gateway has no such streams. */
  async #take(answer: HttpAnswer): Promise<boolean> {
    const { id } = this.#session;
    if (answer.isStream) {
      await readStream(
        answer,
        (text) => this.#parts.output.write(text),
        (eventId) => {
          this.#lastEventId = eventId;
        },
      );
      return true;
    }
    discard(answer);
    if (answer.status !== NOT_FOUND) return answer.status !== NOT_SUPPORTED;
    this.#lastEventId = undefined;
    if (id !== undefined) await this.#session.renew(id);
    return true;
  }
}
