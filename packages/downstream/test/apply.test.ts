import { describe, expect, it } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import { eventually, resultOf, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { fixture } from './harness/fixture.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';
import type { Downstream } from '../src/index.ts';

const requirement = defineRequirements(requirements);

const raw = (spec: Readonly<Record<string, unknown>> = {}, labels: Record<string, string> = {}) =>
  defineServer(
    'raw',
    { type: 'stdio', command: process.execPath, args: [fixture('raw-stdio.mjs')], ...spec },
    labels,
  );

const pidOf = async (downstream: Downstream): Promise<unknown> =>
  (resultOf(await downstream.callTool({ server: 'raw', tool: 'pids' }))['pids'] as unknown[])[0];

requirement('2.6/run-auto-start', () => {
  it('starts a server with autoStart when it is applied', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw({ autoStart: true })]);
    expect(viewOf(downstream, 'raw').state).toBe('Starting');
    await downstream.settled();
    expect(viewOf(downstream, 'raw').state).toBe('Running');
  });

  it('leaves a server without it stopped until it is started', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw({ autoStart: false })]);
    await downstream.settled();
    expect(viewOf(downstream, 'raw').state).toBe('Stopped');
    expect(await downstream.start('raw')).toEqual({ code: 'started', server: 'raw' });
    expect(await downstream.start('raw')).toEqual({ code: 'already-running', server: 'raw' });
  });

  it('starts a server whose autoStart is switched on, and does not stop one whose is switched off', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw({ autoStart: false })]);
    downstream.apply([raw({ autoStart: true })]);
    await untilState(downstream, 'raw', 'Running');
    downstream.apply([raw({ autoStart: false })]);
    expect(viewOf(downstream, 'raw').state).toBe('Running');
  });
});

describe('desired state', () => {
  it('preserves the connection and the inventory without a change', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw()]);
    await downstream.settled();
    const before = downstream.inventories();
    const pid = await pidOf(downstream);
    downstream.apply([raw()]);
    expect(downstream.inventories()).toBe(before);
    expect(await pidOf(downstream)).toBe(pid);
  });

  it.each([
    ['a label', () => raw({}, { team: 'blue' })],
    ['toolPrefix', () => raw({ toolPrefix: 'p' })],
    ['family', () => raw({ family: { name: 'f', instanceArg: 'which' } })],
  ])(
    'preserves the connection and creates a new inventory when %s changes',
    async (_what, changed) => {
      const { downstream } = testDownstream();
      downstream.apply([raw()]);
      await downstream.settled();
      const [before] = downstream.inventories();
      const pid = await pidOf(downstream);
      downstream.apply([changed()]);
      const [after] = downstream.inventories();
      expect(after).not.toBe(before);
      expect(after?.tools).toBe(before?.tools);
      expect(await pidOf(downstream)).toBe(pid);
    },
  );

  it('shows a new description at once and preserves connection and inventory', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw()]);
    await downstream.settled();
    const pid = await pidOf(downstream);
    downstream.apply([raw({ description: 'new' })]);
    expect(viewOf(downstream, 'raw').definition.spec.description).toBe('new');
    expect(await pidOf(downstream)).toBe(pid);
  });

  it.each([
    ['args', () => raw({ args: [fixture('raw-stdio.mjs'), '--tools=5'] })],
    ['env', () => raw({ env: { A: 'b' } })],
  ])('restarts only the server whose %s changed', async (_what, changed) => {
    const { downstream } = testDownstream();
    const other = stdioFixture('other', 'raw-stdio.mjs');
    downstream.apply([raw(), other]);
    await downstream.settled();
    const [untouched] = downstream.inventories();
    const pid = await pidOf(downstream);
    downstream.apply([changed(), other]);
    expect(viewOf(downstream, 'raw').state).toBe('Starting');
    await untilState(downstream, 'raw', 'Running');
    expect(await pidOf(downstream)).not.toBe(pid);
    expect(downstream.inventories()[0]).toBe(untouched);
  });

  it('leaves a stopped server stopped when its definition changes', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw()]);
    await downstream.settled();
    await downstream.stop('raw');
    downstream.apply([raw({ env: { A: 'b' } })]);
    expect(viewOf(downstream, 'raw').state).toBe('Stopped');
    expect(await downstream.stop('raw')).toEqual({ code: 'already-stopped', server: 'raw' });
  });

  it('ends a server that is no longer desired', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw()]);
    await downstream.settled();
    downstream.apply([]);
    expect(downstream.servers()).toEqual([]);
    expect(downstream.inventories()).toEqual([]);
    expect(await downstream.callTool({ server: 'raw', tool: 'pids' })).toEqual({
      ok: false,
      error: { code: 'server.unknown', server: 'raw' },
    });
    expect(await downstream.start('raw')).toEqual({ code: 'unknown', server: 'raw' });
  });

  it('accepts names of Object.prototype properties', async () => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('constructor', 'raw-stdio.mjs')]);
    await downstream.settled();
    expect(viewOf(downstream, 'constructor').state).toBe('Running');
    expect(await downstream.start('toString')).toEqual({ code: 'unknown', server: 'toString' });
  });

  it('sorts servers and inventories by name', async () => {
    const { downstream } = testDownstream();
    downstream.apply(['b', 'c', 'a'].map((name) => stdioFixture(name, 'raw-stdio.mjs')));
    await downstream.settled();
    expect(downstream.servers().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(downstream.inventories().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('calls listeners once per turn, until they are removed', async () => {
    const { downstream } = testDownstream();
    let calls = 0;
    const stop = downstream.onChange(() => (calls += 1));
    downstream.apply([
      raw({ autoStart: false }),
      stdioFixture('b', 'raw-stdio.mjs', [], { autoStart: false }),
    ]);
    expect(calls).toBe(0);
    await eventually('the listener was called', () => calls === 1);
    stop();
    downstream.apply([]);
    await Promise.resolve();
    expect(calls).toBe(1);
  });

  it('settles at once without servers, and closes twice without harm', async () => {
    const { downstream } = testDownstream();
    await downstream.settled();
    await downstream.close();
    await downstream.close();
    downstream.apply([raw()]);
    expect(downstream.servers()).toEqual([]);
  });
});

describe('asking for a server that fails', () => {
  it('answers with the reason, without secrets', async () => {
    const { downstream } = testDownstream();
    downstream.apply([
      defineServer('bad', {
        type: 'streamable-http',
        url: 'http://127.0.0.1:1/secret-value-1',
        headers: { 'X-Key': 'secret-value-1' },
        autoStart: false,
      }),
    ]);
    const outcome = await downstream.start('bad');
    expect(outcome.code).toBe('failed');
    expect(JSON.stringify(outcome)).not.toContain('secret-value-1');
  });
});

it('lets a server that was removed and defined again wait no longer than a new one', async () => {
  const { downstream, log } = testDownstream({ bounds: { maxConcurrentStarts: 1 } });
  const define = (name: string) => stdioFixture(name, 'raw-stdio.mjs');
  const sleep = { type: 'stdio', command: 'sleep', args: ['60'], startTimeout: 1 };
  downstream.apply([defineServer('again', sleep)]);
  await untilState(downstream, 'again', 'Failed');
  await downstream.stop('again');
  downstream.apply([]);
  await new Promise((resolve) => setImmediate(resolve));
  downstream.apply([define('first'), define('again'), define('last')]);
  for (const name of ['first', 'again', 'last']) await untilState(downstream, name, 'Running');
  const running = log.flatMap((event) =>
    event.event === 'server.state' && event.state === 'Running' ? [event.server] : [],
  );
  expect(running).toEqual(['first', 'again', 'last']);
});
