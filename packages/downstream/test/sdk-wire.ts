import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { formatReason } from '../src/wire/reason.ts';
import { parseBodyRefusal } from '../src/wire/request-outcome.ts';
import type { RequestFailure } from '../src/wire/request-outcome.ts';
import type { Wire, WireExchange, WireObserver, WireRequest, WireSink } from '../src/wire/wire.ts';

/** Time for the server to close an answered stream, in milliseconds. */
const ANSWERED_STREAM_MS = 2_000;

/** Returns the failure of a request that could not be sent, or whose HTTP answer could not be parsed. */
const sendFailureOf = (error: unknown): RequestFailure => {
  if (error instanceof SyntaxError)
    return { kind: 'invalid', reason: `it is not JSON: ${error.message}` };
  if (error instanceof Error && error.name.endsWith('ZodError'))
    return { kind: 'invalid', reason: 'it is not a JSON-RPC message' };
  if (error instanceof SdkHttpError) {
    const { status, text } = error.data;
    return (
      parseBodyRefusal(text, status) ?? {
        kind: 'lost',
        reason: `HTTP ${status}`,
        httpStatus: status,
        ...(typeof text === 'string' ? { text } : {}),
      }
    );
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return { kind: 'invalid', reason: formatReason(error) };
  return { kind: 'lost', reason: formatReason(error) };
};

/** A wire over a transport of the SDK. */
export class SdkWire implements Wire {
  readonly hasPerRequestStream: boolean;
  /** The URL for the messages of an SSE connection contains its session. */
  readonly hasSession = true;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.hasPerRequestStream = transport.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  start(observer: WireObserver): Promise<void> {
    // The SDK has parsed the messages, so their text is not available.
    this.#transport.onmessage = (message) => observer.onMessage({ ...message });
    this.#transport.onerror = (error) => observer.onError(error);
    this.#transport.onclose = () => observer.onClosed();
    return this.#transport.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#transport.send(message, options);
  }

  exchange(request: WireRequest, sink: WireSink): WireExchange {
    const { id, method, params, headers } = request;
    const stream = new AbortController();
    let answeredInFull = true;
    const options: TransportSendOptions = {
      requestSignal: stream.signal,
      onRequestStreamEnd: () => {
        answeredInFull = true;
        sink.onEnd({ kind: 'lost', reason: 'the answer ended before it was complete' });
      },
      ...(headers === undefined ? {} : { headers }),
    };
    this.#transport.send({ jsonrpc: '2.0', id, method, params: { ...params } }, options).then(
      () => {
        answeredInFull = false;
      },
      (error: unknown) => {
        if (!stream.signal.aborted) sink.onEnd(sendFailureOf(error));
      },
    );
    return {
      abandon: () => stream.abort(),
      finish: () => {
        if (!answeredInFull && this.hasPerRequestStream)
          setTimeout(() => stream.abort(), ANSWERED_STREAM_MS).unref();
      },
    };
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
