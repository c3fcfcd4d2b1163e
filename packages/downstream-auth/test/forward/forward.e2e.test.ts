import { createPrincipal } from '@gateway/call-contract';
import { startProtectedServer, startProvider, computeTokenHash } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import type { McpServer } from '@gateway/crd-schemas';
import { remoteServer } from '../remote-server.ts';
import { requirement } from '../requirement.ts';
import { closing } from '../serve.ts';
import { connectAs, credentialsWith, signedBy } from '../sso-peers.ts';

const startPeers = async (audiences: readonly string[] = ['gateway']) => {
  const provider = await closing(startProvider());
  const server = await closing(startProtectedServer({ issuers: [provider.issuer], audiences }));
  const alice = createPrincipal({ issuer: provider.issuer, subject: 'alice' });
  return { provider, server, alice };
};

const forwardingTo = (url: string, requiredAudiences: readonly string[] = []): McpServer =>
  remoteServer({ forwardToken: true, requiredAudiences }, url);

const AGAIN = { ok: false, code: 'sign-in-again' };

requirement('5.1/forwarding', () => {
  it('signs the user in to a server that trusts the client ID of the gateway', async () => {
    const { provider, server, alice } = await startPeers();
    const source = signedBy(provider);
    const credentials = await credentialsWith(source);
    expect(await connectAs(credentials, forwardingTo(server.url), alice)).toBe(200);
    const outcome = await source.idToken(alice, { audiences: [] });
    expect(server.requests).toMatchObject([
      { subject: 'alice', tokenHash: outcome.ok ? computeTokenHash(outcome.token) : '' },
    ]);
  });

  it('signs the user in to a server that requires another audience', async () => {
    const { provider, server, alice } = await startPeers(['kubernetes']);
    const credentials = await credentialsWith(signedBy(provider, ['kubernetes']));
    const resource = forwardingTo(server.url, ['kubernetes']);
    expect(await connectAs(credentials, resource, alice)).toBe(200);
  });

  it('sends nothing without the audience', async () => {
    const { provider, server, alice } = await startPeers(['kubernetes']);
    const credentials = await credentialsWith(signedBy(provider));
    const resource = forwardingTo(server.url, ['kubernetes']);
    expect(await connectAs(credentials, resource, alice)).toMatchObject(AGAIN);
    expect(server.requests).toEqual([]);
  });

  it('renews the token once when the server refuses it', async () => {
    const { provider, server, alice } = await startPeers();
    const credentials = await credentialsWith(signedBy(provider));
    const resource = forwardingTo(server.url);
    server.rejectNext(1);
    expect(await connectAs(credentials, resource, alice)).toBe(200);
    expect(new Set(server.requests.map((each) => each.tokenHash)).size).toBe(2);
  });

  it('reports a server that trusts another issuer', async () => {
    const { provider, alice } = await startPeers();
    const other = await startPeers();
    const credentials = await credentialsWith(signedBy(provider));
    const resource = forwardingTo(other.server.url);
    expect(await connectAs(credentials, resource, alice)).toBe(401);
    expect(await connectAs(credentials, resource, alice)).toMatchObject(AGAIN);
  });
});
