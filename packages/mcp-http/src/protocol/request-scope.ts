import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { AnswerWay } from '../http/exchange.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { Era } from './protocol-results.ts';
import type { HeaderReader } from './request-headers.ts';
import type { Session } from '../sessions/session-store.ts';

/** What surrounds one request: who sent it, and the `POST` that carries it and its answer. */
export interface RequestScope {
  readonly era: Era;
  readonly session: Session | undefined;
  readonly header: HeaderReader;
  readonly exchange: AnswerWay;
}

/** Where a `POST` came from. */
export interface Origin {
  readonly http: HttpExchange;
  readonly era: Era;
  readonly session: Session | undefined;
}

/** The scope of the requests of one `POST`. */
export class PostScope implements RequestScope {
  readonly era: Era;
  readonly session: Session | undefined;
  readonly exchange: AnswerWay;
  readonly #http: HttpExchange;

  constructor({ http, era, session }: Origin, exchange: AnswerWay) {
    this.era = era;
    this.session = session;
    this.exchange = exchange;
    this.#http = http;
  }

  get header(): HeaderReader {
    return this.#http.header;
  }
}

/** A request on its way through the protocol. */
export interface ScopedRequest {
  readonly request: JSONRPCRequest;
  readonly scope: RequestScope;
}
