import { describe, expect, it } from 'vitest';
import { formatDownstreamError } from '../src/index.ts';
import type { Downstream, DownstreamOptions } from '../src/index.ts';
import {
  eventually,
  failed,
  isAlive,
  resultOf,
  running,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const good = stdioFixture('good', 'raw-stdio.mjs');

/** Runs a server that misbehaves as its arguments say, beside a good one. */
const runBad = async (
  args: readonly string[] = [],
  options: Partial<DownstreamOptions> = {},
  spec: Readonly<Record<string, unknown>> = {},
) => {
  const bad = stdioFixture('bad', 'raw-stdio.mjs', args, spec);
  const { downstream, log } = await running([good, bad], options);
  const call = (tool: string, given: Readonly<Record<string, unknown>> = {}, server = 'bad') =>
    downstream.callTool({ server, tool, arguments: given });
  const read = async (tool: string) => resultOf(await call(tool))[tool];
  return { downstream, log, call, read, view: () => viewOf(downstream, 'bad') };
};

const servesOn = async (downstream: Downstream): Promise<void> => {
  const result = { fine: 1 };
  const call = { server: 'good', tool: 'result', arguments: { result } };
  expect(await downstream.callTool(call)).toEqual({ ok: true, result });
};

const NEVER = { firstMs: 60_000, maxMs: 60_000 };

describe('a child killed in the middle of a call', () => {
  it('fails the call once, takes its whole process group along, and comes back', async () => {
    const { downstream, call, read, view } = await runBad(['--grandchild']);
    const pids = (await read('pids')) as number[];
    expect(pids.map(isAlive)).toEqual([true, true]);
    const hanging = call('hang');
    process.kill(pids[0] ?? 0, 'SIGKILL');
    const reason = 'process ended by SIGKILL';
    expect(await hanging).toEqual(failed('server.connection-lost', { reason }, 'bad'));
    await eventually('the group is gone', () => !pids.some(isAlive));
    await servesOn(downstream);
    await untilState(downstream, 'bad', 'Running');
    const params = expect.objectContaining({ name: 'hang' }) as unknown;
    expect(await read('seen')).not.toContainEqual(expect.objectContaining({ params }));
    expect(view().restartCount).toBe(1);
  });

  it('forgets its restarts after a stable time', async () => {
    const { downstream, call, view } = await runBad([], { backoff: { stableAfterMs: 50 } });
    await call('die');
    await untilState(downstream, 'bad', 'Running');
    await eventually('it is stable', () => view().restartCount === 0);
  });
});

describe('a server that never answers', () => {
  it('fails within its bound, while others serve, and answers a call with its state', async () => {
    const timeouts = { stdioStartMs: 1_500, eraProbeMs: 300, settleMs: 5_000 };
    const { downstream } = testDownstream({ timeouts });
    downstream.apply([good, stdioFixture('mute', 'raw-stdio.mjs', ['--mute'])]);
    await untilState(downstream, 'good', 'Running');
    await servesOn(downstream);
    await downstream.settled();
    const view = { state: 'Failed', reason: 'not ready within 1.5 s' };
    expect(viewOf(downstream, 'mute')).toMatchObject(view);
    const outcome = await downstream.callTool({ server: 'mute', tool: 'x' });
    expect(outcome.ok ? '' : formatDownstreamError(outcome.error)).toMatch(
      /^server not connected: mute \(status: (Failed|Starting)\)$/,
    );
  });

  it('holds a call until its deadline and no longer', async () => {
    const { call, read } = await runBad([], { timeouts: { requestMs: 200 } });
    expect(await call('hang')).toEqual(failed('request.timeout', { timeoutMs: 200 }, 'bad'));
    const cancelled = expect.objectContaining({ method: 'notifications/cancelled' }) as unknown;
    expect(await read('seen')).toContainEqual(cancelled);
  });

  it('holds a call that has its own deadline until then', async () => {
    const { downstream } = await running([stdioFixture('bad', 'raw-stdio.mjs')]);
    const call = { server: 'bad', tool: 'hang', time: { timeoutMs: 200 } };
    expect(await downstream.callTool(call)).toEqual(
      failed('request.timeout', { timeoutMs: 200 }, 'bad'),
    );
  });

  it('ten times, never delays the others or readiness', async () => {
    const dead = Array.from({ length: 10 }, (_, index) =>
      stdioFixture(`mute-${index}`, 'raw-stdio.mjs', ['--mute']),
    );
    const { downstream } = testDownstream({ timeouts: { settleMs: 3_000 } });
    downstream.apply([...dead, good]);
    await untilState(downstream, 'good', 'Running');
    const began = Date.now();
    await downstream.settled();
    expect(Date.now() - began).toBeLessThan(4_000);
    await servesOn(downstream);
  });
});

describe('a server that sends garbage', () => {
  it('fails when it sends nothing else', async () => {
    const { downstream, log, view } = await runBad(['--garbage'], { backoff: NEVER });
    expect(view()).toMatchObject({ state: 'Failed', reason: 'its output is not MCP' });
    expect(log.filter(({ event }) => event === 'server.output-ignored').length).toBeLessThan(4);
    await servesOn(downstream);
  });

  it('is served in spite of a stray line', async () => {
    const { log, view } = await runBad(['--noise']);
    expect(view().state).toBe('Running');
    const reason = 'a line on stdout is not an MCP message';
    const ignored = { level: 'warn', server: 'bad', event: 'server.output-ignored', reason };
    expect(log).toContainEqual(ignored);
  });

  const NOT_JSON = 'the answer is not JSON: unexpected character at byte';
  const DEEP = `", "result": {"deep": ${'['.repeat(1_001)}`;
  it.each([
    ['{"jsonrpc":"2.0","id":', ',"result":{"mean":NaN}}', `${NOT_JSON} 50`],
    ['{"result":{"mean":NaN},"id":', ',"jsonrpc":"2.0"}', `${NOT_JSON} 18`],
    ['{"id": "', DEEP, 'the answer is nested deeper than 1000 levels'],
  ])(
    'fails the call that it answers with a line that is not JSON: %s',
    async (before, after, reason) => {
      const { call } = await runBad([], { timeouts: { requestMs: 60_000 } });
      void call('hang');
      const invalid = failed('response.invalid', { reason }, 'bad');
      expect(await call('text', { before, after })).toEqual(invalid);
      expect(await call('result', { result: {} })).toMatchObject({ ok: true });
    },
  );

  it('fails when a message is larger than the bound, and comes back', async () => {
    const { downstream, call } = await runBad([], { bounds: { maxMessageBytes: 50_000 } });
    expect((await call('big', { bytes: 49_000 })).ok).toBe(true);
    const reason = 'a message is larger than 50000 bytes';
    const lost = failed('server.connection-lost', { reason }, 'bad');
    expect(await call('big', { bytes: 51_000 })).toEqual(lost);
    await untilState(downstream, 'bad', 'Running');
  });
});

describe('a server with very many tools', () => {
  it('serves its prompts, and says why its tools are not read, with more than the bound', async () => {
    const { view } = await runBad(['--tools=1000'], { bounds: { maxListItems: 999 } });
    expect(view()).toMatchObject({ state: 'Running', toolsCount: 0, promptsCount: 1 });
    expect(view().listWarnings).toEqual([
      'tools/list: more than 999 entries',
      'resource entry 2 is left out: it has no uri',
    ]);
  });
});

describe('a server that dies at start', () => {
  it('fails with its exit reason, is restarted, and never affects others', async () => {
    const { downstream } = await running([
      good,
      stdioFixture('dead', 'raw-stdio.mjs', ['--die']),
      stdioFixture('telling', 'raw-stdio.mjs', ['--die'], { env: { KEY: 's3cret-key' } }),
      defineServer('absent', { type: 'stdio', command: '/no/such/command' }),
    ]);
    const failedWith = (name: string, reason: string): Promise<void> =>
      eventually(`${name} has failed`, () => {
        const { state, status, nextRetryAt = 0 } = viewOf(downstream, name);
        return state === 'Failed' && nextRetryAt > 0 && status.lastError === reason;
      });
    await failedWith('dead', 'process exited with code 3');
    await failedWith('telling', 'process exited with code 3: no disk for [redacted]');
    await failedWith('absent', 'cannot run the command: spawn [path]/command ENOENT');
    await eventually('it was tried again', () => viewOf(downstream, 'dead').restartCount >= 3);
    await servesOn(downstream);
  });

  it('ends later without its last output, which may repeat arguments of callers', async () => {
    const { downstream, call, view } = await runBad([], { backoff: { firstMs: 60_000 } });
    await call('die', { text: 'private' });
    await untilState(downstream, 'bad', 'Failed');
    expect(view().reason).toBe('process exited with code 7');
  });

  it('is a server of the 2025 revisions when it exits at an unknown request', async () => {
    const { downstream, view } = await runBad(['--exit-on-probe']);
    expect(view()).toMatchObject({ state: 'Running', restartCount: 1 });
    await downstream.stop('bad');
    expect(await downstream.start('bad')).toEqual({ code: 'started', server: 'bad' });
  });
});

describe('a server that changes its tools under load', () => {
  it('is listed again while its calls continue', async () => {
    const { downstream, call, view } = await runBad();
    const [bad, before] = downstream.inventories();
    const load = Array.from({ length: 50 }, (_, index) => call('result', { result: { index } }));
    const annotations = { readOnlyHint: false };
    const tools = [{ name: 'fresh', inputSchema: { type: 'object' }, annotations }];
    await call('rename', { tools });
    expect((await Promise.all(load)).every(({ ok }) => ok)).toBe(true);
    await eventually('the new tools are listed', () => view().toolsCount === 1);
    const [changed, untouched] = downstream.inventories();
    expect(untouched).toBe(before);
    expect(changed).not.toBe(bad);
    expect(changed?.tools).toEqual(tools.map((tool) => ({ ...tool, listed: tool })));
  });

  it('is not read more often than the policy allows, and preserves its identity', async () => {
    const relist = { debounceMs: 10, minIntervalMs: 200 };
    const { downstream, call, read } = await runBad([], { relist });
    const before = downstream.inventories();
    let changes = 0;
    downstream.onChange(() => (changes += 1));
    await call('storm');
    const began = Date.now();
    await eventually('it was listed three times', async () => Number(await read('lists')) >= 4);
    expect(Date.now() - began).toBeGreaterThan(400);
    expect(downstream.inventories()).toBe(before);
    expect(changes).toBe(0);
  });
});

it('a chatty child is drained, and its log is bounded', async () => {
  const { downstream, log, view } = await runBad(['--chatty']);
  expect(view().state).toBe('Running');
  await downstream.close();
  const told = log.filter(({ event }) => event.startsWith('server.stderr'));
  expect(new Set(told.map(({ level }) => level))).toEqual(new Set(['debug']));
  const lines = told.filter(({ event }) => event === 'server.stderr').length;
  expect(lines).toBeGreaterThan(0);
  expect(lines).toBeLessThan(2_000);
  expect(log).toContainEqual(expect.objectContaining({ event: 'server.stderr-suppressed' }));
});

it('a child that ignores SIGTERM is killed with its group when it is stopped', async () => {
  const timeouts = { closeGraceMs: 200 };
  const { downstream, read } = await runBad(['--stubborn', '--grandchild'], { timeouts });
  const pids = (await read('pids')) as number[];
  expect(await downstream.stop('bad')).toEqual({ code: 'stopped', server: 'bad' });
  await eventually('the group is gone', () => !pids.some(isAlive));
});
