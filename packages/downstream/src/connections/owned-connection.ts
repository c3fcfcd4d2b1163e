import type {
  Caller,
  Principal,
  Credential,
  CredentialOutcome,
  ServerCredentials,
} from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import type { Connection } from '../connection/connection.ts';
import type { ConnectionAuthority } from '../connection/server-link.ts';
import type {
  OutgoingRequest,
  RequestConnection,
  SessionAnswer,
} from '../requests/outgoing-requests.ts';
import type { HttpRefusal } from '../wire/http/http-authority.ts';
import { sanitisedLine } from '../wire/reason.ts';
import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';

/** Why a user's request cannot be authorized. */
export type CredentialProblem = Extract<CredentialOutcome, { readonly ok: false }>;

/** The user and the server of a connection, and the source of the credentials. */
interface AuthorityOptions {
  readonly credentials: ServerCredentials;
  /** Returns the present definition. */
  readonly server: () => McpServer;
  /** Returns the principal of the latest request. */
  readonly principal: () => Principal;
  /** Returns monotonic time in milliseconds. */
  readonly now: () => number;
  /** The server refused the credential, and there is no other one. Not called for a missing scope, which concerns one request. */
  readonly onProblem: (problem: CredentialProblem) => void;
}

/** Minimum time between two renewals when the server refuses each renewed credential, in milliseconds. */
const PAUSE_MS = 60_000;

const REFUSED: CredentialProblem = {
  ok: false,
  code: 'sign-in-again',
  reason: 'the server refuses the sign-in',
};

/** Holds the credential of one user for the connection to one server. */
export class UserAuthority implements ConnectionAuthority {
  readonly #options: AuthorityOptions;
  #credential: Credential | undefined;
  #problem: CredentialProblem | undefined;
  /** The last renewed credential. */
  #renewed: { readonly id: string; readonly at: number } | undefined;
  #renewing: Promise<boolean> | undefined;

  constructor(options: AuthorityOptions) {
    this.#options = options;
  }

  /** Why the last request was refused; absent when none was. */
  get problem(): CredentialProblem | undefined {
    return this.#problem;
  }

  /** Gets the present credential for the next requests; synchronously when it is in memory. */
  acquire(): CredentialOutcome | Promise<CredentialOutcome> {
    const { credentials, server, principal } = this.#options;
    const outcome = credentials.current(server(), principal());
    if ('then' in outcome) return outcome.then((settled) => this.#take(settled));
    return this.#take(outcome);
  }

  authorization(): string | undefined {
    return this.#credential?.authorization;
  }

  secrets(): readonly string[] {
    const value = this.#credential?.authorization;
    return value === undefined ? [] : [value, value.replace(/^\S+\s+/, '')];
  }

  renew(refusal: HttpRefusal): Promise<boolean> {
    const credential = this.#credential;
    if (credential === undefined) return Promise.resolve(false);
    // Another request has renewed the credential meanwhile.
    if (refusal.authorization !== credential.authorization) return Promise.resolve(true);
    if (refusal.status === 401 && this.#isFresh(credential)) {
      this.#problem = REFUSED;
      return Promise.resolve(false);
    }
    this.#renewing ??= this.#renew(credential, refusal).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  refused({ status }: HttpRefusal): void {
    this.#problem ??= REFUSED;
    if (status === 401) this.#options.onProblem(this.#problem);
  }

  async #renew(credential: Credential, { status, challenge }: HttpRefusal): Promise<boolean> {
    const { credentials, server, principal, now } = this.#options;
    const rejection = { status, challenge, credential };
    const outcome = this.#take(await credentials.rejected(server(), principal(), rejection));
    if (outcome.ok) this.#renewed = { id: outcome.credential.id, at: now() };
    return outcome.ok;
  }

  #take(outcome: CredentialOutcome): CredentialOutcome {
    if (outcome.ok) {
      this.#credential = outcome.credential;
      this.#problem = undefined;
    } else this.#problem = outcome;
    return outcome;
  }

  #isFresh({ id }: Credential): boolean {
    const renewed = this.#renewed;
    return renewed?.id === id && this.#options.now() - renewed.at < PAUSE_MS;
  }
}

/** Receives the use of a connection. */
interface UseObserver {
  /** A call begins or ends. */
  readonly onUse: () => void;
  /** A request was answered with the credential. */
  readonly onAuthorized: () => void;
  /** The credential cannot be used now. */
  readonly onProblem: (problem: CredentialProblem) => void;
}

interface OwnedConnectionParts {
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
    return this.connection.use.isUnused;
  }

  enter(): void {
    this.connection.use.enter();
    this.#observer?.onUse();
  }

  leave(): void {
    this.connection.use.leave();
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
