import { describe, expect, it } from 'vitest';
import type { Caller } from '@gateway/call-contract';
import type { Downstream, DownstreamOptions } from '../src/index.ts';
import { testCaller } from './harness/callers.ts';
import { eventually, isAlive, resultOf, testDownstream, viewOf } from './harness/downstream.ts';
import { useProgram } from './harness/feature-servers.ts';
import { remote } from './harness/http-connection.ts';
import { stdioFixture } from './harness/servers.ts';
import { ada, startNotes } from './harness/user-server.ts';

const stateful = (spec: Readonly<Record<string, unknown>> = {}) => {
  const own = { instances: 'perSession', protocol: '2025-11-25', ...spec };
  return stdioFixture('notes', 'stateful-stdio.mjs', [], own);
};

/** A caller without a session: only its client has a name. */
const callerOf = (client: string | undefined, given: Partial<Caller> = {}): Caller =>
  testCaller(client ?? 'unknown', { identity: {}, client, ...given });

const textOf = async (downstream: Downstream, tool: string, caller?: Caller): Promise<string> => {
  const call = { server: 'notes', tool };
  const { content } = resultOf(await downstream.callTool(call, caller && { caller })) as {
    content: readonly { text: string }[];
  };
  return content[0]?.text ?? '';
};

const started = async (options: Partial<DownstreamOptions> = {}, server = stateful()) => {
  const opened = testDownstream({ clientFeatures: { roots: {} }, ...options });
  const { downstream } = opened;
  downstream.apply([server]);
  const view = () => viewOf(downstream, 'notes');
  await eventually('it is connected', () => /^(?:Running|Connected)$/u.test(view().state));
  return {
    ...opened,
    view,
    call: (tool: string, client: string, given?: Partial<Caller>) =>
      downstream.callTool({ server: 'notes', tool }, { caller: callerOf(client, given) }),
    text: (tool: string, client?: string, given?: Partial<Caller>) =>
      textOf(downstream, tool, callerOf(client, given)),
    pid: (client?: string) => textOf(downstream, 'pid', callerOf(client)),
    /** Starts a call of a client that has not ended when its next call has. */
    hang: async (client: string, given?: Partial<Caller>): Promise<void> => {
      const caller = callerOf(client, given);
      void downstream.callTool({ server: 'notes', tool: 'hang' }, { caller });
      await textOf(downstream, 'pid', caller);
    },
  };
};

const isRunning = (pid: string): boolean => isAlive(Number(pid));
const goneAfter = (pid: string): Promise<void> =>
  eventually(`${pid} has ended`, () => !isRunning(pid));
const LOST = { ok: false, error: { code: 'server.connection-lost' } };

describe('a stdio server with instances: perSession', () => {
  it('has a process for each client, and one for all that have no name', async () => {
    const { downstream, pid, view } = await started();
    const [ann, again, ben] = await Promise.all([pid('ann'), pid('ann'), pid('ben')]);
    const shared = await textOf(downstream, 'pid');
    expect(new Set([ann, ben, shared]).size).toBe(3);
    expect([again, await pid('ann'), await pid()]).toEqual([ann, ann, shared]);
    expect(view()).toMatchObject({ instances: 2 });
  });

  it.each([
    ['others', ['ben']],
    ['several of its own', ['ann', 'ann']],
  ])('asks the client of the process while calls of %s run', async (_whose, clients) => {
    const { hang, text } = await started();
    for (const client of clients) await hang(client);
    expect(await text('ask', 'ann')).toBe('{"from":"ann"}');
  });

  it('ends the process of a client that has ended, and no other', async () => {
    const { downstream, pid, view } = await started();
    const [ann, ben] = [await pid('ann'), await pid('ben')];
    downstream.endClient('ann');
    await goneAfter(ann);
    expect(await pid('ben')).toBe(ben);
    expect(view()).toMatchObject({ instances: 1 });
  });

  it('starts another process for a client whose process has died', async () => {
    const { call, pid, view } = await started();
    const ann = await pid('ann');
    expect(await call('die', 'ann')).toMatchObject(LOST);
    expect(await pid('ann')).not.toBe(ann);
    expect(view()).toMatchObject({ state: 'Running' });
  });

  it('ends a process without calls after the idle time, never one with a call', async () => {
    const { hang, pid } = await started({ sessions: { idleMs: 200 } });
    await hang('ben');
    const [ben, ann] = [await pid('ben'), await pid('ann')];
    await goneAfter(ann);
    expect(isRunning(ben)).toBe(true);
  });

  it('ends the least recently used idle process for another client, and refuses when all have calls', async () => {
    const { call, hang, pid } = await started({ sessions: { maxPerServer: 2 } });
    const [ann, ben] = [await pid('ann'), await pid('ben')];
    await hang('ben');
    const cal = await pid('cal');
    await goneAfter(ann);
    await hang('cal');
    expect(await call('pid', 'dan')).toMatchObject(LOST);
    expect([ben, cal].map(isRunning)).toEqual([true, true]);
  });

  it('refuses a user whose processes all have calls, and no other one', async () => {
    const { call, hang, text } = await started({ sessions: { maxPerUser: 1 } });
    await hang('eve-1', { user: 'eve' });
    const reason = expect.stringContaining('this user has as many instances') as string;
    const refused = { ok: false, error: { reason } };
    expect(await call('pid', 'eve-2', { user: 'eve' })).toMatchObject(refused);
    expect(await text('pid', 'ann', { user: 'ann' })).not.toBe('');
  });

  it('names the process in the lines that it writes', async () => {
    const { log, pid, text } = await started();
    const ann = Number(await pid('ann'));
    await text('complain', 'ann');
    await eventually('the line is logged', () =>
      log.some(
        (entry) =>
          entry.event === 'server.stderr' && entry.line === 'a complaint' && entry.pid === ann,
      ),
    );
  });

  it('starts a process in the place of another one only when that one is gone', async () => {
    const server = stateful({ env: { SLOW_END: '1' } });
    const { pid } = await started({ sessions: { maxPerServer: 1 } }, server);
    const ann = await pid('ann');
    expect(await pid('ben')).not.toBe(ann);
    expect(isRunning(ann)).toBe(false);
  });

  const other = stateful({ env: { OTHER: 'value' } });

  it('counts a process of an earlier definition while its calls run', async () => {
    const { downstream, call, hang, view } = await started({ sessions: { maxPerServer: 1 } });
    await hang('ann');
    downstream.apply([other]);
    await eventually('it runs again', () => view().state === 'Running');
    expect(await call('pid', 'ben')).toMatchObject(LOST);
  });

  it('ends its processes with a restart, another definition, a stop, and the gateway', async () => {
    const { downstream, call, pid, view } = await started();
    const first = await pid('ann');
    await downstream.restart('notes');
    await goneAfter(first);
    const second = await pid('ann');
    downstream.apply([other]);
    await goneAfter(second);
    await eventually('it runs again', () => view().state === 'Running');
    const third = await pid('ann');
    await downstream.stop('notes');
    await goneAfter(third);
    const stopped = { ok: false, error: { code: 'server.not-connected' } };
    expect(await call('pid', 'ann')).toMatchObject(stopped);
    await downstream.start('notes');
    const last = await pid('ann');
    await downstream.close();
    expect(isRunning(last)).toBe(false);
  });
});

describe('a remote server with instances: perSession', () => {
  const connected = async (instances = 'perSession') => {
    const url = await useProgram('sdk-http.mjs', 'stateful');
    const opened = await started({}, remote(url, { instances }, 'notes'));
    return { url, ...opened, count: (client?: string) => opened.text('count', client) };
  };

  it('keeps the state of each client session apart', async () => {
    const { count, view } = await connected();
    const counts: string[] = [];
    for (const client of ['ann', 'ann', 'ben', undefined, 'ann']) counts.push(await count(client));
    expect(counts).toEqual(['1', '2', '1', '1', '3']);
    expect(view()).toMatchObject({ instances: 2 });
  });

  it('shares the state of all clients with instances: shared', async () => {
    const { count } = await connected('shared');
    expect([await count('ann'), await count('ben')]).toEqual(['1', '2']);
  });

  it('asks the client whose session it is', async () => {
    const { downstream } = await connected();
    const asked = (client: string) => {
      const result = { roots: [{ uri: `file:///${client}` }] };
      const caller = testCaller(client, { identity: {}, client }, () => ({ ok: true, result }));
      return textOf(downstream, 'ask', caller);
    };
    expect(await Promise.all([asked('ann'), asked('ben')])).toEqual(['file:///ann', 'file:///ben']);
  });

  it('opens another session for a client that has ended, and after the server has forgotten it', async () => {
    const { downstream, url, count } = await connected();
    expect(await count('ann')).toBe('1');
    downstream.endClient('ann');
    expect(await count('ann')).toBe('1');
    await fetch(url, { method: 'PURGE' });
    await eventually('ann is served', async () => (await count('ann')) === '1');
    expect(await count('ann')).toBe('2');
  });
});

it('a remote server with instances: perSession and a sign-in receives the credential of the user in each client session, and ends them with the sign-in', async () => {
  const spec = { instances: 'perSession' };
  const { credentials, signIn, downstream } = await startNotes({}, {}, spec);
  const call = (client: string) =>
    downstream.callTool(
      { server: 'notes', tool: 'result', arguments: { result: { fine: 1 } } },
      { principal: ada, caller: callerOf(client) },
    );
  const refused = { ok: false, error: { code: 'server.auth-required' } };
  expect(await call('desk')).toMatchObject(refused);
  await signIn(ada);
  expect(await call('desk')).toMatchObject({ ok: true });
  expect(await call('phone')).toMatchObject({ ok: true });
  const view = () => viewOf(downstream, 'notes');
  expect(view()).toMatchObject({ state: 'Auth Required', instances: 2 });
  credentials.signOut('notes', ada);
  await eventually('no session is left', () => view().instances === 0);
  expect(await call('desk')).toMatchObject(refused);
});

it('has one process for all clients with instances: shared', async () => {
  const { pid, view } = await started({}, stateful({ instances: 'shared' }));
  expect(await pid('ann')).toBe(await pid('ben'));
  expect(view()).not.toHaveProperty('instances');
});
