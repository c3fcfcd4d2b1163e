import { isJsonObject, type JsonObject, RPC_CODE } from '@gateway/call-contract';
import { type JSONRPCMessage, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client';
import { formatReason } from '../wire/reason.ts';

/** The id of the additional `initialize`. The ids of the SDK and of the gateway are numbers. */
const FALLBACK_ID = 'gateway-initialize';

export interface ProbeFallbackOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly afterMs: number;
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  readonly deliver: (message: JsonObject) => void;
}

type Id = string | number;

const parseId = ({ id }: JsonObject): Id | undefined =>
  typeof id === 'string' || typeof id === 'number' ? id : undefined;

/** Sends `initialize` too when the era probe is not answered for some time, and waits for both answers: the first successful one decides the era. */
export class ProbeFallback {
  readonly #options: ProbeFallbackOptions;
  #timer: NodeJS.Timeout | undefined;
  #probeId: Id | undefined;
  /** The id of the `initialize` of the SDK's client, while it waits for the answer to the additional one. */
  #initializeId: Id | undefined;
  #isSent = false;
  #answer: JsonObject | undefined;

  constructor(options: ProbeFallbackOptions) {
    this.#options = options;
  }

  /** The words with which the server refused the additional `initialize`, while the probe is not answered. */
  get refusal(): string | undefined {
    const error = this.#probeId === undefined ? undefined : this.#answer?.['error'];
    return isJsonObject(error) && typeof error['message'] === 'string'
      ? error['message']
      : undefined;
  }

  /** Takes a message of the SDK's client. Returns `true` when it must not be sent. */
  takeOutgoing(message: JsonObject): boolean {
    const id = parseId(message);
    if (id === undefined) return false;
    // A further request shows that the probe is over, however it failed: over HTTP it may have no answer.
    clearTimeout(this.#timer);
    if (message['method'] === 'server/discover') this.#awaitProbe(id);
    if (message['method'] !== 'initialize' || !this.#isSent) return false;
    this.#initializeId = id;
    queueMicrotask(() => this.#deliverAnswer());
    return true;
  }

  /** Takes a message of the server. Returns `true` when the SDK's client must not receive it. */
  takeIncoming(message: JsonObject): boolean {
    if (typeof message['method'] === 'string') return false;
    const id = parseId(message);
    if (id !== undefined && id === this.#probeId) {
      this.#probeId = undefined;
      clearTimeout(this.#timer);
      return false;
    }
    if (id !== FALLBACK_ID) return false;
    this.#answer = message;
    this.#decide();
    return true;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #awaitProbe(id: Id): void {
    this.#probeId = id;
    if (this.#isSent) return;
    this.#timer = setTimeout(() => this.#initialize(), this.#options.afterMs);
    this.#timer.unref();
  }

  #initialize(): void {
    this.#isSent = true;
    const { clientInfo, send } = this.#options;
    send({
      jsonrpc: '2.0',
      id: FALLBACK_ID,
      method: 'initialize',
      params: {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { ...clientInfo },
      },
    }).catch((error: unknown) => this.#failed(formatReason(error)));
  }

  /** The server did not accept the message. A probe that is pending may still be answered. */
  #failed(reason: string): void {
    this.#answer = { jsonrpc: '2.0', error: { code: RPC_CODE.internal, message: reason } };
    this.#decide();
  }

  /** An accepted `initialize` answers a pending probe: the server is not one of 2026-07-28. */
  #decide(): void {
    const probeId = this.#probeId;
    if (probeId === undefined) this.#deliverAnswer();
    else if (Object.hasOwn(this.#answer ?? {}, 'result')) {
      this.#probeId = undefined;
      const error = { code: RPC_CODE.methodNotFound, message: 'Method not found' };
      this.#options.deliver({ jsonrpc: '2.0', id: probeId, error });
    }
  }

  #deliverAnswer(): void {
    const id = this.#initializeId;
    if (id === undefined || this.#answer === undefined) return;
    this.#initializeId = undefined;
    this.#options.deliver({ ...this.#answer, id });
  }
}
