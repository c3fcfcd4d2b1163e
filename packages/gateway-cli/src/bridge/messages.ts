import { formatErrorMessage, formatNotification, isRpcId, type RpcId } from '@gateway/mcp-wire';
import { escapeInvisible, isJsonObject, type JsonObject, RPC_CODE } from '@gateway/call-contract';
import { readEnvelopeVersion } from '@gateway/downstream';
import type { Writable } from 'node:stream';
import { type HttpAnswer, discard, readBody, readStream } from './endpoint.ts';

export interface BridgeRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly line: string;
}

export interface ClientNotice {
  readonly kind: 'notification' | 'response';
  readonly method: string | undefined;
  readonly params: JsonObject | undefined;
  readonly line: string;
}

/** A line of the client. A batch of 2025-03-26 is `batch`: its requests are answered together. */
export type ClientMessage =
  | BridgeRequest
  | ClientNotice
  | { readonly kind: 'batch'; readonly ids: readonly RpcId[]; readonly line: string }
  | { readonly kind: 'not-valid' };

const NOT_VALID = { kind: 'not-valid' } as const;

const parseText = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns the message in a line. Only what the transport needs is checked; the gateway checks the rest. */
export const parseClientMessage = (line: string): ClientMessage => {
  const value = parseText(line);
  if (Array.isArray(value)) {
    const requests = value.filter((one) => isJsonObject(one) && typeof one['method'] === 'string');
    const ids = requests.map((one) => (one as JsonObject)['id']).filter(isRpcId);
    return { kind: 'batch', ids, line };
  }
  if (!isJsonObject(value)) return NOT_VALID;
  const { id, method } = value;
  const params = isJsonObject(value['params']) ? value['params'] : undefined;
  if (typeof method !== 'string') {
    const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
    return isResponse ? { kind: 'response', method: undefined, params, line } : NOT_VALID;
  }
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', method, params, line };
  return isRpcId(id) ? { kind: 'request', id, method, params, line } : NOT_VALID;
};

/** Returns the message in a text of the gateway; `undefined` for any other text. */
export const parseGatewayMessage = (text: string): JsonObject | undefined => {
  const value = parseText(text);
  return isJsonObject(value) && value['jsonrpc'] === '2.0' ? value : undefined;
};

/** Returns the id of the request that a message answers; `undefined` for a request or a notification, and for an error without an id. */
const findAnswerId = (message: JsonObject): RpcId | undefined => {
  const { id, method } = message;
  return method === undefined && isRpcId(id) ? id : undefined;
};

/** Reads the only response of an answer; `undefined` when there is none. */
export const readResponse = async (answer: HttpAnswer): Promise<JsonObject | undefined> => {
  if (answer.isJson) {
    const body = await readBody(answer);
    return body.ok ? parseGatewayMessage(body.text) : undefined;
  }
  if (!answer.isStream) {
    discard(answer);
    return undefined;
  }
  let response: JsonObject | undefined;
  await readStream(answer, (text) => {
    const message = parseGatewayMessage(text);
    if (message !== undefined && findAnswerId(message) !== undefined) response = message;
  });
  return response;
};

export class ClientOutput {
  readonly #output: Writable;
  #isClosed = false;
  #drained: Promise<void> | undefined;

  constructor(output: Writable, onClosed: () => void) {
    this.#output = output;
    const close = (): void => {
      this.#isClosed = true;
      onClosed();
    };
    output.once('close', close);
    output.on('error', close);
  }

  /** Writes a JSON text; only line ends and invisible characters are written in another way. Resolves when the client can take more. */
  async write(text: string): Promise<void> {
    if (this.#isClosed) return;
    // A JSON text may have line ends between its tokens, never inside a string.
    const line = /[\r\n]/u.test(text) ? text.replaceAll(/[\r\n]+/gu, '') : text;
    if (this.#output.write(`${escapeInvisible(line)}\n`)) return;
    this.#drained ??= this.#waitForDrain();
    await this.#drained;
  }

  fail(id: RpcId | null, message: string, code: number = RPC_CODE.transport): Promise<void> {
    return this.write(formatErrorMessage(id, { code, message }));
  }

  notify(method: string, params?: object): Promise<void> {
    return this.write(formatNotification(method, params));
  }

  #waitForDrain(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#output.off('drain', done).off('close', done);
        this.#drained = undefined;
        resolve();
      };
      this.#output.on('drain', done).on('close', done);
    });
  }
}

export class PendingRequest {
  readonly line: string;
  readonly request: BridgeRequest | undefined;
  readonly isModern: boolean;
  readonly open: Set<RpcId>;
  /** The client has cancelled a request of the 2025 revisions, which gets no answer. */
  isCancelled = false;
  readonly #ending = new AbortController();

  constructor(message: Extract<ClientMessage, { kind: 'request' | 'batch' }>) {
    this.line = message.line;
    this.request = message.kind === 'request' ? message : undefined;
    this.isModern =
      this.request !== undefined && readEnvelopeVersion(this.request.params) !== undefined;
    this.open = new Set(message.kind === 'request' ? [message.id] : message.ids);
  }

  get method(): string | undefined {
    return this.request?.method;
  }

  /** Aborted when the client does not wait for the answer. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  isOver(): boolean {
    return this.open.size === 0 || this.isCancelled || this.#ending.signal.aborted;
  }

  /** Records a message of the gateway. Returns `true` for the answer to this request. */
  take(message: JsonObject): boolean {
    const id = findAnswerId(message);
    return id !== undefined && this.open.delete(id);
  }

  end(): void {
    this.#ending.abort();
  }
}
