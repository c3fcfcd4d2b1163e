import type { JsonObject, RpcError } from '@gateway/call-contract';
import { joinText } from '@gateway/mcp-wire';
import {
  ProtocolError,
  type JSONRPCRequest,
  type RequestId,
  type Server,
} from '@modelcontextprotocol/server';
import type { ResponseSink, SettledResponse } from '../protocol/response-sink.ts';

/** The context that the SDK's object passes with a request. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the object that replaces it checks results and drops unknown keys
export type ServerContext = Parameters<NonNullable<Server['fallbackRequestHandler']>>[1];

/** Returns an error in the form that the SDK's object accepts from a handler. */
export const protocolError = ({ code, message, data }: RpcError): ProtocolError =>
  new ProtocolError(code, message, data);

/** The texts of the messages that the SDK's object carries as values, on a connection that keeps them. */
export interface MessageTexts {
  /** Returns an open call as it was received: the SDK's object removes the members of 2026-07-28. */
  received(id: RequestId): JSONRPCRequest | undefined;
  /** Sets the text of the response to a call, which replaces what the SDK's object answers; without a text there will be none. */
  respond(id: RequestId, response: string | undefined): void;
  /** Sends a message that the SDK's object has no part in. */
  write(message: string): void;
}

interface Message {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly result?: JsonObject;
  readonly error?: RpcError;
}

/** The channel back to the caller of a request that the SDK's object has received. */
export class ConnectionSink implements ResponseSink {
  readonly canStream = true;
  /** The result of the request; rejects with its error. */
  readonly result: Promise<JsonObject>;
  readonly #context: ServerContext;
  readonly #texts: MessageTexts | undefined;
  #resolve: (result: JsonObject) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(context: ServerContext, texts: MessageTexts | undefined) {
    this.#context = context;
    this.#texts = texts;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  notify(message: string): void {
    if (this.#texts !== undefined) {
      this.#texts.write(message);
      return;
    }
    const { method, params } = JSON.parse(message) as Message;
    this.#context.mcpReq.notify({ method, params }).catch(() => undefined);
  }

  send(message: string): boolean {
    this.notify(message);
    return true;
  }

  /** Does nothing: a connection that is not HTTP needs no comments. */
  keepAlive(): void {
    return undefined;
  }

  /** The SDK's object sends nothing for a cancelled request. */
  settle({ message: written }: SettledResponse): void {
    const message = written === undefined ? undefined : joinText(written);
    this.#texts?.respond(this.#context.mcpReq.id, message);
    if (this.#texts !== undefined || message === undefined) {
      this.#resolve({});
      return;
    }
    const { result = {}, error } = JSON.parse(message) as Message;
    if (error === undefined) this.#resolve(result);
    else this.#reject(protocolError(error));
  }

  onDisconnect(listener: () => void): () => void {
    const { signal } = this.#context.mcpReq;
    signal.addEventListener('abort', listener);
    return () => signal.removeEventListener('abort', listener);
  }
}
