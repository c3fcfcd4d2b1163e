import { createSign } from 'node:crypto';

/** The API server accepts a token for this time after its `exp`. */
const LEEWAY_SECONDS = 60;

/** A service account as the API has stored it. */
export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs a token as the API server does, which itself issues none for less than 10 minutes.
 * @param seconds how long the API server accepts it
 */
export const signAccountToken = (
  key: string,
  issuer: string,
  { namespace, name, uid }: ServiceAccount,
  seconds: number,
): string => {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: [issuer],
    sub: `system:serviceaccount:${namespace}:${name}`,
    iat: now - LEEWAY_SECONDS,
    nbf: now - LEEWAY_SECONDS,
    exp: now + seconds - LEEWAY_SECONDS,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
  };
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
};
