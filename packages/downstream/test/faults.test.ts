import { describe, expect, it } from 'vitest';
import { formatDownstreamError } from '../src/index.ts';
import type { Downstream } from '../src/index.ts';
import {
  eventually,
  isAlive,
  resultOf,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

const good = stdioFixture('good', 'raw-stdio.mjs');

const servesOn = async (downstream: Downstream): Promise<void> => {
  const outcome = await downstream.callTool({
    server: 'good',
    tool: 'result',
    arguments: { result: { fine: 1 } },
  });
  expect(outcome).toEqual({ ok: true, result: { fine: 1 } });
};

const pidsOf = async (downstream: Downstream, server: string): Promise<readonly number[]> => {
  const { pids } = resultOf(await downstream.callTool({ server, tool: 'pids' }));
  return pids as number[];
};

describe('a child killed in the middle of a call', () => {
  it('fails the call once, takes its whole process group along, and comes back', async () => {
    const { downstream } = testDownstream();
    downstream.apply([good, stdioFixture('bad', 'raw-stdio.mjs', ['--grandchild'])]);
    await downstream.settled();
    const pids = await pidsOf(downstream, 'bad');
    expect(pids.map(isAlive)).toEqual([true, true]);
    const call = downstream.callTool({ server: 'bad', tool: 'hang' });
    process.kill(pids[0] ?? 0, 'SIGKILL');
    const outcome = await call;
    expect(outcome).toEqual({
      ok: false,
      error: {
        code: 'server.connection-lost',
        server: 'bad',
        reason: 'process ended by SIGKILL',
      },
    });
    await eventually('the group is gone', () => !pids.some(isAlive));
    await servesOn(downstream);
    await untilState(downstream, 'bad', 'Running');
    const seen = resultOf(await downstream.callTool({ server: 'bad', tool: 'seen' }))['seen'];
    expect(seen).not.toContainEqual(
      expect.objectContaining({ params: expect.objectContaining({ name: 'hang' }) as unknown }),
    );
    expect(viewOf(downstream, 'bad').restartCount).toBe(1);
  });

  it('forgets its restarts after a stable time', async () => {
    const { downstream } = testDownstream({ backoff: { stableAfterMs: 50 } });
    downstream.apply([stdioFixture('bad', 'raw-stdio.mjs')]);
    await downstream.settled();
    await downstream.callTool({ server: 'bad', tool: 'die' });
    await untilState(downstream, 'bad', 'Running');
    await eventually('it is stable', () => viewOf(downstream, 'bad').restartCount === 0);
  });
});

describe('a server that never answers', () => {
  it('fails within its bound, while others serve', async () => {
    const { downstream } = testDownstream({
      timeouts: { stdioStartMs: 1_500, eraProbeMs: 300, settleMs: 5_000 },
    });
    downstream.apply([good, stdioFixture('mute', 'raw-stdio.mjs', ['--mute'])]);
    await untilState(downstream, 'good', 'Running');
    await servesOn(downstream);
    await downstream.settled();
    expect(viewOf(downstream, 'mute')).toMatchObject({
      state: 'Failed',
      reason: 'not ready within 1.5 s',
    });
  });

  it('holds a call until its deadline and no longer', async () => {
    const { downstream } = testDownstream({ timeouts: { requestMs: 200 } });
    downstream.apply([good]);
    await downstream.settled();
    const outcome = await downstream.callTool({ server: 'good', tool: 'hang' });
    expect(outcome).toEqual({
      ok: false,
      error: { code: 'request.timeout', server: 'good', timeoutMs: 200 },
    });
    const seen = resultOf(await downstream.callTool({ server: 'good', tool: 'seen' }))['seen'];
    expect(seen).toContainEqual(expect.objectContaining({ method: 'notifications/cancelled' }));
  });
});

describe('a server that sends garbage', () => {
  it('fails when it sends nothing else', async () => {
    const { downstream, log } = testDownstream({ backoff: { firstMs: 60_000, maxMs: 60_000 } });
    downstream.apply([good, stdioFixture('bad', 'raw-stdio.mjs', ['--garbage'])]);
    await downstream.settled();
    expect(viewOf(downstream, 'bad')).toMatchObject({
      state: 'Failed',
      reason: 'its output is not MCP',
    });
    expect(log.filter(({ event }) => event === 'server.output-ignored').length).toBeLessThan(4);
    await servesOn(downstream);
  });

  it('is served in spite of a stray line', async () => {
    const { downstream, log } = testDownstream();
    downstream.apply([stdioFixture('noisy', 'raw-stdio.mjs', ['--noise'])]);
    await downstream.settled();
    expect(viewOf(downstream, 'noisy').state).toBe('Running');
    expect(log).toContainEqual({
      level: 'warn',
      server: 'noisy',
      event: 'server.output-ignored',
      reason: 'a line on stdout is not an MCP message',
    });
  });

  it.each([
    [
      '{"jsonrpc":"2.0","id":',
      ',"result":{"mean":NaN}}',
      'the answer is not JSON: unexpected character at byte 50',
    ],
    [
      '{"result":{"mean":NaN},"id":',
      ',"jsonrpc":"2.0"}',
      'the answer is not JSON: unexpected character at byte 18',
    ],
    [
      '{"id": "',
      `", "result": {"deep": ${'['.repeat(1_001)}`,
      'the answer is nested deeper than 1000 levels',
    ],
  ])(
    'fails the call that it answers with a line that is not JSON: %s',
    async (before, after, why) => {
      const { downstream } = testDownstream({ timeouts: { requestMs: 60_000 } });
      downstream.apply([good]);
      await downstream.settled();
      const other = downstream.callTool({ server: 'good', tool: 'hang' });
      const call = { server: 'good', tool: 'text', arguments: { before, after } };
      expect(await downstream.callTool(call)).toEqual({
        ok: false,
        error: { code: 'response.invalid', server: 'good', reason: why },
      });
      await servesOn(downstream);
      void other;
    },
  );

  it('fails when a message is larger than the bound, and comes back', async () => {
    const { downstream } = testDownstream({ bounds: { maxMessageBytes: 50_000 } });
    downstream.apply([stdioFixture('big', 'raw-stdio.mjs')]);
    await downstream.settled();
    const call = (bytes: number) =>
      downstream.callTool({ server: 'big', tool: 'big', arguments: { bytes } });
    expect((await call(49_000)).ok).toBe(true);
    expect(await call(51_000)).toEqual({
      ok: false,
      error: {
        code: 'server.connection-lost',
        server: 'big',
        reason: 'a message is larger than 50000 bytes',
      },
    });
    await untilState(downstream, 'big', 'Running');
  });
});

describe('a server with very many tools', () => {
  it('is served with 5,000 of them on five pages', async () => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('many', 'raw-stdio.mjs', ['--tools=5000', '--page=1000'])]);
    await downstream.settled();
    expect(viewOf(downstream, 'many').toolsCount).toBe(5_000);
    expect(downstream.inventories()[0]?.tools[4_999]?.name).toBe('tool_4999');
  });

  it('serves its prompts, and says why its tools are not read, with more than the bound', async () => {
    const { downstream } = testDownstream({ bounds: { maxListItems: 999 } });
    downstream.apply([stdioFixture('many', 'raw-stdio.mjs', ['--tools=1000'])]);
    await downstream.settled();
    expect(viewOf(downstream, 'many')).toMatchObject({
      state: 'Running',
      toolsCount: 0,
      promptsCount: 1,
      listWarnings: [
        'tools/list: more than 999 entries',
        'resource entry 2 is left out: it has no uri',
      ],
    });
  });

  it('serves its prompts, and says why its tools are not read, when its cursors form a loop', async () => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('loop', 'raw-stdio.mjs', ['--loop-cursor'])]);
    await downstream.settled();
    expect(viewOf(downstream, 'loop').status.conditions).toContainEqual(
      expect.objectContaining({
        type: 'ToolsDiscovered',
        status: 'False',
        reason: 'ListFailed',
        message:
          'tools/list: a cursor is repeated. It is read again; entries that were listed before stay.',
      }),
    );
  });
});

describe('a server that dies at start', () => {
  it('fails with its exit reason, is restarted, and never affects others', async () => {
    const { downstream } = testDownstream();
    downstream.apply([
      good,
      stdioFixture('dead', 'raw-stdio.mjs', ['--die']),
      stdioFixture('telling', 'raw-stdio.mjs', ['--die'], {
        env: { KEY: 's3cret-key' },
      }),
      defineServer('absent', { type: 'stdio', command: '/no/such/command' }),
    ]);
    await downstream.settled();
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

  it('answers a call with the state it is in', async () => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('dead', 'raw-stdio.mjs', ['--die'])]);
    await downstream.settled();
    const outcome = await downstream.callTool({ server: 'dead', tool: 'x' });
    expect(outcome.ok ? '' : formatDownstreamError(outcome.error)).toMatch(
      /^server not connected: dead \(status: (Failed|Starting)\)$/,
    );
  });

  it('ends later without its last output, which may repeat arguments of callers', async () => {
    const { downstream } = testDownstream({ backoff: { firstMs: 60_000 } });
    downstream.apply([stdioFixture('late', 'raw-stdio.mjs')]);
    await downstream.settled();
    await downstream.callTool({ server: 'late', tool: 'die', arguments: { text: 'private' } });
    await untilState(downstream, 'late', 'Failed');
    expect(viewOf(downstream, 'late').reason).toBe('process exited with code 7');
  });

  it('is a server of the 2025 revisions when it exits at an unknown request', async () => {
    const { downstream } = testDownstream();
    downstream.apply([stdioFixture('old', 'raw-stdio.mjs', ['--exit-on-probe'])]);
    await downstream.settled();
    expect(viewOf(downstream, 'old')).toMatchObject({ state: 'Running', restartCount: 1 });
    await downstream.stop('old');
    expect(await downstream.start('old')).toEqual({ code: 'started', server: 'old' });
  });
});

describe('ten dead servers of many', () => {
  it('never delay the others or readiness', async () => {
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

describe('a server that changes its tools under load', () => {
  it('is listed again while its calls continue', async () => {
    const { downstream } = testDownstream();
    downstream.apply([good, stdioFixture('moving', 'raw-stdio.mjs')]);
    await downstream.settled();
    const [before, moving] = downstream.inventories();
    const load = Array.from({ length: 50 }, (_, index) =>
      downstream.callTool({ server: 'moving', tool: 'result', arguments: { result: { index } } }),
    );
    const tools = [
      { name: 'fresh', inputSchema: { type: 'object' }, annotations: { readOnlyHint: false } },
    ];
    await downstream.callTool({ server: 'moving', tool: 'rename', arguments: { tools } });
    const results = await Promise.all(load);
    expect(results.every(({ ok }) => ok)).toBe(true);
    await eventually(
      'the new tools are listed',
      () => viewOf(downstream, 'moving').toolsCount === 1,
    );
    expect(downstream.inventories()[0]).toBe(before);
    expect(downstream.inventories()[1]).not.toBe(moving);
    expect(downstream.inventories()[1]?.tools).toEqual(
      tools.map((tool) => ({ ...tool, listed: tool })),
    );
  });

  it('is not read more often than the policy allows, and preserves its identity', async () => {
    const { downstream } = testDownstream({ relist: { debounceMs: 10, minIntervalMs: 200 } });
    downstream.apply([stdioFixture('storm', 'raw-stdio.mjs')]);
    await downstream.settled();
    const before = downstream.inventories();
    let changes = 0;
    downstream.onChange(() => (changes += 1));
    await downstream.callTool({ server: 'storm', tool: 'storm' });
    const lists = async (): Promise<number> =>
      Number(resultOf(await downstream.callTool({ server: 'storm', tool: 'lists' }))['lists']);
    const began = Date.now();
    await eventually('it was listed three times', async () => (await lists()) >= 4);
    expect(Date.now() - began).toBeGreaterThan(400);
    expect(downstream.inventories()).toBe(before);
    expect(changes).toBe(0);
  });
});

describe('a chatty child', () => {
  it('is drained, and its log is bounded', async () => {
    const { downstream, log } = testDownstream();
    downstream.apply([stdioFixture('chatty', 'raw-stdio.mjs', ['--chatty'])]);
    await downstream.settled();
    expect(viewOf(downstream, 'chatty').state).toBe('Running');
    await downstream.close();
    const told = log.filter(({ event }) => event.startsWith('server.stderr'));
    expect(new Set(told.map(({ level }) => level))).toEqual(new Set(['debug']));
    const lines = told.filter(({ event }) => event === 'server.stderr').length;
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThan(2_000);
    expect(log).toContainEqual(expect.objectContaining({ event: 'server.stderr-suppressed' }));
  });
});

describe('a child that ignores SIGTERM', () => {
  it('is killed with its group when it is stopped', async () => {
    const { downstream } = testDownstream({ timeouts: { closeGraceMs: 200 } });
    downstream.apply([stdioFixture('stubborn', 'raw-stdio.mjs', ['--stubborn', '--grandchild'])]);
    await downstream.settled();
    const pids = await pidsOf(downstream, 'stubborn');
    expect(await downstream.stop('stubborn')).toEqual({ code: 'stopped', server: 'stubborn' });
    await eventually('the group is gone', () => !pids.some(isAlive));
  });
});
