import { createHash } from 'node:crypto';
import type { Credential } from '../ports/credentials.ts';

const ID_CHARS = 16;

/** The syntax of a token in the header `Authorization`. RFC 6750 §2.1 */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/u;
/** Servers accept headers of 8 to 16 KiB in total. */
const MAX_CHARS = 16 * 1024;

/** Returns whether a token can be sent in the header `Authorization`. */
export const isBearerToken = (token: string): boolean =>
  token.length <= MAX_CHARS && BEARER_TOKEN.test(token);

/** Returns the credential that sends a token in the header `Authorization`. RFC 6750 §2.1 */
export const bearerCredential = (token: string): Credential => ({
  authorization: `Bearer ${token}`,
  id: createHash('sha256').update(token).digest('base64url').slice(0, ID_CHARS),
});
