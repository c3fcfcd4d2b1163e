import type { BodyReader } from './http-body.ts';
import type { HttpHandler, HttpHead } from './http-exchange.ts';

/** The refusal of an HTTP request before the server processed it. */
export interface HttpRefusal {
  readonly status: 401 | 403;
  /** The `WWW-Authenticate` header of the answer. */
  readonly challenge: string | undefined;
  /** The `Authorization` header of the refused request. */
  readonly authorization: string | undefined;
}

/** Authorizes the HTTP requests of one connection. */
export interface HttpAuthority {
  /** Returns the value of the `Authorization` header of the next request; it replaces that of the server's definition. */
  authorization(): string | undefined;
  /** Resolves with whether the request is to be sent once more, with the header of that time. Never rejects. */
  renew(refusal: HttpRefusal): Promise<boolean>;
  /** The repeated request was refused too, or was not repeated. */
  refused(refusal: HttpRefusal): void;
}

const INSUFFICIENT_SCOPE = /\berror\s*=\s*"?insufficient_scope\b/i;

/**
 * Returns the refusal of an answer that another credential may change: 401, or 403 whose challenge names `insufficient_scope` (RFC 6750
 * §3.1). Such a request was not processed.
 */
const httpRefusalOf = (
  status: number,
  challenge: string | undefined,
  authorization: string | undefined,
): HttpRefusal | undefined => {
  if (status === 401) return { status, challenge, authorization };
  return status === 403 && challenge !== undefined && INSUFFICIENT_SCOPE.test(challenge)
    ? { status, challenge, authorization }
    : undefined;
};

/** Reports a refusal to the authority of its connection, which may renew the credential. */
class RenewingHandler implements HttpHandler {
  readonly #authority: HttpAuthority;
  readonly #handler: HttpHandler;
  readonly #resend: (() => void) | undefined;
  /** The request was sent with it. */
  readonly #authorization: string | undefined;
  #isRefused = false;

  constructor(authority: HttpAuthority, handler: HttpHandler, resend: (() => void) | undefined) {
    this.#authority = authority;
    this.#handler = handler;
    this.#resend = resend;
    this.#authorization = authority.authorization();
  }

  onHead(head: HttpHead): BodyReader | undefined {
    const challenge = head.header('www-authenticate');
    const refusal = httpRefusalOf(head.status, challenge, this.#authorization);
    if (refusal === undefined) return this.#handler.onHead(head);
    this.#isRefused = true;
    void this.#renew(refusal, head);
    return undefined;
  }

  onFailure(error: Error): void {
    // The body of a refusal is not used.
    if (!this.#isRefused) this.#handler.onFailure(error);
  }

  async #renew(refusal: HttpRefusal, head: HttpHead): Promise<void> {
    if (this.#resend !== undefined && (await this.#authority.renew(refusal))) {
      this.#resend();
      return;
    }
    this.#authority.refused(refusal);
    this.#handler.onHead(head)?.end();
  }
}

/**
 * Returns the handler of a request that is about to be sent.
 *
 * @param resend sends the request once more, after the credential was renewed; without it a refusal is final
 */
export const renewing = (
  authority: HttpAuthority | undefined,
  handler: HttpHandler,
  resend?: () => void,
): HttpHandler =>
  authority === undefined ? handler : new RenewingHandler(authority, handler, resend);
