import type { Caller, ClientAnswer } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import type { Downstream, DownstreamOutcome } from '../src/index.ts';
import { eventually, isAlive, resultOf, testDownstream, viewOf } from './harness/downstream.ts';
import { COPIES, hubUser } from './harness/hub.ts';
import { type defineServer, stdioFixture } from './harness/servers.ts';

const raw = (...args: string[]) => stdioFixture('raw', 'raw-stdio.mjs', args);

const started = async (...servers: ReturnType<typeof defineServer>[]): Promise<Downstream> => {
  const { downstream } = testDownstream();
  downstream.apply(servers);
  await downstream.settled();
  return downstream;
};

const call = (
  downstream: Downstream,
  tool: string,
  args: Record<string, unknown> = {},
  options?: Parameters<Downstream['callTool']>[1],
): Promise<DownstreamOutcome> =>
  downstream.callTool({ server: 'raw', tool, arguments: args }, options);

const nobody: Caller = {
  capabilities: {},
  takesInputRequired: false,
  logLevel: undefined,
  identity: 'one',
  ask: () => Promise.resolve({ ok: false, error: { code: -32_601, message: 'no' } }),
  notify: () => undefined,
};

/** Servers of which one tool behaves as the test says. */
const withTool = (downstream: Downstream, callTool: Downstream['callTool']): Downstream => ({
  ...downstream,
  callTool,
});

describe.each(Object.entries(COPIES))('over a channel that copies %s', (_name, copy) => {
  it('shows the same servers and lists as their owner', async () => {
    const downstream = await started(
      raw('--tools=2'),
      stdioFixture('dead', 'raw-stdio.mjs', ['--die']),
    );
    const { user } = hubUser(downstream, { copy });
    await user.settled();
    expect(user.inventories()).toEqual(downstream.inventories());
    expect(user.servers().map(({ name, state }) => [name, state])).toEqual([
      ['dead', 'Failed'],
      ['raw', 'Running'],
    ]);
    expect(viewOf(user, 'raw')).toEqual(viewOf(downstream, 'raw'));
    expect(viewOf(user, 'raw')).toMatchObject({ health: 'healthy', status: { state: 'Running' } });
  });

  it('passes results on as they are, whatever their keys, and megabytes of them', async () => {
    const { user } = hubUser(await started(raw()), { copy });
    const result = JSON.parse(
      '{"content":[{"type":"odd","value":null}],"__proto__":{"a":1},"constructor":"c","😀":[1.5,-0.1],"_meta":{"k":"\\u2028"}}',
    ) as object;
    const outcome = await call(user, 'result', { result });
    expect(JSON.stringify(resultOf(outcome))).toBe(JSON.stringify(result));
    const big = resultOf(await call(user, 'big', { bytes: 5_000_000 }));
    expect((big['content'] as { text: string }[])[0]?.text.length).toBe(5_000_000);
  });

  it('passes on arguments, the meta of the request, and the text of a refusal', async () => {
    const { user } = hubUser(await started(raw()), { copy });
    const args = JSON.parse('{"__proto__":1,"deep":{"x":[null]}}') as Record<string, unknown>;
    const { params } = resultOf(await call(user, 'params', args, { meta: { 'a/b': [1] } }));
    expect(JSON.stringify(params)).toBe(
      '{"name":"params","arguments":{"__proto__":1,"deep":{"x":[null]}},"_meta":{"a/b":[1]}}',
    );
    expect(await call(user, 'fail')).toMatchObject({
      ok: false,
      error: { code: 'request.refused', server: 'raw', rpcCode: -32050, message: 'no such luck' },
    });
    expect(await user.callTool({ server: 'nowhere', tool: 'x' })).toEqual({
      ok: false,
      error: { code: 'server.unknown', server: 'nowhere' },
    });
    expect(resultOf(await user.readResource({ server: 'raw', uri: 'raw://one' }))).toEqual({
      contents: [{ uri: 'raw://one', text: 'one', odd: [1] }],
      odd: true,
    });
    expect(
      resultOf(await user.getPrompt({ server: 'raw', prompt: 'greet', arguments: { who: 'me' } })),
    ).toEqual({ messages: [], params: { name: 'greet', arguments: { who: 'me' } } });
  });

  it('passes progress on before the result', async () => {
    const { user } = hubUser(await started(raw()), { copy });
    const reports: unknown[] = [];
    const outcome = call(
      user,
      'progress',
      {
        reports: [
          { progress: 1, extra: '__proto__' },
          { progress: 2, total: 2 },
        ],
      },
      { onProgress: (report) => reports.push(report) },
    );
    expect(resultOf(await outcome)).toEqual({ content: [] });
    expect(reports).toEqual([
      { progress: 1, extra: '__proto__' },
      { progress: 2, total: 2 },
    ]);
  });

  it('forwards requests to the caller, and answers, progress and notifications in both directions', async () => {
    const seen: unknown[] = [];
    const { user } = hubUser(
      withTool(await started(), async (_call, { caller, requestState, inputResponses } = {}) => {
        caller?.notify({ method: 'notifications/message', params: { level: 'info', data: 1 } });
        const answer = await caller?.ask(
          { method: 'elicitation/create', params: { message: 'who?' } },
          { onProgress: (report) => seen.push(report) },
        );
        const { capabilities, takesInputRequired, logLevel } = caller ?? nobody;
        const heard = { capabilities, takesInputRequired, logLevel, requestState, inputResponses };
        return { ok: true, result: { answer, heard } };
      }),
      { copy },
    );
    const caller: Caller = {
      ...nobody,
      capabilities: { elicitation: { form: {} } },
      takesInputRequired: true,
      logLevel: 'warning',
      ask: (question, options) => {
        options?.onProgress?.({ progress: 0.5 });
        return Promise.resolve({ ok: true, result: { to: question } });
      },
      notify: (notice) => seen.push(notice),
    };
    const inputResponses = { q: { action: 'accept' } };
    const outcome = await call(user, 'any', {}, { caller, requestState: 's', inputResponses });
    expect(resultOf(outcome)).toEqual({
      answer: {
        ok: true,
        result: { to: { method: 'elicitation/create', params: { message: 'who?' } } },
      },
      heard: {
        capabilities: { elicitation: { form: {} } },
        takesInputRequired: true,
        logLevel: 'warning',
        requestState: 's',
        inputResponses,
      },
    });
    expect(seen).toEqual([
      { method: 'notifications/message', params: { level: 'info', data: 1 } },
      { progress: 0.5 },
    ]);
  });
});

describe('what a user of the hub sees', () => {
  it('preserves the identity of unchanged lists', async () => {
    const downstream = await started(raw(), stdioFixture('other', 'raw-stdio.mjs', ['--tools=1']));
    const { user } = hubUser(downstream);
    await user.settled();
    const before = user.inventories();
    let changes = 0;
    user.onChange(() => (changes += 1));
    await call(user, 'rename', { tools: [{ name: 'new', inputSchema: { type: 'object' } }] });
    await eventually('the new list is there', () => user.inventories() !== before);
    expect(user.inventories()[0]).toBe(before[0]);
    expect(user.inventories()[1]?.tools.map(({ name }) => name)).toEqual(['new']);
    expect(changes).toBeGreaterThan(0);
    const names = user.inventories();
    await user.stop('nowhere');
    expect(user.inventories()).toBe(names);
  });

  it('has the new state when a control has ended, and other users get it too', async () => {
    const downstream = await started(raw());
    const { user } = hubUser(downstream);
    const { user: other } = hubUser(downstream);
    await Promise.all([user.settled(), other.settled()]);
    expect(await user.stop('raw')).toEqual({ code: 'stopped', server: 'raw' });
    expect(viewOf(user, 'raw').state).toBe('Stopped');
    expect(user.inventories()).toEqual([]);
    await eventually('the other sees it', () => viewOf(other, 'raw').state === 'Stopped');
    expect(await call(other, 'params')).toMatchObject({ error: { code: 'server.not-connected' } });
    expect(await other.start('raw')).toEqual({ code: 'started', server: 'raw' });
    expect(viewOf(other, 'raw').state).toBe('Running');
    expect(await other.start('raw')).toEqual({ code: 'already-running', server: 'raw' });
    expect(await user.restart('raw')).toEqual({ code: 'restarted', server: 'raw' });
    expect(await user.restart('nowhere')).toEqual({ code: 'unknown', server: 'nowhere' });
  });

  it('follows servers that come and go', async () => {
    const downstream = await started();
    const { user } = hubUser(downstream);
    await user.settled();
    expect(user.servers()).toEqual([]);
    downstream.apply([raw()]);
    await eventually('it runs', () => user.servers()[0]?.state === 'Running');
    downstream.apply([]);
    await eventually('it is gone', () => user.servers().length + user.inventories().length === 0);
  });

  it('gets one state at a time, and the newest next', async () => {
    const downstream = await started(raw());
    const { user, channel } = hubUser(downstream, { holds: (name) => name === 'confirmState' });
    await eventually('the first state came', () => user.servers().length === 1);
    for (const tools of [['a'], ['b'], ['c']])
      await call(downstream, 'rename', {
        tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })),
      });
    await eventually('c', () => downstream.inventories()[0]?.tools[0]?.name === 'c');
    expect(channel.sent.toUser).toEqual(['callback']);
  });
});

describe('subscriptions', () => {
  const following = async () => {
    const listeners = new Map<string, (params: Record<string, unknown>) => void>();
    const downstream: Downstream = {
      ...(await started()),
      subscribeResource: ({ server, uri }, onUpdated) => {
        if (uri === 'raw://none')
          return Promise.resolve({ ok: false, error: { code: 'server.unknown', server } });
        listeners.set(uri, onUpdated);
        return Promise.resolve({ ok: true, end: () => listeners.delete(uri) });
      },
    };
    return { listeners, ...hubUser(downstream) };
  };

  it('deliver unchanged updates, until they end', async () => {
    const { listeners, user } = await following();
    const heard: unknown[] = [];
    const outcome = await user.subscribeResource({ server: 'raw', uri: 'raw://one' }, (params) =>
      heard.push(params),
    );
    listeners.get('raw://one')?.({ uri: 'raw://one', 'a/b': [null] });
    await eventually('it is heard', () => heard.length === 1);
    expect(heard).toEqual([{ uri: 'raw://one', 'a/b': [null] }]);
    if (outcome.ok) outcome.end();
    await eventually('it has ended', () => listeners.size === 0);
  });

  it('are refused as their owner refuses, and end with their user', async () => {
    const { listeners, user, channel } = await following();
    const refused = { server: 'raw', uri: 'raw://none' };
    expect(await user.subscribeResource(refused, () => undefined)).toEqual({
      ok: false,
      error: { code: 'server.unknown', server: 'raw' },
    });
    await user.subscribeResource({ server: 'raw', uri: 'raw://one' }, () => undefined);
    expect(listeners.size).toBe(1);
    channel.close();
    expect(listeners.size).toBe(0);
    expect(await user.subscribeResource(refused, () => undefined)).toMatchObject({
      error: { code: 'server.connection-lost' },
    });
  });
});

describe('ends', () => {
  it('cancels downstream what the caller cancels, with the reason', async () => {
    const { user } = hubUser(await started(raw()));
    const controller = new AbortController();
    const outcome = call(user, 'hang', {}, { signal: controller.signal });
    await eventually('it runs', async () => {
      const { seen } = resultOf(await call(user, 'seen')) as {
        seen: { params?: { name?: string } }[];
      };
      return seen.some(({ params }) => params?.name === 'hang');
    });
    controller.abort(new Error('changed my mind'));
    expect(await outcome).toEqual({
      ok: false,
      error: { code: 'request.cancelled', server: 'raw' },
    });
    const { seen } = resultOf(await call(user, 'seen')) as {
      seen: { method: string; params: unknown }[];
    };
    expect(seen.find(({ method }) => method === 'notifications/cancelled')?.params).toMatchObject({
      reason: 'changed my mind',
    });
    expect(await call(user, 'params', {}, { signal: controller.signal })).toEqual({
      ok: false,
      error: { code: 'request.cancelled', server: 'raw' },
    });
  });

  it('cancels the requests of a closed user, and the server keeps running', async () => {
    const downstream = await started(raw());
    const { user, channel } = hubUser(downstream);
    const hanging = call(user, 'hang');
    await eventually('it runs', () => channel.sent.toHub.includes('request'));
    const { pids } = resultOf(await call(user, 'pids')) as { pids: [number] };
    channel.close();
    expect(await hanging).toEqual({
      ok: false,
      error: {
        code: 'server.connection-lost',
        server: 'raw',
        reason: 'the process that owns the servers has ended',
      },
    });
    expect(await user.stop('raw')).toMatchObject({ code: 'failed' });
    await eventually('the server was told', async () => {
      const { seen } = resultOf(await call(downstream, 'seen')) as { seen: { method: string }[] };
      return seen.some(({ method }) => method === 'notifications/cancelled');
    });
    expect(isAlive(pids[0])).toBe(true);
  });

  it('cancels a forwarded request when its call ends', async () => {
    const asked: AbortSignal[] = [];
    let answer: Promise<ClientAnswer> | undefined;
    const { user } = hubUser(
      withTool(await started(), (_call, { caller, signal } = {}) => {
        answer = caller?.ask({ method: 'roots/list', params: {} });
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () =>
            resolve({ ok: false, error: { code: 'request.cancelled', server: 'raw' } }),
          );
        });
      }),
    );
    const caller: Caller = {
      ...nobody,
      ask: (_question, { signal } = {}) => {
        if (signal) asked.push(signal);
        return new Promise(() => undefined);
      },
    };
    const controller = new AbortController();
    const outcome = call(user, 'any', {}, { caller, signal: controller.signal });
    await eventually('the caller is asked', () => asked.length === 1);
    controller.abort();
    await outcome;
    await eventually('the question is withdrawn', () => asked[0]?.aborted === true);
    expect(await answer).toMatchObject({ ok: false });
  });

  it('fails a request whose result cannot be written', async () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    const downstream = withTool(await started(), () =>
      Promise.resolve({ ok: true, result: { content: [deep] } }),
    );
    const { user } = hubUser(downstream);
    expect(await call(user, 'any')).toMatchObject({
      ok: false,
      error: { code: 'response.invalid', server: 'raw' },
    });
  });

  it('does not assign a late answer to another request', async () => {
    const withdrawal = new AbortController();
    const question = (message: string) => ({ method: 'elicitation/create', params: { message } });
    let second: Promise<ClientAnswer> | undefined;
    let askSecond: (() => void) | undefined;
    const { user } = hubUser(
      withTool(await started(), async (_call, { caller } = {}) => {
        await new Promise<void>((resolve) => {
          askSecond = () => {
            withdrawal.abort();
            second = caller?.ask(question('Delete it?'));
            resolve();
          };
          void caller?.ask(question('Keep it?'), { signal: withdrawal.signal });
        });
        await second;
        return { ok: true, result: {} };
      }),
      {
        holds: (name) => {
          if (name !== 'done') return false;
          askSecond?.();
          askSecond = undefined;
          return false;
        },
      },
    );
    const caller: Caller = {
      ...nobody,
      ask: ({ params }) => Promise.resolve({ ok: true, result: { to: params['message'] } }),
    };
    await call(user, 'any', {}, { caller });
    expect(await second).toEqual({ ok: true, result: { to: 'Delete it?' } });
  });

  it('distinguishes sessions and recognizes one again, from any user', async () => {
    const identities: unknown[] = [];
    const downstream = withTool(await started(), (_call, { caller } = {}) => {
      identities.push(caller?.identity);
      return Promise.resolve({ ok: true, result: {} });
    });
    const [one, two] = [hubUser(downstream).user, hubUser(downstream).user];
    const own = {};
    for (const [user, identity] of [
      [one, 'session'],
      [two, 'session'],
      [one, own],
      [one, own],
      [two, own],
      [one, Symbol('once')],
    ] as const)
      await call(user, 'any', {}, { caller: { ...nobody, identity } });
    const [a, b, c, d, e, f] = identities;
    expect(a).toBe(b);
    expect(c).toBe(d);
    expect(new Set([a, c, e, f]).size).toBe(4);
  });
});

describe('bounds', () => {
  it('refuses answers that would pile up at a user that reads none, and drops its notices first', async () => {
    const reports: unknown[] = [];
    const { user } = hubUser(await started(raw()), {
      limits: { maxUnsent: 200_000, maxUnsentNotifications: 1_000 },
      isStuck: true,
    });
    expect(await call(user, 'big', { bytes: 150_000 })).toMatchObject({ ok: true });
    const progress = { reports: [{ progress: 1 }] };
    await call(user, 'progress', progress, { onProgress: (report) => reports.push(report) });
    expect(reports).toEqual([]);
    expect(await call(user, 'big', { bytes: 150_000 })).toEqual({
      ok: false,
      error: {
        code: 'response.invalid',
        server: 'raw',
        reason:
          'the process of the caller has not read earlier results: too much data waits to be sent',
      },
    });
    expect(await call(user, 'params')).toMatchObject({ ok: true });
  });

  it('does not limit a user that reads', async () => {
    const { user } = hubUser(await started(raw()), { limits: { maxUnsent: 200_000 } });
    for (let round = 0; round < 5; round += 1)
      expect(await call(user, 'big', { bytes: 150_000 })).toMatchObject({ ok: true });
  });
});
