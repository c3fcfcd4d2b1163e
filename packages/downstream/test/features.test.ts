import { describe, expect, it, onTestFinished } from 'vitest';
import { createDownstream } from '../src/index.ts';
import type { Downstream } from '../src/index.ts';
import { testCaller } from './harness/callers.ts';
import { eventually, resultOf, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { callFeature, connectedTo, startFeatures, useFeatures } from './harness/feature-servers.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const LOGGED = { method: 'notifications/message', params: { level: 'warning', data: 'a line' } };

const subscribed = async (
  downstream: Downstream,
  uri: string,
): Promise<{ readonly updates: unknown[]; readonly end: () => void }> => {
  const updates: unknown[] = [];
  const outcome = await downstream.subscribeResource({ server: 'features', uri }, (params) =>
    updates.push(params),
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return { updates, end: outcome.end };
};

describe.each([
  ['gen1', 'stdio'],
  ['gen1', 'streamable-http'],
  ['gen1', 'sse'],
  ['gen2', 'stdio'],
  ['gen2', 'streamable-http'],
] as const)('a server of %s over %s', (generation, transport) => {
  const shared = useFeatures(generation, transport);

  it('shows its optional features', () => {
    expect(viewOf(shared(), 'features').features).toEqual({
      completions: true,
      resourceSubscriptions: true,
      logging: true,
    });
  });

  it('completes arguments', async () => {
    const completion = await shared().complete({
      server: 'features',
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'an' },
      context: { arguments: { tone: 'dry' } },
    });
    expect(resultOf(completion)['completion']).toEqual({ values: ['an!'], total: 1 });
  });

  it('has its log messages passed on to the caller of the call, by level', async () => {
    const caller = testCaller('ann', { logLevel: 'warning' });
    for (const level of ['info', 'warning', 'emergency'])
      await callFeature(shared(), 'log', { level }, { caller });
    await eventually('both came', () => caller.notified.length === 2);
    expect(caller.notified).toMatchObject([LOGGED, { params: { level: 'emergency' } }]);
    const silent = testCaller('ben');
    await callFeature(shared(), 'log', { level: 'emergency' }, { caller: silent });
    expect(silent.notified).toEqual([]);
  });

  it('reports changes of a resource until the subscription ends', async () => {
    const first = await subscribed(shared(), 'test://one');
    const second = await subscribed(shared(), 'test://one');
    const other = await subscribed(shared(), 'test://two');
    await callFeature(shared(), 'touch', { uri: 'test://one' });
    await eventually('both hear', () => first.updates.length + second.updates.length === 2);
    expect(first.updates).toMatchObject([{ uri: 'test://one' }]);
    first.end();
    first.end();
    await callFeature(shared(), 'touch', { uri: 'test://one' });
    await eventually('the second hears', () => second.updates.length === 2);
    second.end();
    await callFeature(shared(), 'touch', { uri: 'test://two' });
    await eventually('the other hears', () => other.updates.length === 1);
    other.end();
    expect([first.updates.length, second.updates.length]).toEqual([1, 2]);
  });
});

describe('a resource with several subscriptions', () => {
  it('is subscribed to once, and unsubscribed from with the last', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    const seen = async () =>
      (await callFeature(downstream, 'seen')) as {
        readonly subscribed: string[];
        readonly unsubscribed: string[];
      };
    const [first, second] = await Promise.all([
      subscribed(downstream, 'test://both'),
      subscribed(downstream, 'test://both'),
    ]);
    first.end();
    expect(await seen()).toMatchObject({ subscribed: ['test://both'], unsubscribed: [] });
    second.end();
    await eventually('the server is told', async () => (await seen()).unsubscribed.length === 1);
    expect((await seen()).subscribed).toEqual(['test://both']);
  });
});

describe('list_changed', () => {
  it('comes over subscriptions/listen of a 2026-07-28 server over Streamable HTTP', async () => {
    const downstream = await connectedTo('gen2', 'streamable-http');
    const before = viewOf(downstream, 'features').toolsCount;
    await callFeature(downstream, 'change');
    await eventually(
      'the new tool is there',
      () => viewOf(downstream, 'features').toolsCount === before + 1,
    );
  });
});

describe('the log level of a 2025 server', () => {
  it('is raised to the level of callers, and sent only when it rises', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    const levels = async () =>
      ((await callFeature(downstream, 'seen')) as { readonly levels: string[] }).levels;
    const log = (logLevel: string | undefined) =>
      callFeature(
        downstream,
        'log',
        { level: 'info' },
        { caller: testCaller('ann', { logLevel }) },
      );
    for (const level of [undefined, 'warning', 'warning', 'error', 'debug', 'info', 'loud'])
      await log(level);
    expect(await levels()).toEqual(['warning', 'debug']);
  });
});

describe('a log message that belongs to no call for certain', () => {
  it('is not forwarded while calls of two callers run', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    const controller = new AbortController();
    const other = testCaller('ben', { logLevel: 'debug' });
    const hanging = downstream.callTool(
      { server: 'features', tool: 'hang', arguments: {} },
      { caller: other, signal: controller.signal },
    );
    const caller = testCaller('ann', { logLevel: 'debug' });
    await callFeature(downstream, 'log', { level: 'error', own: false }, { caller });
    controller.abort();
    await hanging;
    expect([caller.notified, other.notified]).toEqual([[], []]);
  });
});

describe('a subscription', () => {
  it.each(['gen1', 'gen2'] as const)(
    'lasts over a restart of a %s server over stdio, which counts as a change',
    async (generation) => {
      const downstream = await connectedTo(generation, 'stdio');
      const { updates, end } = await subscribed(downstream, 'test://one');
      await downstream.restart('features');
      await eventually('the gap is told', () => updates.length === 1);
      expect(updates).toEqual([{ uri: 'test://one' }]);
      await callFeature(downstream, 'touch', { uri: 'test://one' });
      await eventually('the change is told', () => updates.length === 2);
      end();
    },
  );

  it.each(['gen1', 'gen2'] as const)(
    'lasts when a %s server over HTTP dies and comes back',
    async (generation) => {
      const first = await startFeatures(generation);
      onTestFinished(first.kill);
      const { downstream } = testDownstream({ timeouts: { healthIntervalMs: 200 } });
      downstream.apply([defineServer('features', { type: 'streamable-http', url: first.url })]);
      await downstream.settled();
      const { updates } = await subscribed(downstream, 'test://one');
      first.kill();
      await untilState(downstream, 'features', 'Failed');
      const second = await startFeatures(generation, first.port);
      onTestFinished(second.kill);
      await eventually('the gap is told', () => updates.length > 0);
      const before = updates.length;
      await callFeature(downstream, 'touch', { uri: 'test://one' });
      await eventually('the change is told', () => updates.length > before);
    },
  );

  it('is refused by the server, by one without subscriptions, and for one that is not there', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    const subscribe = (server: string, uri = 'test://none') =>
      downstream.subscribeResource({ server, uri }, () => undefined);
    expect(await subscribe('features')).toMatchObject({
      ok: false,
      error: {
        code: 'request.refused',
        message: expect.stringContaining('no such resource') as string,
      },
    });
    expect(await subscribe('nowhere')).toEqual({
      ok: false,
      error: { code: 'server.unknown', server: 'nowhere' },
    });
    expect(await subscribe('features', 'test://one')).toMatchObject({ ok: true });
    await downstream.stop('features');
    expect(await subscribe('features')).toEqual({
      ok: false,
      error: { code: 'server.not-connected', server: 'features', state: 'Stopped' },
    });
    downstream.apply([stdioFixture('raw', 'raw-stdio.mjs')]);
    await downstream.settled();
    expect(await subscribe('raw')).toEqual({
      ok: false,
      error: {
        code: 'request.refused',
        server: 'raw',
        rpcCode: -32601,
        message: 'the server does not support resource subscriptions',
      },
    });
    expect(
      await downstream.complete({ server: 'raw', ref: {}, argument: { name: 'a', value: '' } }),
    ).toEqual({
      ok: false,
      error: {
        code: 'request.refused',
        server: 'raw',
        rpcCode: -32601,
        message: 'the server does not support completions',
      },
    });
  });
});

it('shows nothing of a server that is not connected', () => {
  const downstream = createDownstream({
    clientInfo: { name: 'test', version: '1.0.0' },
    log: () => undefined,
  });
  onTestFinished(() => downstream.close());
  downstream.apply([stdioFixture('raw', 'raw-stdio.mjs', [], { autoStart: false })]);
  expect(viewOf(downstream, 'raw')).not.toHaveProperty('features');
});
