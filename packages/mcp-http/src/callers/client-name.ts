import { ANONYMOUS, isJsonObject, type Principal } from '@gateway/call-contract';
import type { HeaderReader } from '../protocol/request-headers.ts';

/** The facts about a call without a session that name its client. */
interface CallOfClient {
  readonly principal: Principal;
  /** The network of a caller who has not signed in. */
  readonly callerKey: string | undefined;
  readonly header: HeaderReader;
}

/** Maximum length of the name and of the version of a program that is distinguished from others. */
const MAX_CHARS = 256;

/** A loopback address; an IPv6 address is the network of 64 bits that contains it. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|0:0:0:0::\/64)$/;

/** Headers of a proxy, whose address is not that of the caller. RFC 7239, RFC 9110 §7.6.3 */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_CHARS;

/** Returns the name of the client of a session. */
export const sessionClient = (sessionId: string): string => `session:${sessionId}`;

/**
 * Returns the name of the client of a call of 2026-07-28, which has no session: the person who has signed in, and the program that
 * `clientInfo` names. Without a sign-in only callers on this machine have a name, because one address may be that of many persons;
 * callers behind a proxy on this machine have none.
 *
 * @param clientInfo the value of `_meta`, unchecked
 */
export const nameOfClient = (
  { principal, callerKey, header }: CallOfClient,
  clientInfo: unknown,
): string | undefined => {
  if (!isJsonObject(clientInfo)) return undefined;
  const { name, version } = clientInfo;
  if (!isText(name) || !isText(version)) return undefined;
  if (principal.key !== ANONYMOUS.key) return JSON.stringify([principal.key, name, version]);
  const isLocal = callerKey !== undefined && LOOPBACK.test(callerKey);
  const isForwarded = FORWARDING.some((name) => header(name) !== undefined);
  return isLocal && !isForwarded ? JSON.stringify([callerKey, name, version]) : undefined;
};
