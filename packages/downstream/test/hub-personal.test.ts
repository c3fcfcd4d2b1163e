import { ANONYMOUS } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { person, testCredentials } from './harness/credentials.ts';
import { eventually, testDownstream } from './harness/downstream.ts';
import { hubUser } from './harness/hub.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';

const ada = person('ada');
const bob = person('bob');

const started = async () => {
  const http = await startProtectedHttp(['ada-1', 'bob-1']);
  const credentials = testCredentials();
  const { downstream } = testDownstream({ credentials });
  downstream.apply([oauthServer('notes', http.url)]);
  await downstream.settled();
  const { user, channel } = hubUser(downstream);
  await user.settled();
  return { http, credentials, downstream, user, channel };
};

const call = { server: 'notes', tool: 'result', arguments: { result: { fine: 1 } } };

describe('a process that uses the servers of another process', () => {
  it('sees what a person sees there, and calls with the credential of that person', async () => {
    const { http, credentials, user } = await started();
    credentials.signIn('notes', ada, 'ada-1');
    await user.prepare(ada);
    expect(user.inventoriesFor(ada)).toMatchObject([{ name: 'notes' }]);
    expect(user.inventoriesFor(bob)).toBeUndefined();
    expect(user.personal(ada)).toMatchObject([{ server: 'notes', status: 'connected' }]);
    await eventually('nothing is left to prepare', () => user.prepare(ada) === undefined);
    expect(await user.callTool(call, { principal: ada })).toMatchObject({ ok: true });
    expect(http.used.at(-1)).toBe('ada-1');
    expect(await user.callTool(call, { principal: bob })).toMatchObject({
      error: { code: 'server.auth-required' },
    });
    expect(await user.callTool(call)).toMatchObject({ error: { code: 'server.auth-required' } });
  });

  it('receives a list once, however many persons see it, and gives them one array', async () => {
    const { credentials, user, channel } = await started();
    for (const [one, token] of [
      [ada, 'ada-1'],
      [bob, 'bob-1'],
    ] as const) {
      credentials.signIn('notes', one, token);
      await user.prepare(one);
    }
    expect(user.inventoriesFor(ada)).toBe(user.inventoriesFor(bob));
    expect(channel.sent.toHub.filter((name) => name === 'personalInventories')).toHaveLength(1);
  });

  it('follows a sign-in and a sign-out, and tells whom they concern', async () => {
    const { credentials, user } = await started();
    await user.prepare(ada);
    const changes: unknown[] = [];
    user.onChange((changedFor) => changes.push(changedFor === 'all' ? 'all' : [...changedFor]));
    credentials.signIn('notes', ada, 'ada-1');
    await eventually('the tools appear', () => user.inventoriesFor(ada) !== undefined);
    await eventually('it was told', () => changes.length > 0);
    expect(changes).toContainEqual([ada.key]);
    credentials.signOut('notes', ada);
    await eventually('the tools disappear', () => user.inventoriesFor(ada) === undefined);
    expect(user.personal(ada)).toMatchObject([{ status: 'auth_required' }]);
  });

  it('connects and disconnects a person', async () => {
    const { credentials, user } = await started();
    expect(await user.connectPersonal('notes', ada)).toMatchObject({ code: 'auth-required' });
    credentials.refresh('notes', ada, 'ada-1');
    expect(await user.connectPersonal('notes', ada)).toMatchObject({ code: 'connected', tools: 3 });
    expect(user.inventoriesFor(ada)).toHaveLength(1);
    user.disconnectPersonal('notes', ada);
    await eventually('the tools disappear', () => user.inventoriesFor(ada) === undefined);
  });

  it('has nothing to prepare where no server has persons', async () => {
    const { downstream } = testDownstream();
    const { user } = hubUser(downstream);
    await user.settled();
    expect(user.prepare(ANONYMOUS)).toBeUndefined();
    expect(user.personal(ANONYMOUS)).toEqual([]);
  });
});
