import { describe, expect, it, onTestFinished } from 'vitest';
import type { Downstream } from '../src/index.ts';
import { testCaller } from './harness/callers.ts';
import { eventually, failed, resultOf, running, untilState, viewOf } from './harness/downstream.ts';
import { callFeature, connectedTo, startFeatures, useFeatures } from './harness/feature-servers.ts';
import { remote } from './harness/http-connection.ts';
import { stdioFixture } from './harness/servers.ts';

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

const touch = (downstream: Downstream, uri = 'test://one') =>
  callFeature(downstream, 'touch', { uri });

describe.each([
  ['gen1', 'stdio'],
  ['gen1', 'streamable-http'],
  ['gen1', 'sse'],
  ['gen2', 'stdio'],
  ['gen2', 'streamable-http'],
] as const)('a server of %s over %s', (generation, transport) => {
  const shared = useFeatures(generation, transport);

  it('shows its optional features, and completes arguments', async () => {
    const features = { completions: true, resourceSubscriptions: true, logging: true };
    expect(viewOf(shared(), 'features').features).toEqual(features);
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
    await touch(shared());
    await eventually('both hear', () => first.updates.length + second.updates.length === 2);
    expect(first.updates).toMatchObject([{ uri: 'test://one' }]);
    first.end();
    first.end();
    await touch(shared());
    await eventually('the second hears', () => second.updates.length === 2);
    second.end();
    await touch(shared(), 'test://two');
    await eventually('the other hears', () => other.updates.length === 1);
    other.end();
    expect([first.updates.length, second.updates.length]).toEqual([1, 2]);
  });
});

it('a resource with several subscriptions is subscribed to once, and unsubscribed from with the last', async () => {
  const downstream = await connectedTo('gen1', 'stdio');
  const seen = async () =>
    (await callFeature(downstream, 'seen')) as {
      readonly subscribed: string[];
      readonly unsubscribed: string[];
    };
  const subscribe = () => subscribed(downstream, 'test://both');
  const [first, second] = await Promise.all([subscribe(), subscribe()]);
  first.end();
  expect(await seen()).toMatchObject({ subscribed: ['test://both'], unsubscribed: [] });
  second.end();
  await eventually('the server is told', async () => (await seen()).unsubscribed.length === 1);
  expect((await seen()).subscribed).toEqual(['test://both']);
});

it('list_changed comes over subscriptions/listen of a 2026-07-28 server over Streamable HTTP', async () => {
  const downstream = await connectedTo('gen2', 'streamable-http');
  const before = viewOf(downstream, 'features').toolsCount;
  await callFeature(downstream, 'change');
  const isListed = () => viewOf(downstream, 'features').toolsCount === before + 1;
  await eventually('the new tool is there', isListed);
});

it('the log level of a 2025 server is raised to the level of callers, and sent only when it rises', async () => {
  const downstream = await connectedTo('gen1', 'stdio');
  for (const logLevel of [undefined, 'warning', 'warning', 'error', 'debug', 'info', 'loud']) {
    const caller = testCaller('ann', { logLevel });
    await callFeature(downstream, 'log', { level: 'info' }, { caller });
  }
  expect(await callFeature(downstream, 'seen')).toMatchObject({ levels: ['warning', 'debug'] });
});

it('a log message that belongs to no call for certain is not forwarded while calls of two callers run', async () => {
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

describe('a subscription', () => {
  it.each(['gen1', 'gen2'] as const)(
    'lasts over a restart of a %s server over stdio, which counts as a change',
    async (generation) => {
      const downstream = await connectedTo(generation, 'stdio');
      const { updates, end } = await subscribed(downstream, 'test://one');
      await downstream.restart('features');
      await eventually('the gap is told', () => updates.length === 1);
      expect(updates).toEqual([{ uri: 'test://one' }]);
      await touch(downstream);
      await eventually('the change is told', () => updates.length === 2);
      end();
    },
  );

  it.each(['gen1', 'gen2'] as const)(
    'lasts when a %s server over HTTP dies and comes back',
    async (generation) => {
      const first = await startFeatures(generation);
      onTestFinished(first.kill);
      const timeouts = { healthIntervalMs: 200 };
      const { downstream } = await running([remote(first.url, {}, 'features')], { timeouts });
      const { updates } = await subscribed(downstream, 'test://one');
      first.kill();
      await untilState(downstream, 'features', 'Failed');
      const second = await startFeatures(generation, first.port);
      onTestFinished(second.kill);
      await eventually('the gap is told', () => updates.length > 0);
      const before = updates.length;
      await touch(downstream);
      await eventually('the change is told', () => updates.length > before);
    },
  );

  it('is refused by the server, by one without subscriptions, and for one that is not there', async () => {
    const downstream = await connectedTo('gen1', 'stdio');
    const subscribe = (server: string, uri = 'test://none') =>
      downstream.subscribeResource({ server, uri }, () => undefined);
    const message = expect.stringContaining('no such resource') as string;
    const refused = { ok: false, error: { code: 'request.refused', message } };
    expect(await subscribe('features')).toMatchObject(refused);
    expect(await subscribe('nowhere')).toEqual(failed('server.unknown', {}, 'nowhere'));
    expect(await subscribe('features', 'test://one')).toMatchObject({ ok: true });
    await downstream.stop('features');
    const stopped = failed('server.not-connected', { state: 'Stopped' }, 'features');
    expect(await subscribe('features')).toEqual(stopped);
    expect(viewOf(downstream, 'features')).not.toHaveProperty('features');
    downstream.apply([stdioFixture('raw', 'raw-stdio.mjs')]);
    await downstream.settled();
    const unsupported = (what: string) =>
      failed('request.refused', {
        rpcCode: -32601,
        message: `the server does not support ${what}`,
      });
    expect(await subscribe('raw')).toEqual(unsupported('resource subscriptions'));
    const question = { server: 'raw', ref: {}, argument: { name: 'a', value: '' } };
    expect(await downstream.complete(question)).toEqual(unsupported('completions'));
  });
});
