import { retryAssertion } from '@gateway/repo-checks';
import { createMemoryStore } from '@gateway/state-store';
import { createTestUser, signIn } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { movedClock } from '../../sign-in/moved-clock.ts';
import { useNotes } from '../../sign-in/notes-scene.ts';

const scene = useNotes({ accessTokenSeconds: 600 });

it('users see and use only what they signed in to themselves', async () => {
  const { walk, listTools, whoami } = await scene.start();
  await walk('ada', 'notes');
  expect(await listTools('ada')).toContain('x_notes_whoami');
  expect(await listTools('ben')).toEqual([]);
  expect((await whoami('ben', 'notes')).text).toBe('Tool not found: x_notes_whoami');
  expect((await whoami('ada', 'notes')).text).toContain('ada');
  await walk('ben', 'notes');
  for (const name of ['ben', 'ada']) expect((await whoami(name, 'notes')).text).toContain(name);
});

it('a toolset that names a signed-out server lets a call answer that sign-in is required, with the link', async () => {
  const { call, callTool } = await scene.start();
  const toolset = 'server:notes';
  const refused = await callTool('dora', 'x_notes_whoami', {}, toolset);
  expect(refused.isError).toBe(true);
  const link = /open (\S+) and call the tool again$/u.exec(refused.text)?.[1] ?? '';
  expect((await signIn(link, createTestUser('dora'))).status).toBe(200);
  await retryAssertion(async () => {
    const { text } = await callTool('dora', 'x_notes_whoami', {}, toolset);
    expect(text).toContain('dora');
  });
  const { text } = await call('elsa', 'filter_tools', { toolset: [toolset] });
  const unmatched = { toolset_unmatched: [toolset], toolset_requiring_auth: [toolset] };
  expect(JSON.parse(text)).toMatchObject(unmatched);
});

it('gateways that share a store serve a user who signed in at another one', async () => {
  const stateStore = createMemoryStore();
  const [first, second] = [await scene.start({ stateStore }), await scene.start({ stateStore })];
  await first.walk('finn', 'notes');
  await expect.poll(async () => (await second.whoami('finn', 'notes')).text).toContain('finn');
});

it('a token of a user with less than 5 minutes left is refreshed without a failed call', async () => {
  const move = movedClock();
  const { walk, whoami } = await scene.start();
  const { notes, provider } = scene;
  const countRefreshes = () => provider.count('/token', { grant_type: 'refresh_token' });
  const before = countRefreshes();
  await walk('gwen', 'notes');
  const call = async (): Promise<void> => {
    const { isError, text } = await whoami('gwen', 'notes');
    expect([isError, text]).toEqual([false, expect.stringContaining('"gwen"')]);
  };
  await call();
  move(310);
  await retryAssertion(async () => {
    await call();
    const own = notes.calls('whoami').filter(({ subject }) => subject === 'gwen');
    expect(new Set(own.map(({ tokenHash }) => tokenHash)).size).toBe(2);
  });
  expect(countRefreshes() - before).toBe(1);
  const withToken = notes.requests.filter(({ tokenHash }) => tokenHash !== undefined);
  expect(withToken.filter(({ status }) => status === 401)).toEqual([]);
});

const ENDED =
  'The sign-in to server "notes" has ended: its authorization server answered invalid_grant. Sign in again.';

it('a sign-in that the provider revoked is reported by the call whose token the server refuses, and by auth://status, until the user signs in again', async () => {
  const { walk, whoami, callTool, readStatus } = await scene.start();
  await walk('hugo', 'notes');
  expect((await whoami('hugo', 'notes')).text).toContain('"hugo"');
  const before = scene.provider.count('/token');
  scene.provider.revokeUser('hugo');
  scene.notes.revoke('hugo');
  const refused = await whoami('hugo', 'notes');
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining(ENDED)]);
  const reauth = { status: 'reauth_required', auth_tool: 'core_auth_login', error: ENDED };
  const asked = { issuer: scene.provider.issuer, scope: 'mcp offline_access' };
  await expect.poll(() => readStatus('hugo')).toEqual([{ name: 'notes', ...reauth, ...asked }]);
  const text = `Tool execution failed: user not authenticated to server notes: ${ENDED}`;
  expect(await whoami('hugo', 'notes')).toMatchObject({ isError: true, text });
  expect(scene.provider.count('/token')).toBe(before + 1);
  const challenge = await callTool('hugo', 'core_auth_login', { server: 'notes' });
  expect(challenge.text).toContain(`Status: ${ENDED}\n`);
  await walk('hugo', 'notes');
  await expect.poll(async () => (await whoami('hugo', 'notes')).text).toContain('"hugo"');
  expect(await readStatus('hugo')).toMatchObject([{ name: 'notes', status: 'connected' }]);
});
