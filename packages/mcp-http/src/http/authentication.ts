import type { Principal, Authenticated } from '@gateway/call-contract';
import type { IncomingMessage } from 'node:http';
import type { CredentialRefusal, Refusal } from '../protocol/refusal.ts';
import type { HttpExchange } from '../wire/http-exchange.ts';
import type { RequestRate } from '../admission/rate-limiter.ts';

/** Checks the credentials of requests. */
export interface RequestAuthenticator {
  /**
   * Returns the principal of a request, synchronously where it is cached; never rejects. Reads the request line and the headers. It calls `mayVerify`
   * before it verifies credentials that it does not know; `false` means that the caller sent too many, and the result is not used.
   */
  readonly authenticate: (
    request: IncomingMessage,
    mayVerify: () => boolean,
  ) => Authenticated | Promise<Authenticated>;
  /** Returns the value of `WWW-Authenticate` for a request whose credentials lack scopes. RFC 6750 §3.1 */
  readonly scopeChallenge: (scopes: readonly string[]) => string;
}

/** Continues with a request: its principal is recorded in the exchange, or its credentials are refused. */
type Identified = (exchange: HttpExchange, refusal?: Refusal) => void;

/** Finds the principal of each request before anything of it is served. */
export class Authentication {
  readonly #authenticate: RequestAuthenticator['authenticate'] | undefined;
  readonly #requestRate: RequestRate;
  readonly #onError: (error: unknown) => void;

  /**
   * @param authenticate absent where callers do not sign in
   * @param requestRate the rate that the address of a caller has before its credentials are verified
   */
  constructor(
    authenticate: RequestAuthenticator['authenticate'] | undefined,
    requestRate: RequestRate,
    onError: (error: unknown) => void,
  ) {
    this.#authenticate = authenticate;
    this.#requestRate = requestRate;
    this.#onError = onError;
  }

  /** Records the principal of a request, then continues: in the same turn, unless its credentials have to be verified first. */
  identify(exchange: HttpExchange, next: Identified): void {
    if (this.#authenticate === undefined) {
      next(exchange);
      return;
    }
    let excess: Refusal | undefined;
    const authenticated = this.#authenticate(exchange.request, () => {
      excess = this.#requestRate(exchange.caller, 1);
      return excess === undefined;
    });
    if (excess !== undefined) exchange.refuse(excess);
    else if (authenticated instanceof Promise)
      void this.#identifyLater(exchange, authenticated, next);
    else next(exchange, this.#record(exchange, authenticated));
  }

  async #identifyLater(
    exchange: HttpExchange,
    authenticated: Promise<Authenticated>,
    next: Identified,
  ): Promise<void> {
    let refusal: Refusal | undefined;
    try {
      refusal = this.#record(exchange, await authenticated);
    } catch (error) {
      this.#onError(error);
      refusal = { code: 'internal' };
    }
    // The client may have disconnected in the meantime.
    if (exchange.response.destroyed) return;
    try {
      next(exchange, refusal);
    } catch (error) {
      this.#onError(error);
      if (!exchange.response.headersSent) exchange.refuse({ code: 'internal' });
    }
  }

  /** Records the principal. Returns the refusal of invalid credentials. */
  #record(exchange: HttpExchange, authenticated: Authenticated): CredentialRefusal | undefined {
    if (authenticated.ok) {
      const { principal, expiresAt } = authenticated;
      const areAccepted = () => this.#areAccepted(exchange.request, principal);
      exchange.identify(principal, { expiresAt, areAccepted });
      return undefined;
    }
    const { status, reason, sentence, challenge } = authenticated;
    return {
      ...{ code: 'not-authenticated', status, sentence },
      ...(reason !== undefined && { reason }),
      ...(challenge !== undefined && { challenge }),
    };
  }

  /** Credentials that cannot be checked now, because an issuer or the store is away, count until they expire. */
  async #areAccepted(request: IncomingMessage, principal: Principal): Promise<boolean> {
    try {
      const again = await this.#authenticate?.(request, () => true);
      if (again === undefined) return true;
      return again.ok ? again.principal.key === principal.key : again.status === 503;
    } catch (error) {
      this.#onError(error);
      return true;
    }
  }
}
