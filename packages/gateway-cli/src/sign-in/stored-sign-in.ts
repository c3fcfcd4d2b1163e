import type { ClientIdentity } from './identify-client.ts';

/** The sign-in of a person to one gateway, as it is stored. */
export interface StoredSignIn {
  readonly issuer: string;
  readonly resource: string;
  readonly client: ClientIdentity;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly accessToken: string;
  /** Time in milliseconds; unknown when the server does not say it. */
  readonly expiresAt?: number;
  /** Time in milliseconds from which the token is refreshed. */
  readonly refreshAt?: number;
  readonly refreshToken?: string;
  readonly scope?: string;
  /** Shown to the person, and never used for a decision. */
  readonly subject?: string;
  /** E-mail address of the person, as the ID token states it; shown like the subject. */
  readonly email?: string;
  /** Name of the person, as the ID token states it; shown like the subject. */
  readonly name?: string;
}

/** Returns the text that shows the person: the e-mail address, the name or the subject, whichever is known first. */
export const shownPerson = ({
  email,
  name,
  subject,
}: Pick<StoredSignIn, 'email' | 'name' | 'subject'>): string | undefined =>
  email ?? name ?? subject;

const REQUIRED = ['issuer', 'resource', 'tokenEndpoint', 'accessToken'] as const;

/** Returns the sign-in of a JSON value that this program wrote, or undefined for any other value. */
export const parseSignIn = (value: unknown): StoredSignIn | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const client = fields['client'] as Record<string, unknown> | null | undefined;
  const isComplete =
    REQUIRED.every((name) => typeof fields[name] === 'string') &&
    typeof client?.['clientId'] === 'string';
  return isComplete ? (value as StoredSignIn) : undefined;
};
