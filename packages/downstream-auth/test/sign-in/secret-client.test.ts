import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientCredentialsSecretRef, McpServer } from '@gateway/crd-schemas';
import type { TestProvider } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RegisteredClient } from '../../src/clients/identify-client.ts';
import { createFileSecretSource } from '../../src/index.ts';
import {
  ALICE,
  createAuthorizationUrl,
  protectedServer,
  provider,
  testGateway,
  type TestGateway,
} from './test-gateway.ts';

const SECRET = 'a+b%c d:e';
const REFERENCE: ClientCredentialsSecretRef = {
  name: 'wiki-client',
  namespace: 'default',
  clientIdKey: 'client-id',
  clientSecretKey: 'client-secret',
};

/** A configuration directory in which Secrets can be written. */
const secretsDirectory = () => {
  const path = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  const write = (file: string, text: string): void => {
    const folder = join(path, 'secrets', 'wiki-client');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), text, { mode: 0o600 });
    chmodSync(join(folder, file), 0o600);
  };
  return { path, write };
};

const issuerFor = (gateway: TestGateway): Promise<TestProvider> =>
  provider({
    clients: ['own', 'shared'].map((client_id) => ({
      client_id,
      client_secret: SECRET,
      redirect_uris: [`${gateway.publicUrl.origin}/oauth/proxy/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native' as const,
    })),
  });

const setUp = async () => {
  const { path, write } = secretsDirectory();
  const clients: RegisteredClient[] = [];
  const secrets = createFileSecretSource({ directory: path });
  const gateway = await testGateway({ clients, secrets });
  const issuer = await issuerFor(gateway);
  const { url } = await protectedServer({ issuers: [issuer.issuer] });
  const pinned = { issuer: issuer.issuer, scopes: 'mcp', clientCredentialsSecretRef: REFERENCE };
  const wiki = gateway.add('wiki', url, pinned);
  const writeClient = (id: string, secret = SECRET): void => {
    write('client-id', id);
    write('client-secret', secret);
  };
  return { gateway, issuer, wiki, url, writeClient, clients };
};

/** Returns the client ID of the link that a browser is sent to. */
const clientOf = async (gateway: TestGateway, server: McpServer): Promise<string | null> =>
  (await createAuthorizationUrl(await gateway.link(server))).searchParams.get('client_id');

describe('a server of type oauth with clientCredentialsSecretRef', () => {
  it('signs in to a server of type oauth with the client of its Secret', async () => {
    const { gateway, issuer, wiki, writeClient } = await setUp();
    writeClient('own', `${SECRET}\n`);
    const page = await gateway.signIn(wiki, ALICE);
    expect(page.status).toBe(200);
    expect(await gateway.request(wiki, ALICE)).toBe(200);
    expect(issuer.count('/reg')).toBe(0);
  });

  it('prefers it to the client of auth.serverClients, which other servers of the issuer use', async () => {
    const { gateway, issuer, wiki, url, writeClient, clients } = await setUp();
    writeClient('own');
    const clientSecret = () => Promise.resolve(SECRET);
    clients.push({ issuer: issuer.issuer, clientId: 'shared', clientSecret });
    const other = gateway.add('other', url, { issuer: issuer.issuer });
    expect(await clientOf(gateway, wiki)).toBe('own');
    expect(await clientOf(gateway, other)).toBe('shared');
  });

  it('refuses the sign-in while the Secret cannot be read, instead of another client', async () => {
    const { gateway, issuer, wiki, writeClient } = await setUp();
    expect(await gateway.auth.login(wiki, ALICE)).toEqual({
      code: 'failed',
      reason: `Cannot sign in to server "wiki": the client of "${issuer.issuer}" cannot be read: the file secrets/wiki-client/client-id does not exist: create it with mode 0600.`,
    });
    expect(issuer.count('/reg')).toBe(0);
    writeClient('own');
    expect(await clientOf(gateway, wiki)).toBe('own');
  });

  it('shows no secret as a client ID', async () => {
    const { gateway, issuer, url, writeClient } = await setUp();
    writeClient('own');
    const clientCredentialsSecretRef = { ...REFERENCE, clientIdKey: 'client-secret' };
    const pinned = { issuer: issuer.issuer, clientCredentialsSecretRef };
    const shown = await gateway.auth.login(gateway.add('thief', url, pinned), ALICE);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(shown).toMatchObject({
      code: 'failed',
      reason: expect.stringContaining('clientIdKey and clientSecretKey name the same value'),
    });
  });

  it('reads the Secret for each request to the token endpoint', async () => {
    const { gateway, issuer, wiki, writeClient } = await setUp();
    writeClient('own');
    expect((await gateway.signIn(wiki, ALICE)).status).toBe(200);
    const current = await gateway.auth.credentials.current(wiki, ALICE);
    if (!current.ok) throw new Error(current.reason);
    const { credential } = current;
    const rejection = { status: 401, challenge: undefined, credential } as const;
    writeClient('own', 'wrong');
    const refused = await gateway.auth.credentials.renewRejected(wiki, ALICE, rejection);
    expect(refused).toMatchObject({ ok: false, code: 'sign-in-again' });
    writeClient('shared');
    expect((await gateway.signIn(wiki, ALICE)).status).toBe(200);
    expect(await gateway.request(wiki, ALICE)).toBe(200);
    expect(issuer.count('/reg')).toBe(0);
  });
});
