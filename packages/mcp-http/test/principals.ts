import {
  type AuthenticationOutcome,
  type Principal,
  createPrincipal,
} from '@gateway/call-contract';
import type { IncomingMessage } from 'node:http';
import type { McpHttpOptions } from '../src/transports/mcp-http.ts';

export const user = (subject: string): Principal =>
  createPrincipal({ issuer: 'https://issuer.test', subject });

/** Credentials of a user: the name after `Bearer`; `later-` before the name makes the check asynchronous. */
export const as = (name: string): { readonly authorization: string } => ({
  authorization: `Bearer ${name}`,
});

const REFUSED: AuthenticationOutcome = {
  ...{ ok: false, status: 401, sentence: 'Sign in first.' },
  challenge: 'Bearer resource_metadata="https://gateway.test/metadata"',
};

const authenticate = ({
  headers,
}: IncomingMessage): AuthenticationOutcome | Promise<AuthenticationOutcome> => {
  const name = headers.authorization?.replace(/^Bearer /, '');
  if (name === undefined) return REFUSED;
  if (name === 'broken') throw new Error('a bug');
  if (name === 'later-broken') return Promise.reject(new Error('a later bug'));
  const [subject = '', seconds] = name.replace('later-', '').split('@');
  const found: AuthenticationOutcome = {
    ...{ ok: true, principal: user(subject) },
    ...(seconds !== undefined && { expiresAt: Date.now() + Number(seconds) * 1_000 }),
  };
  return name.startsWith('later-') ? Promise.resolve(found) : found;
};

/** The options of an endpoint whose callers sign in. */
export const SIGNED_IN: Pick<McpHttpOptions, 'authenticate' | 'scopeChallenge'> = {
  authenticate,
  scopeChallenge: (scopes) => `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
};
