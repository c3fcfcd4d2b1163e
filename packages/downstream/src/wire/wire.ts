import type { JsonObject } from '@gateway/call-contract';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import type { RequestFailure } from './request-outcome.ts';

export interface WireRequest {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

export interface WireSink {
  /** The answer arrived, or the request was abandoned. */
  readonly isOver: boolean;
  /** No answer can arrive. Not called after the answer, or after the request was abandoned. */
  onEnd(failure: RequestFailure): void;
}

export interface WireExchange {
  /** Abandons the request and closes its stream, if it has one. */
  abandon(): void;
  /** The answer arrived: the rest of the exchange may be closed soon. */
  finish(): void;
}

export interface WireObserver {
  /** `result` of the message may be a `RawObject`; `owner` is the id of the gateway's request on whose stream it arrived. */
  onMessage(message: JsonObject, owner?: number): void;
  /** A text that is not JSON, or too much to parse, arrived in place of a message. */
  onUnreadable(reason: SyntaxError, text: Uint8Array): void;
  onError(error: Error): void;
  /** Unsolicited messages may have been missed before now. */
  onGap(): void;
  /** Called once, however the wire ended. */
  onClosed(): void;
}

export interface Wire {
  /** Every request has its own stream; closing it cancels the request. */
  readonly hasPerRequestStream: boolean;
  /** The server keeps state for the connection, which it may forget. */
  readonly hasSession: boolean;
  setProtocolVersion(version: string): void;
  start(observer: WireObserver): Promise<void>;
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  /** Sends a request; its answer arrives as a message. */
  exchange(request: WireRequest, sink: WireSink): WireExchange;
  close(): Promise<void>;
}
