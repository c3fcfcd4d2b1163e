import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { useNotes } from '../../sign-in/notes-scene.ts';

const scene = useNotes();

const start = async () => {
  const config = { auth: { allowPrivate: true }, audit: { file: 'audit.log' } };
  const gateway = await scene.start({ config });
  const readRecords = (): readonly Readonly<Record<string, unknown>>[] =>
    readFileSync(join(gateway.directory.path, 'audit.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...gateway, readRecords };
};

it('shows sign-ins of users to operators without the users, and to auditors with them', async () => {
  const { gateway, callTool, logout, walk, readRecords } = await start();
  const readConnections = async (): Promise<readonly string[]> =>
    (await gateway.metrics.scrape()).text.match(/^gateway_user_connections\{.*$/gmu) ?? [];
  for (const name of ['ada', 'bob']) {
    await walk(name, 'notes');
    await expect.poll(async () => (await callTool(name, 'x_notes_whoami')).text).toContain(name);
  }
  expect(await readConnections()).toEqual(['gateway_user_connections{server="notes"} 2']);
  await logout('bob', 'notes');
  const events = JSON.parse((await callTool('ada', 'core_events')).text) as {
    readonly reason: string;
  }[];
  const ofUsers = events.filter(({ reason }) => /User|SignIn|Token|Scopes|Provider/u.test(reason));
  expect(ofUsers).toMatchObject([
    { reason: 'MCPServerUserSignedOut', message: 'MCPServer notes a user signed out' },
    { reason: 'MCPServerUserSignedIn', message: 'MCPServer notes a user signed in', count: 2 },
  ]);
  expect(JSON.stringify(ofUsers)).not.toMatch(/ada|bob/u);
  const user = { issuer: 'https://people.example', server: 'notes', decision: 'allowed' };
  await retryAssertion(() => {
    const actions = readRecords().filter(({ action }) => action !== undefined);
    expect(actions).toMatchObject([
      { action: 'server.sign-in', subject: 'ada', ...user },
      { action: 'server.sign-in', subject: 'bob', ...user },
      { action: 'server.sign-out', subject: 'bob', ...user },
    ]);
    expect(actions.filter(({ reason }) => reason !== undefined)).toEqual([]);
  });
  expect(await readConnections()).toEqual(['gateway_user_connections{server="notes"} 1']);
});

it('has one record for each decision about a sign-in', async () => {
  const { startLogin, logout, request, readRecords } = await start();
  await startLogin('ada', 'notes');
  await request('ada', 'resources/read', { uri: 'auth://status' });
  await logout('ada', 'notes');
  await retryAssertion(() => {
    const calls = readRecords().filter(({ name }) => name !== undefined);
    expect(calls.map(({ name, subject, decision }) => [name, subject, decision])).toEqual([
      ['core_auth_login', 'ada', 'allowed'],
      ['auth://status', 'ada', 'allowed'],
      ['core_auth_logout', 'ada', 'allowed'],
    ]);
  });
});
