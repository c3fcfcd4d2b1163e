import { describe, expect, it } from 'vitest';
import { defineRequirements } from '@gateway/repo-checks';
import { requirements } from '../spec.requirements.ts';
import {
  eventually,
  failed,
  resultOf,
  running,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { remote } from './harness/http-connection.ts';
import { fixture } from './harness/fixture.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const requirement = defineRequirements(requirements);

const raw = (spec: Readonly<Record<string, unknown>> = {}, labels: Record<string, string> = {}) => {
  const command = { type: 'stdio', command: process.execPath, args: [fixture('raw-stdio.mjs')] };
  return defineServer('raw', { ...command, ...spec }, labels);
};

const started = async (...others: readonly ReturnType<typeof raw>[]) => {
  const { downstream } = await running([raw(), ...others]);
  const pid = async (): Promise<unknown> =>
    (resultOf(await downstream.callTool({ server: 'raw', tool: 'pids' }))['pids'] as unknown[])[0];
  return { downstream, pid, before: await pid() };
};

requirement('2.6/run-auto-start', () => {
  it('starts a server with autoStart when it is applied', async () => {
    const { downstream } = testDownstream();
    downstream.apply([raw({ autoStart: true })]);
    expect(viewOf(downstream, 'raw').state).toBe('Starting');
    await downstream.settled();
    expect(viewOf(downstream, 'raw').state).toBe('Running');
  });

  it('leaves a server without it stopped until it is started', async () => {
    const { downstream } = await running([raw({ autoStart: false })]);
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
  it('preserves the connection and the inventory without a change, and with a new description', async () => {
    const { downstream, pid, before } = await started();
    const inventories = downstream.inventories();
    downstream.apply([raw()]);
    expect(downstream.inventories()).toBe(inventories);
    downstream.apply([raw({ description: 'new' })]);
    expect(viewOf(downstream, 'raw').definition.spec.description).toBe('new');
    expect(await pid()).toBe(before);
  });

  it.each([
    ['a label', () => raw({}, { team: 'blue' })],
    ['toolPrefix', () => raw({ toolPrefix: 'p' })],
    ['family', () => raw({ family: { name: 'f', instanceArg: 'which' } })],
  ])(
    'preserves the connection and creates a new inventory when %s changes',
    async (_what, changed) => {
      const { downstream, pid, before } = await started();
      const [old] = downstream.inventories();
      downstream.apply([changed()]);
      const [after] = downstream.inventories();
      expect(after).not.toBe(old);
      expect(after?.tools).toBe(old?.tools);
      expect(await pid()).toBe(before);
    },
  );

  it.each([
    ['args', () => raw({ args: [fixture('raw-stdio.mjs'), '--tools=5'] })],
    ['env', () => raw({ env: { A: 'b' } })],
  ])('restarts only the server whose %s changed', async (_what, changed) => {
    const other = stdioFixture('other', 'raw-stdio.mjs');
    const { downstream, pid, before } = await started(other);
    const [untouched] = downstream.inventories();
    downstream.apply([changed(), other]);
    expect(viewOf(downstream, 'raw').state).toBe('Starting');
    await untilState(downstream, 'raw', 'Running');
    expect(await pid()).not.toBe(before);
    expect(downstream.inventories()[0]).toBe(untouched);
  });

  it('leaves a stopped server stopped when its definition changes', async () => {
    const { downstream } = await started();
    await downstream.stop('raw');
    downstream.apply([raw({ env: { A: 'b' } })]);
    expect(viewOf(downstream, 'raw').state).toBe('Stopped');
    expect(await downstream.stop('raw')).toEqual({ code: 'already-stopped', server: 'raw' });
  });

  it('ends a server that is no longer desired', async () => {
    const { downstream } = await started();
    downstream.apply([]);
    expect([downstream.servers(), downstream.inventories()]).toEqual([[], []]);
    const call = { server: 'raw', tool: 'pids' };
    expect(await downstream.callTool(call)).toEqual(failed('server.unknown'));
    expect(await downstream.start('raw')).toEqual({ code: 'unknown', server: 'raw' });
  });

  it('sorts servers and inventories by name, also names of Object.prototype properties', async () => {
    const names = ['b', 'constructor', 'a'];
    const { downstream } = await running(names.map((name) => stdioFixture(name, 'raw-stdio.mjs')));
    for (const list of [downstream.servers(), downstream.inventories()])
      expect(list.map(({ name }) => name)).toEqual(['a', 'b', 'constructor']);
    expect(viewOf(downstream, 'constructor').state).toBe('Running');
    expect(await downstream.start('toString')).toEqual({ code: 'unknown', server: 'toString' });
  });

  it('calls listeners once per turn, until they are removed', async () => {
    const { downstream } = testDownstream();
    let calls = 0;
    const stop = downstream.onChange(() => (calls += 1));
    const other = stdioFixture('b', 'raw-stdio.mjs', [], { autoStart: false });
    downstream.apply([raw({ autoStart: false }), other]);
    expect(calls).toBe(0);
    await eventually('the listener was called', () => calls === 1);
    stop();
    downstream.apply([]);
    await Promise.resolve();
    expect(calls).toBe(1);
  });

  it('settles at once without servers, and closes twice without harm', async () => {
    const { downstream } = await running([]);
    await downstream.close();
    await downstream.close();
    downstream.apply([raw()]);
    expect(downstream.servers()).toEqual([]);
  });
});

it('starting a server that fails is answered with the reason, without secrets', async () => {
  const { downstream } = testDownstream();
  const spec = { headers: { 'X-Key': 'secret-value-1' }, autoStart: false };
  downstream.apply([remote('http://127.0.0.1:1/secret-value-1', spec)]);
  const outcome = await downstream.start('raw');
  expect(outcome.code).toBe('failed');
  expect(JSON.stringify(outcome)).not.toContain('secret-value-1');
});

it('lets a server that was removed and defined again wait no longer than a new one', async () => {
  const { downstream, log } = testDownstream({ bounds: { maxConcurrentStarts: 1 } });
  const sleep = { type: 'stdio', command: 'sleep', args: ['60'], startTimeout: 1 };
  downstream.apply([defineServer('again', sleep)]);
  await untilState(downstream, 'again', 'Failed');
  await downstream.stop('again');
  downstream.apply([]);
  await new Promise((resolve) => setImmediate(resolve));
  const names = ['first', 'again', 'last'];
  downstream.apply(names.map((name) => stdioFixture(name, 'raw-stdio.mjs')));
  for (const name of names) await untilState(downstream, name, 'Running');
  const started = log.flatMap((event) =>
    event.event === 'server.state' && event.state === 'Running' ? [event.server] : [],
  );
  expect(started).toEqual(names);
});
