import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRefusal } from './answer.ts';
import { acceptedFramings, type AcceptedFramings } from './content-negotiation.ts';
import type { RpcId } from '../protocol/json-rpc.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { headerReader, KnownHeaders, type HeaderReader } from '../protocol/request-headers.ts';

/** The members of an endpoint that its exchanges share. */
export interface ExchangeOwner {
  /** Called with each refusal and the key of its caller. */
  readonly onRefusal: (refusal: Refusal, caller: string) => void;
  /** Returns the key under which the caller of a request is counted: its principal, otherwise its address. */
  readonly callerOf: (request: IncomingMessage) => string;
}

/** One HTTP request, its parsed headers and its refusal. Every member is parsed when it is first read. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly #owner: ExchangeOwner;
  #caller: string | undefined;
  #known: KnownHeaders | undefined;
  #header: HeaderReader | undefined;
  #accepted: AcceptedFramings | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, owner: ExchangeOwner) {
    this.request = request;
    this.response = response;
    this.#owner = owner;
  }

  /** The key under which the caller is counted. */
  get caller(): string {
    return (this.#caller ??= this.#owner.callerOf(this.request));
  }

  /** The headers that the endpoint itself reads. */
  get known(): KnownHeaders {
    return (this.#known ??= new KnownHeaders(this.request));
  }

  /** Any header, for the service. */
  get header(): HeaderReader {
    return (this.#header ??= headerReader(this.request));
  }

  /** The framings of an answer that the caller accepts. */
  get accepted(): AcceptedFramings {
    return (this.#accepted ??= acceptedFramings(this.known.accept));
  }

  /** Reports a refusal that is answered in another way. */
  recordRefusal(refusal: Refusal): void {
    this.#owner.onRefusal(refusal, this.caller);
  }

  /** Answers a refusal. */
  refuse(refusal: Refusal, id?: RpcId | null): void {
    this.#owner.onRefusal(refusal, this.caller);
    answerRefusal(this, refusal, id);
  }
}
