import { createHash, randomBytes } from 'node:crypto';
import type { BrowserPerson } from '../../auth-backend.ts';
import { BROWSER_CLIENT } from '../settings/reserved-clients.ts';
import { BROKER_PATHS } from '../server/broker-paths.ts';
import type { ServerContext } from '../server/server-context.ts';
import { accountIdOf } from '../upstream/account.ts';
import { browserSession } from './browser-session.ts';
import type { Visit } from './interaction-context.ts';

/** Returns the URL that signs a browser in. The verifier of its code is forgotten at once: nothing can redeem it. */
const signInUrl = ({ issuer, returnUri }: ServerContext, state: string): string => {
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const query = new URLSearchParams({
    client_id: BROWSER_CLIENT,
    redirect_uri: returnUri,
    response_type: 'code',
    scope: 'openid',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `${issuer}${BROKER_PATHS.authorize}?${query.toString()}`;
};

/** Returns the person that a browser is signed in as, compared with the one with a key. Rejects with failures of the store. */
export const browserPerson = async (
  visit: Visit,
  { principalKey, state }: { readonly principalKey: string; readonly state: string },
): Promise<BrowserPerson> => {
  const session = await browserSession(visit);
  if (session === undefined)
    return { kind: 'signed-out', signInUrl: signInUrl(visit.context, state) };
  return { kind: session.accountId === accountIdOf(principalKey) ? 'same' : 'other' };
};
