import type { Principal } from '@gateway/call-contract';
import type { TokenRefusalCode } from './token-refusal.ts';

/** The result of checking the credentials of a request; the port of the MCP endpoint. */
export type Authenticated =
  | { readonly ok: true; readonly principal: Principal; readonly expiresAt?: number }
  | {
      readonly ok: false;
      readonly status: 400 | 401 | 403 | 503;
      /** The reason as a code of a bounded set. */
      readonly reason: TokenRefusalCode;
      /** The reason in one sentence, without any part of the token. */
      readonly sentence: string;
      /** Value of `WWW-Authenticate`. */
      readonly challenge?: string;
    };
