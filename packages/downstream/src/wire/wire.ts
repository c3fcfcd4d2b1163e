import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import type { RequestFailure } from './request-outcome.ts';

/** A JSON object as it came, read no further. */
export type OpenRecord = Readonly<Record<string, unknown>>;

/** A request of the gateway's own. */
export interface WireRequest {
  readonly id: number;
  readonly method: string;
  readonly params: OpenRecord;
  /** HTTP headers that the protocol derives from the arguments. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** Learns what becomes of one request of the gateway's own. */
export interface WireSink {
  /** No answer can come any more; not called when the answer came or the request was let go. */
  onEnd(failure: RequestFailure): void;
}

/** A request on its way. */
export interface WireExchange {
  /** Nobody waits any more: its stream, if it has one of its own, is closed. */
  abandon(): void;
  /** The answer is there: what is still open of the request may be closed soon. */
  finish(): void;
}

/** What a wire tells its owner. */
export interface WireObserver {
  /**
   * Any message of the server.
   *
   * @param resultText JSON text of its `result`, where that is at hand
   * @param owner id of the gateway's request on whose stream it came
   */
  onMessage(message: OpenRecord, resultText?: string, owner?: number): void;
  onError(error: Error): void;
  /** Messages that answer nothing may have been missed before now. */
  onGap(): void;
  /** Once, however it ended. */
  onClosed(): void;
}

/** A way to a server: the messages of the SDK's client and the gateway's own requests go over it. */
export interface Wire {
  /** Every request has a stream of its own, whose end tells the server that nobody waits. */
  readonly hasPerRequestStream: boolean;
  readonly sessionId: string | undefined;
  setProtocolVersion(version: string): void;
  start(observer: WireObserver): Promise<void>;
  /** Sends a message as a `Transport` of the SDK does. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  /** Sends a request whose answer comes as a message. */
  exchange(request: WireRequest, sink: WireSink): WireExchange;
  close(): Promise<void>;
}
