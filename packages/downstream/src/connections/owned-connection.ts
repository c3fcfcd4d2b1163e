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
import type { ServerRefusal } from '../wire/http/http-exchange.ts';
import { formatSafeLine } from '../wire/reason.ts';
import type { RequestFailure, RequestOutcome } from '../wire/request-outcome.ts';

export type CredentialProblem = Extract<CredentialOutcome, { readonly ok: false }>;

interface AuthorityOptions {
  readonly credentials: ServerCredentials;
  readonly server: () => McpServer;
  readonly principal: () => Principal;
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

export class UserAuthority implements ConnectionAuthority {
  readonly #options: AuthorityOptions;
  #credential: Credential | undefined;
  #problem: CredentialProblem | undefined;
  #renewed: { readonly id: string; readonly at: number } | undefined;
  #renewing: Promise<boolean> | undefined;

  constructor(options: AuthorityOptions) {
    this.#options = options;
  }

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

  renew(refusal: ServerRefusal): Promise<boolean> {
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

  refused({ status }: ServerRefusal): void {
    this.#problem ??= REFUSED;
    if (status === 401) this.#options.onProblem(this.#problem);
  }

  async #renew(credential: Credential, { status, challenge }: ServerRefusal): Promise<boolean> {
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

interface UseObserver {
  readonly onUse: () => void;
  readonly onAuthorized: () => void;
  readonly onProblem: (problem: CredentialProblem) => void;
}

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

const failed = (failure: RequestFailure): RequestOutcome => ({ ok: false, failure });

const toFailure = ({ code, reason }: CredentialProblem): RequestFailure =>
  code === 'unavailable' ? { kind: 'lost', reason } : { kind: 'unauthorized', reason };

/** Returns a caller with the identity of its client session, to which the questions of the server belong while several of its calls run. */
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

export class OwnedConnection implements RequestConnection {
  readonly connection: Connection;
  readonly #client: string | undefined;
  readonly #authority: UserAuthority | undefined;
  readonly #observer: UseObserver | undefined;
  #ended: CredentialProblem | undefined;

  /**
   * @param client the client session that owns the connection
   * @param authority absent when requests carry no user's credential
   */
  constructor(
    connection: Connection,
    client: string | undefined,
    authority: UserAuthority | undefined,
    observer: UseObserver | undefined,
  ) {
    this.connection = connection;
    this.#client = client;
    this.#authority = authority;
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
    const authority = this.#authority;
    const client = this.#client;
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
    const clean = (text: string): string => formatSafeLine(text, authority.secrets());
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
