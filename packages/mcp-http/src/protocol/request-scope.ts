import type { LongText } from '@gateway/mcp-wire';
import type { InsufficientScope } from './refusal.ts';
import type { Principal } from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Era } from './results.ts';
import type { HeaderReader } from './request-headers.ts';

/** The response to one request, as a JSON-RPC message; no message: the request was cancelled and gets no response. */
export interface SettledResponse {
  readonly message: LongText | undefined;
  /** HTTP status when this message is the whole answer. */
  readonly status: number;
  /** Set when the whole answer is a refusal with its own header, whatever framing the caller accepts. */
  readonly refusal?: InsufficientScope;
}

/** The channel back to the caller of a request: the `POST` in this process, one that another process holds, or a connection. */
export interface ResponseSink {
  /** `true` when messages other than the response can be sent. */
  readonly canStream: boolean;
  /** Sends a notification of a running request; drops it when the caller accepts no event stream or reads too slowly. */
  notify(message: string): void;
  /** Sends a message that must not be lost; returns `false` when the caller accepts no event stream. */
  send(message: string): boolean;
  /** Opens the event stream early, for its comments, when the caller accepts one. */
  keepAlive(): void;
  /** Settles one request; the last one ends the exchange. */
  settle(response: SettledResponse): void;
  /** Calls the listener when the caller disconnects and cannot resume, until the returned function is called. */
  onDisconnect(listener: () => void): () => void;
}

/** The surroundings of one request: its sender and the revision of that, its headers and the channel of its response. */
export interface RequestScope {
  readonly era: Era;
  readonly principal: Principal;
  readonly header: HeaderReader;
  readonly exchange: ResponseSink;
}

/** A request together with its scope. */
export interface ScopedRequest<S extends RequestScope = RequestScope> {
  readonly request: JSONRPCRequest;
  readonly scope: S;
}
