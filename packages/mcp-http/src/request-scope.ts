import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { AnswerWay } from './exchange.ts';
import type { Era } from './protocol-results.ts';
import type { HeaderReader } from './request-headers.ts';
import type { Session } from './session-store.ts';

/** What surrounds one request: who sent it, and the `POST` that carries it and its answer. */
export interface RequestScope {
  readonly era: Era;
  readonly session: Session | undefined;
  readonly header: HeaderReader;
  readonly exchange: AnswerWay;
}

/** A request on its way through the protocol. */
export interface ScopedRequest {
  readonly request: JSONRPCRequest;
  readonly scope: RequestScope;
}
