import type { Caller } from '@gateway/call-contract';
import type { Connection } from '../connection/connection.ts';
import { ConnectionUse } from '../connection/connection-use.ts';
import type { CredentialOutcome } from '../credentials/server-credentials.ts';
import type {
  OutgoingRequest,
  SessionAnswer,
  RequestConnection,
} from '../requests/outgoing-requests.ts';
import { sanitisedLine } from '../wire/reason.ts';
import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';
import type { CredentialProblem, UserAuthority } from './user-authority.ts';

/** Receives the use of a connection. */
export interface UseObserver {
  /** A call begins or ends. */
  readonly onUse: () => void;
  /** A request was answered with the credential. */
  readonly onAuthorized: () => void;
  /** The credential cannot be used now. */
  readonly onProblem: (problem: CredentialProblem) => void;
}

/** The parts of an owned connection. */
export interface OwnedConnectionParts {
  readonly connection: Connection;
  /** The client session that owns the connection; absent for other owners. */
  readonly client?: string | undefined;
  /** Absent when requests carry no user's credential. */
  readonly authority?: UserAuthority | undefined;
}

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

const failed = (failure: RequestFailure): RequestOutcome => ({ ok: false, failure });

/** Returns the failure of a request that was not sent. */
const toFailure = ({ code, reason }: CredentialProblem): RequestFailure =>
  code === 'unavailable' ? { kind: 'lost', reason } : { kind: 'unauthorized', reason };

/**
 * Returns a caller with the identity of its client session, so that a question of the server belongs to the session while several of its
 * calls run.
 */
const asClient = (caller: Caller, client: string): Caller => ({
  get capabilities() {
    return caller.capabilities;
  },
  get takesInputRequired() {
    return caller.takesInputRequired;
  },
  get logLevel() {
    return caller.logLevel;
  },
  identity: client,
  client,
  ask: (...question) => caller.ask(...question),
  notify: (notification) => {
    caller.notify(notification);
  },
});

/** The connection of an owner to one server. Each request carries the user's present credential, if any. */
export class OwnedConnection implements RequestConnection {
  readonly connection: Connection;
  readonly #parts: OwnedConnectionParts;
  readonly #observer: UseObserver | undefined;
  readonly #use = new ConnectionUse();
  /** Why the connection was closed. */
  #ended: CredentialProblem | undefined;

  constructor(parts: OwnedConnectionParts, observer?: UseObserver) {
    this.connection = parts.connection;
    this.#parts = parts;
    this.#observer = observer;
  }

  get era(): RequestConnection['era'] {
    return this.connection.era;
  }

  get features(): RequestConnection['features'] {
    return this.connection.features;
  }

  get resources(): Connection['resources'] {
    return this.connection.resources;
  }

  /** Returns whether no call runs. */
  get isIdle(): boolean {
    return this.#use.isUnused;
  }

  enter(): void {
    this.#use.enter();
    this.connection.enter();
    this.#observer?.onUse();
  }

  leave(): void {
    this.#use.leave();
    this.connection.leave();
    this.#observer?.onUse();
  }

  request(request: OutgoingRequest): Promise<RequestOutcome> {
    const { authority, client } = this.#parts;
    const { options } = request;
    const sent =
      client === undefined || options?.caller === undefined
        ? request
        : { ...request, options: { ...options, caller: asClient(options.caller, client) } };
    if (authority === undefined) return this.connection.request(sent);
    this.enter();
    const credential = authority.acquire();
    const outcome =
      'then' in credential
        ? credential.then((settled) => this.#send(authority, settled, sent))
        : this.#send(authority, credential, sent);
    return outcome.finally(() => this.leave());
  }

  /** Names the reason why the requests that run have no result. */
  endFor(problem: CredentialProblem): void {
    this.#ended ??= problem;
  }

  async #send(
    authority: UserAuthority,
    credential: CredentialOutcome,
    request: OutgoingRequest,
  ): Promise<RequestOutcome> {
    if (!credential.ok) {
      this.#observer?.onProblem(credential);
      return failed(toFailure(credential));
    }
    const outcome = await this.connection.request(request);
    if (!outcome.ok) return failed(this.#withoutCredential(authority, outcome.failure));
    this.#observer?.onAuthorized();
    return outcome;
  }

  #withoutCredential(authority: UserAuthority, failure: RequestFailure): RequestFailure {
    if (failure.kind === 'lost' && this.#ended !== undefined) return toFailure(this.#ended);
    const { problem } = authority;
    const isRefused =
      failure.kind === 'lost' &&
      (failure.httpStatus === UNAUTHORIZED || failure.httpStatus === FORBIDDEN);
    if (isRefused && problem !== undefined) return toFailure(problem);
    const clean = (text: string): string => sanitisedLine(text, authority.secrets());
    if (failure.kind === 'session-refused')
      return { ...failure, answer: cleanAnswer(failure.answer, clean) };
    if (failure.kind !== 'lost' && failure.kind !== 'invalid' && failure.kind !== 'not-given')
      return failure;
    return { ...failure, reason: clean(failure.reason) };
  }
}

const cleanAnswer = (answer: SessionAnswer, clean: (text: string) => string): SessionAnswer =>
  answer.kind === 'refused'
    ? { ...answer, message: clean(answer.message) }
    : { ...answer, reason: clean(answer.reason), text: clean(answer.text ?? '') };
