import type { Principal } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import type { ConnectionAuthority } from '../connection/server-link.ts';
import type {
  Credential,
  CredentialOutcome,
  ServerCredentials,
} from '../credentials/server-credentials.ts';
import type { HttpRefusal } from '../wire/http/http-authority.ts';

/** Why a user's request cannot be authorized. */
export type CredentialProblem = Extract<CredentialOutcome, { readonly ok: false }>;

/** The user and the server of a connection, and the source of the credentials. */
export interface AuthorityOptions {
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
