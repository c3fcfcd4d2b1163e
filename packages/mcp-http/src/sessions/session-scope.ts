import type { Principal } from '@gateway/call-contract';
import type { Era } from '../protocol/protocol-results.ts';
import type { HeaderReader } from '../protocol/request-headers.ts';
import type { RequestScope, ScopedRequest } from '../protocol/request-scope.ts';
import type { ResponseSink } from '../protocol/response-sink.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { Session } from './session.ts';

/** The scope of a request, with the session that it belongs to. */
export interface SessionScope extends RequestScope {
  readonly session: Session | undefined;
  /** The key under which the caller is counted; `undefined` on a connection with one caller. */
  readonly callerKey?: string | undefined;
}

/** A request together with its scope and session. */
export type SessionRequest = ScopedRequest<SessionScope>;

/** The source of a `POST`. */
export interface Origin {
  readonly http: HttpExchange;
  readonly era: Era;
  readonly session: Session | undefined;
}

/** The scope of the requests of one `POST`. */
export class PostScope implements SessionScope {
  readonly era: Era;
  readonly principal: Principal;
  readonly session: Session | undefined;
  readonly exchange: ResponseSink;
  readonly #http: HttpExchange;

  constructor({ http, era, session }: Origin, exchange: ResponseSink) {
    this.era = era;
    this.principal = http.principal;
    this.session = session;
    this.exchange = exchange;
    this.#http = http;
  }

  get callerKey(): string {
    return this.#http.caller;
  }

  get header(): HeaderReader {
    return this.#http.header;
  }
}
