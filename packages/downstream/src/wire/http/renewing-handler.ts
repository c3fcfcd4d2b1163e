import { httpRefusalOf } from './http-authority.ts';
import type { HttpAuthority, HttpRefusal } from './http-authority.ts';
import type { BodyReader } from './http-body.ts';
import type { HttpHandler, HttpHead } from './http-exchange.ts';

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
