import { ANONYMOUS, type Principal } from '@gateway/call-contract';
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
  /** Returns the address of the caller of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** The credentials of a request that was accepted. */
export interface RequestCredentials {
  /** Time at which they expire, in milliseconds since the epoch; absent: they do not expire. */
  readonly expiresAt: number | undefined;
  /** Returns whether they are accepted now: their person may have signed out. Never rejects. */
  readonly areAccepted: () => boolean | Promise<boolean>;
}

/** One HTTP request, its parsed headers and its refusal. Every member is parsed when it is first read. */
export class HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  #principal: Principal = ANONYMOUS;
  #credentials: RequestCredentials | undefined;
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

  /** The party that sent the request; {@link ANONYMOUS} until {@link identify}. */
  get principal(): Principal {
    return this.#principal;
  }

  /** Absent for a request without credentials. */
  get credentials(): RequestCredentials | undefined {
    return this.#credentials;
  }

  /** The key under which the caller is counted: its principal when it has signed in, otherwise its address. */
  get caller(): string {
    return (this.#caller ??= this.#owner.addressOf(this.request));
  }

  /** Records the party that sent the request. */
  identify(principal: Principal, credentials: RequestCredentials): void {
    this.#principal = principal;
    this.#credentials = credentials;
    if (principal.key !== ANONYMOUS.key) this.#caller = `principal:${principal.key}`;
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
