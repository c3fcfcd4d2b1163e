import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import {
  CookieBrowser,
  signIn,
  startProtectedServer,
  startProvider,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
  findFreePort,
} from '@gateway/test-peers';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';

const REDIRECT = 'http://127.0.0.1:7/callback';

let provider: TestProvider;
let notes: ProtectedServer;
let directory: ConfigDirectory;
let port: number;
let gateway: RunningGateway;

beforeAll(async () => {
  port = await findFreePort();
  provider = await startProvider({
    clients: [
      {
        client_id: 'gateway',
        client_secret: 'the secret of the gateway',
        redirect_uris: [`http://127.0.0.1:${port}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  notes = await startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] });
  directory = createTestConfigDirectory();
  directory.write('secret', 'the secret of the gateway');
  directory.config({
    auth: {
      mode: 'broker',
      allowPrivate: true,
      broker: {
        upstream: { issuer: provider.issuer, clientId: 'gateway', clientSecretFile: 'secret' },
      },
    },
  });
  const auth = { type: 'oauth' };
  directory.server('notes', { type: 'streamable-http', url: notes.url, auth, autoStart: true });
});

afterEach(() => gateway.stop());

afterAll(async () => {
  await Promise.all([notes.close(), provider.close()]);
  directory.remove();
});

/** A user with a browser and an access token of the gateway. */
const userAt = async (url: URL, name: string) => {
  const browser = new CookieBrowser({ isEnd: ({ href }) => href.startsWith(REDIRECT) });
  const verifier = randomBytes(32).toString('base64url');
  const request = new URL('/oauth/authorize', url);
  request.search = new URLSearchParams({
    ...{ client_id: 'gateway-cli', redirect_uri: REDIRECT, response_type: 'code' },
    ...{ scope: 'mcp:read', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  }).toString();
  const page = await signIn(request, createTestUser(name), { browser });
  const answer = await fetch(new URL('/oauth/token', url), {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: 'gateway-cli', redirect_uri: REDIRECT },
      ...{ code: new URL(page.url).searchParams.get('code') ?? '', code_verifier: verifier },
    }),
  });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  return { browser, token };
};

interface ToolCallAnswer {
  readonly result?: {
    readonly structuredContent?: { readonly authUrl?: string };
    readonly content: readonly { readonly text: string }[];
  };
}

/** Calls a tool in a request of the revision of 2026, which needs no session. */
const callAs = async (token: string, name: string, args: object): Promise<ToolCallAnswer> => {
  const response = await fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'call_tool',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: {
        name: 'call_tool',
        arguments: { name, arguments: args },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const text = await response.text();
  return JSON.parse(text.replace(/^[\s\S]*?data: /u, '')) as ToolCallAnswer;
};

const whoami = async (token: string): Promise<string> =>
  (await callAs(token, 'x_notes_whoami', {})).result?.content[0]?.text ?? '';

describe('a gateway', () => {
  it('does not give an attacker the account of a user who opens the link of the attacker', async () => {
    gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
    const { url } = gateway;
    const [alice, bob] = [await userAt(url, 'alice'), await userAt(url, 'bob')];
    const link = (await callAs(bob.token, 'core_auth_login', { server: 'notes' })).result
      ?.structuredContent?.authUrl;
    const page = await alice.browser.open(link ?? '');
    expect(page.status).toBe(400);
    expect(page.visited).toHaveLength(1);
    expect(await whoami(bob.token)).toBe('Tool not found: x_notes_whoami');
    const own = await signIn(link ?? '', createTestUser('bob'), { browser: bob.browser });
    expect(own.status).toBe(200);
    await expect.poll(() => whoami(bob.token), { timeout: 10_000 }).toContain('bob');
    expect(await whoami(alice.token)).not.toContain('bob');
  });

  it('signs a browser in to itself before it opens a link there, and refuses another user', async () => {
    gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
    const bob = await userAt(gateway.url, 'bob');
    const login = await callAs(bob.token, 'core_auth_login', { server: 'notes' });
    const link = login.result?.structuredContent?.authUrl ?? '';
    const refused = await signIn(link, createTestUser('alice'));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Authentication session invalid. Please try again.');
    expect(new URL(refused.url).pathname).toBe('/oauth/proxy/start');
    const browser = new CookieBrowser();
    const own = await signIn(link, createTestUser('bob'), { browser });
    expect(own.text).toContain('You are signed in to notes.');
    await expect.poll(() => whoami(bob.token), { timeout: 10_000 }).toContain('bob');
  });
});
