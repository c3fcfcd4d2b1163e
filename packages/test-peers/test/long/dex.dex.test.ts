import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { signIn } from '../../src/sign-in.ts';
import { startDex } from '../../src/services.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';
const isEnd = (url: URL): boolean => url.href.startsWith(CALLBACK);

it('signs a user in with a password, and adds the audience of another client', async () => {
  const dex = await startDex({
    clients: [
      { id: 'gateway', secret: 'secret', redirectURIs: [CALLBACK] },
      { id: 'kube', secret: 'other', trustedPeers: ['gateway'] },
    ],
  });
  onTestFinished(dex.close);
  const verifier = 'v'.repeat(43);
  const query = new URLSearchParams({
    client_id: 'gateway',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email offline_access audience:server:client_id:kube',
    state: 's',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const user = { name: 'alice@example.com', password: 'password' };
  const page = await signIn(`${dex.issuer}/auth?${query.toString()}`, user, { isEnd });
  const response = await fetch(`${dex.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('gateway:secret')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(page.url).searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    }),
  });
  const tokens = (await response.json()) as { id_token: string; refresh_token: string };
  expect(decodeJwt(tokens.id_token)).toMatchObject({
    iss: dex.issuer,
    aud: ['kube', 'gateway'],
    email: 'alice@example.com',
  });
  expect(tokens.refresh_token).toBeTypeOf('string');
});
