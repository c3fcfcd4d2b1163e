import { RPC_CODE, type CallResult, type JsonObject, type RpcError } from '@gateway/call-contract';
import { joinText, jsonProblemText, jsonText, keepText, RawObject } from '@gateway/mcp-wire';
import { ProtocolError, type Server } from '@modelcontextprotocol/server';
import type { ResponseSink, SettledResponse } from '../protocol/response-sink.ts';
import type { CallEnd } from '../calls/running-call.ts';

/** The context that the SDK's object passes with a request. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the object that replaces it checks results and drops unknown keys
export type ServerContext = Parameters<NonNullable<Server['fallbackRequestHandler']>>[1];

/** Returns an error in the form that the SDK's object accepts from a handler. */
export const protocolError = ({ code, message, data }: RpcError): ProtocolError =>
  new ProtocolError(code, message, data);

interface Message {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** The channel back to the caller of a request that the SDK's object has received. */
export class ConnectionSink implements ResponseSink {
  readonly canStream = true;
  /** The result of the request; rejects with its error. */
  readonly result: Promise<JsonObject>;
  readonly #context: ServerContext;
  #resolve: (result: JsonObject) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(context: ServerContext) {
    this.#context = context;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  notify(message: string): void {
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

  settle({ message }: SettledResponse): void {
    const { result } = JSON.parse(joinText(message ?? '{"result":{}}')) as {
      readonly result: JsonObject;
    };
    this.#resolve(result);
  }

  /** Hands the outcome of a call to the SDK's object, which sends nothing for a cancelled one. */
  finish(outcome: CallEnd): void {
    if (outcome.kind === 'cancelled') this.#resolve({});
    else if (outcome.answer.ok) this.#finish(outcome.answer.result);
    else this.#reject(protocolError(outcome.answer.error));
  }

  /** The SDK's object takes values: a result is parsed, and keeps its text. */
  #finish(result: CallResult): void {
    const parsed = result instanceof RawObject ? result.parse() : undefined;
    if (parsed?.ok === false) {
      const message = `The result is too large: ${jsonProblemText(parsed.problem)}`;
      this.#reject(protocolError({ code: RPC_CODE.internal, message }));
    } else if (parsed === undefined) this.#resolve(result as JsonObject);
    else this.#resolve(keepText(parsed.value, jsonText(result)));
  }

  onDisconnect(listener: () => void): () => void {
    const { signal } = this.#context.mcpReq;
    signal.addEventListener('abort', listener);
    return () => signal.removeEventListener('abort', listener);
  }
}
