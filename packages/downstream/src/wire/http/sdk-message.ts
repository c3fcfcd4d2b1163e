import type { JsonObject } from '@gateway/call-contract';
import { objectText, parseJson } from '@gateway/mcp-wire';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { sdkErrorOf } from './http-failure.ts';
import type { HttpFailure } from './http-failure.ts';
import type { HttpHead } from './http-exchange.ts';
import { envelopeVersion } from './http-headers.ts';
import { post } from './http-post.ts';
import type { HttpChannel, HttpPost, PostSink } from './http-post.ts';
import { answerId, isMessage, withParsedResult } from '../message-text.ts';

/** The options of sending a message of the SDK's client. */
export interface SdkSend {
  readonly options: TransportSendOptions | undefined;
  /** The server accepted the end of the handshake of the 2025 revisions. */
  readonly onInitialized: () => void;
}

interface Promised {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const recordOf = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;

/** Returns whether a value has the id of an answer; it may have nothing else. */
const isAnswer = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'id');

/** Returns the JSON-RPC error in the body of HTTP 400, which a 2026-07-28 server sends for an unsupported request. */
const refusalIn = (failure: HttpFailure, id: unknown): JsonObject | undefined => {
  if (failure.kind !== 'status' || failure.status !== 400) return undefined;
  const parsed = parseJson(failure.text);
  const value = parsed.ok ? parsed.value : undefined;
  return isMessage(value) && Object.hasOwn(value, 'error') && answerId(value['id']) === id
    ? value
    : undefined;
};

/** One message of the SDK's client, sent as the SDK's own transport sends it. */
class SdkMessage implements PostSink {
  readonly #channel: HttpChannel;
  readonly #message: JsonObject;
  readonly #send: SdkSend;
  readonly #promised: Promised;
  #post: HttpPost | undefined;
  #isStream = false;

  constructor(channel: HttpChannel, message: JsonObject, send: SdkSend, promised: Promised) {
    this.#channel = channel;
    this.#message = message;
    this.#send = send;
    this.#promised = promised;
  }

  start(): void {
    const { id, method } = this.#message;
    const { options } = this.#send;
    this.#post = post(
      this.#channel,
      {
        method: typeof method === 'string' ? method : undefined,
        params: recordOf(this.#message['params']),
        text: objectText(this.#message, 2),
        isRequest: typeof method === 'string' && id !== undefined,
        headers: options?.headers,
      },
      this,
    );
    const abort = (): void => this.#abort();
    options?.requestSignal?.addEventListener('abort', abort, { once: true });
  }

  onAccepted(head: HttpHead, isStream: boolean): void {
    const { method, id } = this.#message;
    this.#isStream = isStream;
    if (method === 'initialize') this.#channel.headers.useSession(head.header('mcp-session-id'));
    if (method === 'notifications/initialized' && head.status === 202) this.#send.onInitialized();
    if (isStream || typeof method !== 'string' || id === undefined) this.#promised.resolve();
  }

  onMessage(message: unknown): void {
    const value =
      recordOf(message) === undefined ? message : withParsedResult(message as JsonObject);
    const { id } = this.#message;
    // The client ignores an answer of a wrong shape and waits for another one.
    if (!isMessage(value) && !(isAnswer(value) && answerId(value['id']) === id)) {
      this.onError(new Error('a value on the stream is no message'));
      return;
    }
    if (typeof value['method'] !== 'string' && answerId(value['id']) === id) {
      this.#post?.finish();
      this.#promised.resolve();
    }
    this.#channel.observer.onMessage(value);
  }

  onError(error: Error): void {
    this.#channel.observer.onError(error);
  }

  onOver(failure: HttpFailure): void {
    if (this.#isStream) {
      this.#send.options?.onRequestStreamEnd?.();
      return;
    }
    const isModern = envelopeVersion(recordOf(this.#message['params'])) !== undefined;
    const refusal = isModern ? refusalIn(failure, this.#message['id']) : undefined;
    if (refusal !== undefined) {
      this.#channel.observer.onMessage(refusal);
      this.#promised.resolve();
      return;
    }
    // No effect when the answer has settled the promise.
    this.#promised.reject(sdkErrorOf(failure));
  }

  #abort(): void {
    this.#post?.abort();
    this.#promised.reject(new Error('not wanted any more'));
  }
}

/** Sends a message of the SDK's client. Rejects with the errors from which the client derives the era of a server. */
export const sendForSdk = (
  channel: HttpChannel,
  message: JSONRPCMessage,
  send: SdkSend,
): Promise<void> =>
  new Promise((resolve, reject) => {
    new SdkMessage(channel, { ...message }, send, { resolve, reject }).start();
  });
