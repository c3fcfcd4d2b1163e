import { retryAssertion } from '@gateway/repo-checks';
import {
  startProtectedServer,
  startProvider,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from './gateway-harness.ts';
import { openSession } from './open-stream.ts';
import { toolsOf, walk, whoami } from './signed-in-user.ts';

let provider: TestProvider;
let notes: ProtectedServer;
let weather: ProtectedServer;
let gateway: SignInGateway;

beforeAll(async () => {
  provider = await startProvider();
  [notes, weather] = await Promise.all([
    startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] }),
    startProtectedServer(),
  ]);
});

afterEach(() => gateway.close());

afterAll(async () => {
  await Promise.all([notes.close(), weather.close(), provider.close()]);
});

const start = async (): Promise<void> => {
  gateway = await startSignInGateway({
    servers: {
      notes: { url: notes.url, auth: { type: 'oauth' } },
      weather: { url: weather.url },
    },
  });
};

const restart = (server: string) =>
  gateway.callTool(undefined, 'core_service_restart', { name: server });

/** Calls a tool in a session of 2025-11-25. */
const callIn = async (session: string, name: string): Promise<string> => {
  const response = await fetch(new URL('/mcp', gateway.gateway.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'call_tool', arguments: { name, arguments: {} } },
    }),
  });
  return response.text();
};

describe('a server without sign-in', () => {
  it('works before, during and after the sign-in to another one', async () => {
    await start();
    const forecast = () => gateway.callTool(undefined, 'x_weather_echo', { text: 'sun' });
    await retryAssertion(async () => {
      expect(await toolsOf(gateway)).toContain('x_weather_echo');
    });
    expect((await forecast()).isError).toBe(false);
    await gateway.linkOf(undefined, 'notes');
    expect((await forecast()).isError).toBe(false);
    await walk(gateway, undefined, 'notes');
    expect((await forecast()).isError).toBe(false);
    await gateway.logout(undefined, 'notes');
    expect((await forecast()).isError).toBe(false);
    expect(await toolsOf(gateway)).toContain('x_weather_echo');
  });
});

describe('the restart of a server that users sign in to', () => {
  it('reports that it requires authentication, and leaves the sign-in of the caller', async () => {
    await start();
    expect(await restart('notes')).toMatchObject({
      isError: false,
      text: `Service 'notes' requires authentication; sign in with core_auth_login(server="notes")`,
    });
    await walk(gateway, undefined, 'notes');
    expect((await restart('notes')).text).toContain('requires authentication');
    expect((await whoami(gateway, undefined, 'notes')).text).toContain('"somebody"');
  });
});

describe('two sessions without the sign-in of callers', () => {
  it('are one user, who is signed in in both', async () => {
    await start();
    const sessions = [await openSession(gateway, ''), await openSession(gateway, '')];
    for (const { session } of sessions)
      expect(await callIn(session, 'x_notes_whoami')).toContain('not found');
    await walk(gateway, undefined, 'notes');
    for (const { session } of sessions)
      expect(await callIn(session, 'x_notes_whoami')).toContain('somebody');
    for (const { close } of sessions) close();
  });
});
