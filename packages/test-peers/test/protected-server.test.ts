import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ProtectedOptions, computeTokenHash } from '../src/protected-server/authorizer.ts';
import {
  type ProtectedServer,
  startProtectedServer,
} from '../src/protected-server/start-protected-server.ts';
import { startProvider, type TestProvider } from '../src/provider.ts';

const state: { provider?: TestProvider } = {};
const provider = (): TestProvider => {
  if (state.provider === undefined) throw new Error('no provider');
  return state.provider;
};

beforeAll(async () => {
  state.provider = await startProvider();
});
afterAll(() => state.provider?.close());

const start = async (options: ProtectedOptions = {}): Promise<ProtectedServer> => {
  const server = await startProtectedServer({ issuers: [provider().issuer], ...options });
  onTestFinished(server.close);
  return server;
};

const tokenFor = (aud: string, claims: object = {}): Promise<string> =>
  provider().sign({ sub: 'alice', aud, scope: 'mcp', ...claims });

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

const sendJson = (url: string, message: object, token?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(message),
  });

const callOf = (name: string): object => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, arguments: {} },
});

const legacyClient = async (url: string, token: string): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new LegacyTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
};

describe('startProtectedServer', () => {
  it('refuses a request without a token and names the metadata', async () => {
    const server = await start({ challengeScopes: ['mcp'] });
    const response = await sendJson(server.url, INITIALIZE);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="mcp", resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"`,
    );
    const metadata = await fetch(`${server.origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toEqual({
      resource: server.url,
      authorization_servers: [provider().issuer],
      bearer_methods_supported: ['header'],
    });
  });

  it('serves a client of the 2025 revisions and records whose token it received', async () => {
    const server = await start();
    const token = await tokenFor(server.url);
    const client = await legacyClient(server.url, token);
    const result = await client.callTool({ name: 'whoami' });
    const [content] = result.content as { text: string }[];
    expect(JSON.parse(content?.text ?? '')).toMatchObject({ subject: 'alice', scopes: ['mcp'] });
    expect(server.calls('whoami')).toMatchObject([
      { tokenHash: computeTokenHash(token), subject: 'alice', status: 200 },
    ]);
  });

  it('serves a client of revision 2026-07-28', async () => {
    const server = await start();
    const client = new ModernClient({ name: 'test', version: '1' });
    const authProvider = { token: () => tokenFor(server.url) };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { authProvider }));
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['whoami', 'echo', 'slow']);
  });

  it.each([
    ['another audience', { aud: 'https://other.example.com' }],
    ['another issuer', { iss: 'https://other.example.com' }],
    ['an expired token', { exp: 1 }],
  ])('refuses %s', async (_title, claims) => {
    const server = await start();
    const response = await sendJson(server.url, INITIALIZE, await tokenFor(server.url, claims));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('asks for the scopes that a tool needs', async () => {
    const server = await start({ toolScopes: { echo: ['mcp:write'] } });
    const refused = await sendJson(server.url, callOf('echo'), await tokenFor(server.url));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain(
      'error="insufficient_scope", scope="mcp:write"',
    );
    const token = await tokenFor(server.url, { scope: 'mcp mcp:write' });
    expect((await sendJson(server.url, callOf('echo'), token)).status).toBe(200);
  });

  it('refuses the next requests on demand, and the tokens of one user', async () => {
    const server = await start();
    const token = await tokenFor(server.url);
    server.rejectNext(1, { tool: 'echo' });
    const status = async (name: string) => (await sendJson(server.url, callOf(name), token)).status;
    expect(await status('whoami')).toBe(200);
    expect(await status('echo')).toBe(401);
    expect(await status('echo')).toBe(200);
    server.revoke('alice');
    expect(await status('echo')).toBe(401);
  });

  it.each([
    ['root', '/.well-known/oauth-protected-resource', true],
    ['challenge', '/resource-metadata', true],
    ['path-without-challenge', '/.well-known/oauth-protected-resource/mcp', false],
  ] as const)('has its metadata as %s', async (metadata, path, isNamed) => {
    const server = await start({ metadata });
    const response = await sendJson(server.url, INITIALIZE);
    expect(response.headers.get('www-authenticate')).toBe(
      isNamed ? `Bearer resource_metadata="${server.origin}${path}"` : 'Bearer',
    );
    expect((await fetch(server.origin + path)).status).toBe(200);
  });
});
