import { describe, expect, it } from 'vitest';
import type { Caller } from '@gateway/call-contract';
import type { McpServer } from '@gateway/crd-schemas';
import type { Downstream, DownstreamOptions } from '../src/index.ts';
import { testCaller } from './harness/callers.ts';
import {
  eventually,
  isAlive,
  resultOf,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { user, testCredentials } from './harness/credentials.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';
import { startSdkHttp } from './harness/sdk-http.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const stateful = (spec: Readonly<Record<string, unknown>> = {}) =>
  stdioFixture('notes', 'stateful-stdio.mjs', [], {
    instances: 'perSession',
    protocol: '2025-11-25',
    ...spec,
  });

/** A caller without a session: only its client has a name. */
const callerOf = (client: string | undefined): Caller =>
  testCaller(client ?? 'unknown', { identity: {}, client });

const started = async (
  options: Partial<DownstreamOptions> = {},
  server = stateful(),
): Promise<Downstream> => {
  const { downstream } = testDownstream({ clientFeatures: { roots: {} }, ...options });
  downstream.apply([server]);
  await untilState(downstream, 'notes', 'Running');
  return downstream;
};

const textOf = async (downstream: Downstream, tool: string, caller?: Caller): Promise<string> => {
  const call = { server: 'notes', tool };
  const { content } = resultOf(await downstream.callTool(call, caller && { caller })) as {
    content: readonly { text: string }[];
  };
  return content[0]?.text ?? '';
};

const pidOf = (downstream: Downstream, client: string | undefined): Promise<string> =>
  textOf(downstream, 'pid', callerOf(client));

const goneAfter = (pid: string): Promise<void> =>
  eventually(`${pid} has ended`, () => !isAlive(Number(pid)));

describe('a stdio server with instances: perSession', () => {
  it('has a process for each client, and one for all that have no name', async () => {
    const downstream = await started();
    const ann = await pidOf(downstream, 'ann');
    const ben = await pidOf(downstream, 'ben');
    const shared = await textOf(downstream, 'pid');
    expect(new Set([ann, ben, shared]).size).toBe(3);
    expect(await pidOf(downstream, 'ann')).toBe(ann);
    expect(await pidOf(downstream, undefined)).toBe(shared);
    expect(viewOf(downstream, 'notes')).toMatchObject({ instances: 2 });
  });

  it('starts one process for concurrent calls of a client', async () => {
    const downstream = await started();
    const pids = await Promise.all(['ann', 'ann', 'ann'].map((name) => pidOf(downstream, name)));
    expect(new Set(pids).size).toBe(1);
  });

  it('asks the client of the process while calls of others run', async () => {
    const downstream = await started();
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: callerOf('ben') });
    await pidOf(downstream, 'ben');
    expect(await textOf(downstream, 'ask', callerOf('ann'))).toBe('{"from":"ann"}');
  });

  it('asks the client of the process while several of its calls run', async () => {
    const downstream = await started();
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: callerOf('ann') });
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: callerOf('ann') });
    await pidOf(downstream, 'ann');
    expect(await textOf(downstream, 'ask', callerOf('ann'))).toBe('{"from":"ann"}');
  });

  it('ends the process of a client that has ended, and no other', async () => {
    const downstream = await started();
    const ann = await pidOf(downstream, 'ann');
    const ben = await pidOf(downstream, 'ben');
    downstream.endClient('ann');
    await goneAfter(ann);
    expect(await pidOf(downstream, 'ben')).toBe(ben);
    expect(viewOf(downstream, 'notes')).toMatchObject({ instances: 1 });
  });

  it('starts another process for a client whose process has died', async () => {
    const downstream = await started();
    const ann = await pidOf(downstream, 'ann');
    const dead = await downstream.callTool(
      { server: 'notes', tool: 'die' },
      { caller: callerOf('ann') },
    );
    expect(dead).toMatchObject({ ok: false, error: { code: 'server.connection-lost' } });
    expect(await pidOf(downstream, 'ann')).not.toBe(ann);
    expect(viewOf(downstream, 'notes')).toMatchObject({ state: 'Running' });
  });

  it('ends a process without calls after the idle time, never one with a call', async () => {
    const downstream = await started({ sessions: { idleMs: 200 } });
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: callerOf('ben') });
    const ben = await pidOf(downstream, 'ben');
    const ann = await pidOf(downstream, 'ann');
    await goneAfter(ann);
    expect(isAlive(Number(ben))).toBe(true);
  });

  it('ends the least recently used idle process for another client, and refuses when all have calls', async () => {
    const downstream = await started({ sessions: { maxPerServer: 2 } });
    const ann = await pidOf(downstream, 'ann');
    const ben = await pidOf(downstream, 'ben');
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: callerOf('ben') });
    const cal = await pidOf(downstream, 'cal');
    await goneAfter(ann);
    expect(isAlive(Number(ben))).toBe(true);
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: callerOf('cal') });
    await pidOf(downstream, 'cal');
    const refused = await downstream.callTool(
      { server: 'notes', tool: 'pid' },
      { caller: callerOf('dan') },
    );
    expect(refused).toMatchObject({ ok: false, error: { code: 'server.connection-lost' } });
    expect(isAlive(Number(cal))).toBe(true);
  });

  it('ends the processes of the same user before those of others', async () => {
    const downstream = await started({ sessions: { maxPerServerAndUser: 2, maxPerServer: 3 } });
    const of = (client: string, user: string) =>
      textOf(downstream, 'pid', { ...callerOf(client), user });
    const ann = await of('ann', 'ann');
    const [first, second] = [await of('eve-1', 'eve'), await of('eve-2', 'eve')];
    const third = await of('eve-3', 'eve');
    await goneAfter(first);
    expect([ann, second, third].map((pid) => isAlive(Number(pid)))).toEqual([true, true, true]);
    expect(viewOf(downstream, 'notes')).toMatchObject({ instances: 3 });
  });

  it('refuses a user whose processes all have calls, and no other one', async () => {
    const downstream = await started({ sessions: { maxPerUser: 1 } });
    const eve = (client: string) => ({ ...callerOf(client), user: 'eve' });
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: eve('eve-1') });
    await textOf(downstream, 'pid', eve('eve-1'));
    const call = { server: 'notes', tool: 'pid' };
    expect(await downstream.callTool(call, { caller: eve('eve-2') })).toMatchObject({
      ok: false,
      error: { reason: expect.stringContaining('this user has as many instances') as string },
    });
    expect(await textOf(downstream, 'pid', { ...callerOf('ann'), user: 'ann' })).not.toBe('');
  });

  it('names the process in the lines that it writes', async () => {
    const { downstream, log } = testDownstream({ clientFeatures: { roots: {} } });
    downstream.apply([stateful()]);
    await untilState(downstream, 'notes', 'Running');
    const pid = await pidOf(downstream, 'ann');
    await textOf(downstream, 'complain', callerOf('ann'));
    await eventually('the line is logged', () =>
      log.some(
        (entry) =>
          entry.event === 'server.stderr' &&
          entry.line === 'a complaint' &&
          entry.pid === Number(pid),
      ),
    );
  });

  it('starts a process in the place of another one only when that one is gone', async () => {
    const downstream = await started(
      { sessions: { maxPerServer: 1 } },
      stateful({ env: { SLOW_END: '1' } }),
    );
    const ann = await pidOf(downstream, 'ann');
    const ben = await pidOf(downstream, 'ben');
    expect(ben).not.toBe(ann);
    expect(isAlive(Number(ann))).toBe(false);
  });

  it('counts a process of an earlier definition while its calls run', async () => {
    const downstream = await started({ sessions: { maxPerServer: 1 } });
    await pidOf(downstream, 'ann');
    void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller: callerOf('ann') });
    downstream.apply([stateful({ env: { OTHER: 'value' } })]);
    await eventually('it runs again', () => viewOf(downstream, 'notes').state === 'Running');
    const call = { server: 'notes', tool: 'pid' };
    const refused = await downstream.callTool(call, { caller: callerOf('ben') });
    expect(refused).toMatchObject({ ok: false, error: { code: 'server.connection-lost' } });
  });

  it('ends its processes with a stop, a restart and another definition', async () => {
    const downstream = await started();
    const first = await pidOf(downstream, 'ann');
    await downstream.restart('notes');
    await goneAfter(first);
    const second = await pidOf(downstream, 'ann');
    downstream.apply([stateful({ env: { OTHER: 'value' } })]);
    await goneAfter(second);
    await eventually('it runs again', () => viewOf(downstream, 'notes').state === 'Running');
    const third = await pidOf(downstream, 'ann');
    await downstream.stop('notes');
    await goneAfter(third);
    const outcome = await downstream.callTool(
      { server: 'notes', tool: 'pid' },
      { caller: callerOf('ann') },
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: 'server.not-connected' } });
  });

  it('ends its processes with the gateway', async () => {
    const downstream = await started();
    const ann = await pidOf(downstream, 'ann');
    await downstream.close();
    expect(isAlive(Number(ann))).toBe(false);
  });
});

describe('a remote server with instances: perSession', () => {
  const overHttp = async (spec: Readonly<Record<string, unknown>> = {}) => {
    const url = await startSdkHttp('stateful');
    return defineServer('notes', {
      type: 'streamable-http',
      url,
      instances: 'perSession',
      ...spec,
    });
  };
  const connected = async (
    server: McpServer,
    options: Partial<DownstreamOptions> = {},
  ): Promise<Downstream> => {
    const { downstream } = testDownstream({ clientFeatures: { roots: {} }, ...options });
    downstream.apply([server]);
    await untilState(downstream, 'notes', 'Connected');
    return downstream;
  };
  const count = (downstream: Downstream, client?: string) =>
    textOf(downstream, 'count', callerOf(client));

  it('keeps the state of each client session apart', async () => {
    const downstream = await connected(await overHttp());
    expect(await count(downstream, 'ann')).toBe('1');
    expect(await count(downstream, 'ann')).toBe('2');
    expect(await count(downstream, 'ben')).toBe('1');
    expect(await count(downstream)).toBe('1');
    expect(await count(downstream, 'ann')).toBe('3');
    expect(viewOf(downstream, 'notes')).toMatchObject({ instances: 2 });
  });

  it('shares the state of all clients with instances: shared', async () => {
    const downstream = await connected(await overHttp({ instances: 'shared' }));
    expect(await count(downstream, 'ann')).toBe('1');
    expect(await count(downstream, 'ben')).toBe('2');
  });

  it('asks the client whose session it is', async () => {
    const downstream = await connected(await overHttp());
    const asked = (client: string) =>
      textOf(
        downstream,
        'ask',
        testCaller(client, { identity: {}, client }, () => ({
          ok: true,
          result: { roots: [{ uri: `file:///${client}` }] },
        })),
      );
    expect(await Promise.all([asked('ann'), asked('ben')])).toEqual(['file:///ann', 'file:///ben']);
  });

  it('opens another session for a client that has ended or was not active', async () => {
    const downstream = await connected(await overHttp());
    expect(await count(downstream, 'ann')).toBe('1');
    downstream.endClient('ann');
    expect(await count(downstream, 'ann')).toBe('1');
  });

  it('opens another session after the server has forgotten the session', async () => {
    const server = await overHttp();
    const downstream = await connected(server);
    expect(await count(downstream, 'ann')).toBe('1');
    if (server.spec.type !== 'stdio') await fetch(server.spec.url, { method: 'PURGE' });
    await eventually('ann is served', async () => (await count(downstream, 'ann')) === '1');
    expect(await count(downstream, 'ann')).toBe('2');
  });
});

describe('a remote server with instances: perSession and a sign-in', () => {
  const ada = user('ada');
  const call = (downstream: Downstream, client: string) =>
    downstream.callTool(
      { server: 'notes', tool: 'result', arguments: { result: { fine: 1 } } },
      { principal: ada, caller: callerOf(client) },
    );

  it('sends the credential of the user in each client session, and ends them with the sign-in', async () => {
    const http = await startProtectedHttp(['ada-1']);
    const credentials = testCredentials();
    const { downstream } = testDownstream({ credentials });
    downstream.apply([oauthServer('notes', http.url, { instances: 'perSession' })]);
    await downstream.settled();
    expect(await call(downstream, 'desk')).toMatchObject({
      ok: false,
      error: { code: 'server.auth-required' },
    });
    credentials.signIn('notes', ada, 'ada-1');
    await downstream.prepare(ada);
    expect(await call(downstream, 'desk')).toMatchObject({ ok: true });
    expect(await call(downstream, 'phone')).toMatchObject({ ok: true });
    expect(viewOf(downstream, 'notes')).toMatchObject({ state: 'Auth Required', instances: 2 });
    credentials.signOut('notes', ada);
    await eventually('no session is left', () => viewOf(downstream, 'notes').instances === 0);
    expect(await call(downstream, 'desk')).toMatchObject({
      ok: false,
      error: { code: 'server.auth-required' },
    });
  });
});

it('has one process for all clients with instances: shared', async () => {
  const downstream = await started({}, stateful({ instances: 'shared' }));
  expect(await pidOf(downstream, 'ann')).toBe(await pidOf(downstream, 'ben'));
  expect(viewOf(downstream, 'notes')).not.toHaveProperty('instances');
});
