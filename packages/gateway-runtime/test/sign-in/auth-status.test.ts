import { retryAssertion } from '@gateway/repo-checks';
import {
  signIn,
  startProtectedServer,
  startProvider,
  createTestUser,
  type ProtectedServer,
  type TestProvider,
} from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSignInGateway, type SignInGateway } from './gateway-harness.ts';
import { openSession } from './open-stream.ts';

const URI = 'auth://status';

let provider: TestProvider;
let notes: ProtectedServer;

beforeAll(async () => {
  provider = await startProvider();
  notes = await startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] });
});

afterAll(async () => {
  await notes.close();
  await provider.close();
});

const start = async (servers?: Readonly<Record<string, object>>): Promise<SignInGateway> => {
  const gateway = await startSignInGateway({
    servers: servers ?? { notes: { url: notes.url, auth: { type: 'oauth' } } },
    hasCallers: true,
  });
  onTestFinished(() => gateway.close());
  return gateway;
};

const walk = async (gateway: SignInGateway, user: string): Promise<void> => {
  const page = await signIn(await gateway.linkOf(user, 'notes'), createTestUser(user));
  expect(page.status).toBe(200);
};

const requireScope = (): void => {
  notes.setToolScopes({ whoami: ['mcp:admin'] });
  onTestFinished(() => notes.setToolScopes({}));
};

const jsonOf = async (gateway: SignInGateway, name: string, args?: object): Promise<unknown> =>
  JSON.parse((await gateway.call('ada', name, args)).text);

const statusOf = async (gateway: SignInGateway): Promise<unknown> => {
  const contents = await jsonOf(gateway, 'get_resource', { uri: URI });
  return JSON.parse((contents as readonly { readonly text: string }[])[0]?.text ?? '');
};

describe('while a server requires a further scope', () => {
  it('auth://status reports that the user must sign in again, and the connection after they did', async () => {
    const gateway = await start();
    await walk(gateway, 'ada');
    requireScope();
    expect((await gateway.callTool('ada', 'x_notes_whoami')).isError).toBe(true);
    expect(await statusOf(gateway)).toMatchObject({
      servers: [
        {
          name: 'notes',
          status: 'reauth_required',
          auth_tool: 'core_auth_login',
          error: 'Server "notes" requires the scopes "mcp:admin". Sign in again to grant them.',
        },
      ],
    });
    const echoed = await gateway.callTool('ada', 'x_notes_echo', { text: 'still here' });
    expect(echoed).toMatchObject({ isError: false });
    await walk(gateway, 'ada');
    await retryAssertion(async () => {
      expect((await gateway.callTool('ada', 'x_notes_whoami')).text).toContain('ada');
    });
    const { servers } = (await statusOf(gateway)) as { readonly servers: readonly object[] };
    expect(servers).toMatchObject([{ name: 'notes', status: 'connected' }]);
    expect(servers[0]).not.toHaveProperty('error');
  });

  it('a client that follows auth://status is notified', async () => {
    const gateway = await start();
    await walk(gateway, 'ada');
    const stream = await openSession(gateway, 'ada');
    onTestFinished(() => {
      stream.close();
    });
    const subscribed = await fetch(new URL('/mcp', gateway.gateway.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer ada',
        'mcp-session-id': stream.session,
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 2,
        method: 'resources/subscribe',
        params: { uri: URI },
      }),
    });
    expect(await subscribed.text()).toContain('"result":{}');
    requireScope();
    await gateway.callTool('ada', 'x_notes_whoami');
    await retryAssertion(() => {
      expect(stream.methods).toContain('notifications/resources/updated');
    });
  });
});

describe('auth://status with the meta-tools', () => {
  it('is listed, filtered, described and read while a server signs users in', async () => {
    const gateway = await start();
    const entry = { uri: URI, name: 'auth-status', mimeType: 'application/json' };
    expect(await jsonOf(gateway, 'list_resources')).toMatchObject([entry]);
    expect(await jsonOf(gateway, 'filter_resources', { pattern: 'auth://*' })).toMatchObject({
      total: 1,
      resources: [entry],
    });
    expect(await jsonOf(gateway, 'describe_resource', { uri: URI })).toMatchObject(entry);
    expect(await statusOf(gateway)).toMatchObject({
      servers: [{ name: 'notes', status: 'auth_required' }],
    });
  });

  it('does not exist where no server signs users in', async () => {
    const gateway = await start({});
    expect(await jsonOf(gateway, 'list_resources')).toEqual([]);
    expect((await gateway.call('ada', 'get_resource', { uri: URI })).isError).toBe(true);
  });
});
