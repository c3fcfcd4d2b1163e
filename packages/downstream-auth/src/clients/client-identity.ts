import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1), z.maxLength(4_096));
const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/** The client authentication at the token endpoint. RFC 7591 §2 */
export type ClientMethod = (typeof METHODS)[number];

/** A client of one issuer. */
export interface ClientIdentity {
  readonly clientId: string;
  /** Secret. */
  readonly clientSecret?: string;
  readonly method: ClientMethod;
  /** The way in which the issuer learned of the client. */
  readonly kind: 'pre-registered' | 'document' | 'registered';
  /** The end of the secret, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

const identity = z.object({
  clientId: text,
  clientSecret: z.exactOptional(text),
  method: z.enum(METHODS),
  kind: z.enum(['pre-registered', 'document', 'registered']),
  expiresAt: z.exactOptional(z.number()),
});

/** Returns a stored client, or `undefined` when the value has another form. */
export const parseClientIdentity = (value: unknown): ClientIdentity | undefined =>
  identity.safeParse(value).data;

/** Returns the method for a client with a secret: the first that the server supports. RFC 8414 §2: without a list it is `client_secret_basic`. */
export const secretMethodOf = (supported: readonly string[] | undefined): ClientMethod =>
  supported === undefined || supported.includes('client_secret_basic')
    ? 'client_secret_basic'
    : 'client_secret_post';

/** Returns the method to register with: no secret where the server allows it. */
export const registrationMethodOf = (supported: readonly string[] | undefined): ClientMethod =>
  supported?.includes('none') === true ? 'none' : secretMethodOf(supported);
