import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ProtectedOptions } from '../src/protected-server/authorizer.ts';
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

describe('startProtectedServer', () => {
  it.each([
    ['another audience', { aud: 'https://other.example.com' }],
    ['another issuer', { iss: 'https://other.example.com' }],
    ['an expired token', { exp: 1 }],
  ])('refuses %s', async (_title, claims) => {
    const server = await start();
    const token = await tokenFor(server.url, claims);
    const response = await sendJson(server.url, callOf('whoami'), token);
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
});
