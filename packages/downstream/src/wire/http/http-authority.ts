import type { HttpHandler, HttpHead } from './http-exchange.ts';

/** The refusal of an HTTP request before the server processed it. */
export interface HttpRefusal {
  readonly status: 401 | 403;
  readonly challenge: string | undefined;
  readonly authorization: string | undefined;
}

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

/**
 * Returns the handler of a request that is about to be sent. It reports a refusal to the authority, which may renew the credential.
 *
 * @param resend sends the request once more, after the credential was renewed; without it a refusal is final
 */
export const renewing = (
  authority: HttpAuthority | undefined,
  handler: HttpHandler,
  resend?: () => void,
): HttpHandler => {
  if (authority === undefined) return handler;
  const authorization = authority.authorization();
  let isRefused = false;
  const renew = async (refusal: HttpRefusal, head: HttpHead): Promise<void> => {
    if (resend !== undefined && (await authority.renew(refusal))) {
      resend();
      return;
    }
    authority.refused(refusal);
    handler.onHead(head)?.end();
  };
  return {
    onHead(head) {
      const challenge = head.header('www-authenticate');
      const refusal = httpRefusalOf(head.status, challenge, authorization);
      if (refusal === undefined) return handler.onHead(head);
      isRefused = true;
      void renew(refusal, head);
      return undefined;
    },
    onFailure(error) {
      // The body of a refusal is not used.
      if (!isRefused) handler.onFailure(error);
    },
  };
};
