import { describe, expect, it, onTestFinished } from 'vitest';
import { useNotes } from './notes-scene.ts';

const URI = 'auth://status';

const scene = useNotes();

const requireScope = (): void => {
  scene.notes.setToolScopes({ whoami: ['mcp:admin'] });
  onTestFinished(() => scene.notes.setToolScopes({}));
};

/** A gateway where ada is signed in. */
const start = async () => {
  const gateway = await scene.start();
  await gateway.walk('ada', 'notes');
  return gateway;
};

describe('while a server requires a further scope', () => {
  it('auth://status reports that the user must sign in again, and the connection after they did', async () => {
    const { call, callTool, walk } = await start();
    const readStatus = async () => {
      const [contents] = JSON.parse((await call('ada', 'get_resource', { uri: URI })).text);
      return JSON.parse(contents.text) as { readonly servers: readonly object[] };
    };
    requireScope();
    expect((await callTool('ada', 'x_notes_whoami')).isError).toBe(true);
    const error = 'Server "notes" requires the scopes "mcp:admin". Sign in again to grant them.';
    const required = { status: 'reauth_required', auth_tool: 'core_auth_login', error };
    expect(await readStatus()).toMatchObject({ servers: [{ name: 'notes', ...required }] });
    const echoed = await callTool('ada', 'x_notes_echo', { text: 'still here' });
    expect(echoed).toMatchObject({ isError: false });
    await walk('ada', 'notes');
    await expect.poll(async () => (await callTool('ada', 'x_notes_whoami')).text).toContain('ada');
    const { servers } = await readStatus();
    expect(servers).toMatchObject([{ name: 'notes', status: 'connected' }]);
    expect(servers[0]).not.toHaveProperty('error');
  });

  it('a client that follows auth://status is notified', async () => {
    const { callTool, openSession } = await start();
    const { methods, send } = await openSession('ada');
    expect(await send('resources/subscribe', { uri: URI })).toContain('"result":{}');
    requireScope();
    await callTool('ada', 'x_notes_whoami');
    await expect.poll(() => methods).toContain('notifications/resources/updated');
  });
});
