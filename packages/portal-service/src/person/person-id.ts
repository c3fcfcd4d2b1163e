import { createHmac } from 'node:crypto';
import type { SignedInSession } from './session-record.ts';

/** A session, and who has it. */
export interface IdentifiedSession {
  readonly sessionId: string;
  readonly session: Pick<SignedInSession, 'subject'>;
}

/** Returns the identifier of the person of a session. */
export type PersonId = (identified: IdentifiedSession) => string;

/**
 * Creates the identifiers of persons for browsers: equal in all sessions of a person and on all replicas that share the key, and
 * meaningless elsewhere. A provider that names no subject gives each session a person of its own.
 */
export const createPersonId =
  (key: Uint8Array, issuer: string): PersonId =>
  ({ session: { subject }, sessionId }) => {
    const who = subject === '' ? ['session', sessionId] : ['person', issuer, subject];
    return createHmac('sha256', key).update(JSON.stringify(who)).digest('base64url');
  };
