import type { Principal } from '@gateway/call-contract';
import type { IncomingMessage } from 'node:http';

/** The result of checking the credentials of a request. */
export type Authenticated =
  | {
      readonly ok: true;
      readonly principal: Principal;
      /** Time at which the credentials expire, in milliseconds since the epoch; absent: they do not expire. */
      readonly expiresAt?: number;
    }
  | {
      readonly ok: false;
      readonly status: 400 | 401 | 403 | 503;
      /** The reason as a code of a bounded set, for metrics and logs. */
      readonly reason?: string;
      /** The reason in one sentence, without any part of the credentials. */
      readonly sentence: string;
      /** Value of `WWW-Authenticate`. */
      readonly challenge?: string;
    };

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
