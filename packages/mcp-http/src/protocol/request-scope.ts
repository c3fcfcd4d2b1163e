import type { Principal } from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Era } from './protocol-results.ts';
import type { HeaderReader } from './request-headers.ts';
import type { ResponseSink } from './response-sink.ts';

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
