import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SignInGateway } from './gateway-harness.ts';
import { useNotes } from './notes-scene.ts';
import { openSession } from './open-stream.ts';
import { walk } from './signed-in-user.ts';

const URI = 'auth://status';

const scene = useNotes();

const requireScope = (): void => {
  scene.notes.setToolScopes({ whoami: ['mcp:admin'] });
  onTestFinished(() => scene.notes.setToolScopes({}));
};

const jsonOf = async (gateway: SignInGateway, name: string, args?: object): Promise<unknown> =>
  JSON.parse((await gateway.call('ada', name, args)).text);

const statusOf = async (gateway: SignInGateway): Promise<unknown> => {
  const contents = await jsonOf(gateway, 'get_resource', { uri: URI });
  return JSON.parse((contents as readonly { readonly text: string }[])[0]?.text ?? '');
};

describe('while a server requires a further scope', () => {
  it('auth://status reports that the user must sign in again, and the connection after they did', async () => {
    const gateway = await scene.start();
    await walk(gateway, 'ada', 'notes');
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
    await walk(gateway, 'ada', 'notes');
    await retryAssertion(async () => {
      expect((await gateway.callTool('ada', 'x_notes_whoami')).text).toContain('ada');
    });
    const { servers } = (await statusOf(gateway)) as { readonly servers: readonly object[] };
    expect(servers).toMatchObject([{ name: 'notes', status: 'connected' }]);
    expect(servers[0]).not.toHaveProperty('error');
  });

  it('a client that follows auth://status is notified', async () => {
    const gateway = await scene.start();
    await walk(gateway, 'ada', 'notes');
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
