import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retryAssertion } from '@gateway/repo-checks';
import { beforeEach, expect, it } from 'vitest';
import type { SignInGateway } from '../../sign-in/gateway-harness.ts';
import { useNotes } from '../../sign-in/notes-scene.ts';
import { walk } from '../../sign-in/signed-in-user.ts';

const scene = useNotes();
let gateway: SignInGateway;

beforeEach(async () => {
  gateway = await scene.start({
    config: { auth: { allowPrivate: true }, audit: { file: 'audit.log' } },
  });
});

interface Record {
  readonly action?: string;
  readonly name?: string;
  readonly [key: string]: unknown;
}

const records = (): readonly Record[] =>
  readFileSync(join(gateway.directory.path, 'audit.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record);

const actions = () =>
  records().flatMap(({ action, subject, issuer, server, decision, reason }) =>
    action === undefined ? [] : [{ action, subject, issuer, server, decision, reason }],
  );

interface Event {
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
}

/** The events of sign-ins by reason, oldest first. */
const events = async (): Promise<readonly Event[]> => {
  const { text } = await gateway.callTool('ada', 'core_events');
  return (JSON.parse(text) as readonly Event[])
    .filter(({ reason }) => /User|SignIn|Token|Scopes|Provider/u.test(reason))
    .map(({ reason, message, count }) => ({
      reason,
      message,
      ...(count !== undefined && { count }),
    }))
    .toReversed();
};

const series = async (name: string): Promise<readonly string[]> =>
  (await gateway.gateway.metrics.scrape()).text
    .split('\n')
    .filter((line) => line.startsWith(name) && !line.startsWith('#'));

const signInAs = async (name: string): Promise<void> => {
  await walk(gateway, name, 'notes');
  await retryAssertion(async () => {
    expect((await gateway.callTool(name, 'x_notes_whoami')).text).toContain(name);
  });
};

it('shows sign-ins of users to operators without the users, and to auditors with them', async () => {
  await signInAs('ada');
  await signInAs('bob');
  expect(await series('gateway_user_connections')).toEqual([
    'gateway_user_connections{server="notes"} 2',
  ]);
  await gateway.logout('bob', 'notes');
  expect(await events()).toEqual([
    {
      reason: 'MCPServerUserSignedIn',
      message: 'MCPServer notes a user signed in',
      count: 2,
    },
    { reason: 'MCPServerUserSignedOut', message: 'MCPServer notes a user signed out' },
  ]);
  const user = { issuer: 'https://people.example', server: 'notes', decision: 'allowed' };
  await retryAssertion(() => {
    expect(actions()).toEqual([
      { action: 'server.sign-in', subject: 'ada', ...user },
      { action: 'server.sign-in', subject: 'bob', ...user },
      { action: 'server.sign-out', subject: 'bob', ...user },
    ]);
  });
  expect(await series('gateway_user_connections')).toEqual([
    'gateway_user_connections{server="notes"} 1',
  ]);
});

it('has one record for each decision about a sign-in', async () => {
  await gateway.linkOf('ada', 'notes');
  await gateway.request('ada', 'resources/read', { uri: 'auth://status' });
  await gateway.logout('ada', 'notes');
  await retryAssertion(() => {
    expect(
      records().flatMap(({ name, subject, decision }) =>
        name === undefined ? [] : [[name, subject, decision]],
      ),
    ).toEqual([
      ['core_auth_login', 'ada', 'allowed'],
      ['auth://status', 'ada', 'allowed'],
      ['core_auth_logout', 'ada', 'allowed'],
    ]);
  });
});
