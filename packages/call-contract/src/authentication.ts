import type { Principal } from './call-context.ts';

/** The result of checking the credentials of a request. */
export type AuthenticationOutcome =
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
