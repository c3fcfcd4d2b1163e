import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Downstream } from '../../src/index.ts';
import { testDownstream } from '../harness/downstream.ts';
import { fixture } from '../harness/fixture.ts';
import { defineServer, stdioFixture } from '../harness/servers.ts';

/** Duration of a flood in milliseconds. */
const FLOOD_MS = 800;

/** Half of the calls to another server take less, on a loaded machine too, in milliseconds. */
const MAX_MEDIAN_MS = 250;

const startFlooder = async (): Promise<string> => {
  const child = spawn(process.execPath, [fixture('flood-http.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim())),
  );
  return `http://127.0.0.1:${port}/mcp`;
};

/** Returns a signal that is aborted when the work is over. */
const endOf = (work: Promise<unknown>): AbortSignal => {
  const controller = new AbortController();
  void work.finally(() => controller.abort());
  return controller.signal;
};

/** Returns the processor time of each turn of the event loop during the flood, in milliseconds, longest first. */
const turnsDuring = async (work: Promise<unknown>): Promise<readonly number[]> => {
  const end = endOf(work);
  const turns: number[] = [];
  const deadline = performance.now() + FLOOD_MS * 4;
  while (!end.aborted && performance.now() < deadline) {
    const before = process.threadCpuUsage();
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(before);
    turns.push((user + system) / 1_000);
  }
  return turns.sort((a, b) => b - a);
};

const callOther = async (downstream: Downstream, during: Promise<unknown>): Promise<number[]> => {
  const latencies: number[] = [];
  const end = endOf(during);
  while (!end.aborted) {
    const began = performance.now();
    const outcome = await downstream.callTool({
      server: 'good',
      tool: 'result',
      arguments: { result: { fine: 1 } },
    });
    expect(outcome.ok).toBe(true);
    latencies.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return latencies.sort((a, b) => a - b);
};

const medianOf = (latencies: readonly number[]): number =>
  latencies[Math.floor(latencies.length / 2)] ?? Infinity;

const good = stdioFixture('good', 'raw-stdio.mjs');

const remoteFlood = async (tool: string, args = {}, requestMs = FLOOD_MS) => {
  const { downstream } = testDownstream({ timeouts: { requestMs } });
  const bad = defineServer('bad', { type: 'streamable-http', url: await startFlooder() });
  downstream.apply([good, bad]);
  await downstream.settled();
  const flood = downstream.callTool({ server: 'bad', tool, arguments: args });
  const [turns, latencies] = await Promise.all([turnsDuring(flood), callOther(downstream, flood)]);
  return { longestTurn: turns[0], median: medianOf(latencies), outcome: await flood };
};

describe('a remote server that floods an event stream', () => {
  it.each(['empty-events', 'ids', 'pings'])(
    'with %s does not delay other servers',
    async (tool) => {
      const { longestTurn, median, outcome } = await remoteFlood(tool);
      expect(outcome).toMatchObject({ ok: false, error: { code: 'request.timeout' } });
      expect(longestTurn).toBeLessThan(50);
      expect(median).toBeLessThan(MAX_MEDIAN_MS);
    },
  );
});

describe('an answer that is compressed without being asked', () => {
  it('is refused when it expands to more than 200 times its size', async () => {
    const { longestTurn, outcome } = await remoteFlood('packed', { bytes: 8_000_000 }, 30_000);
    expect(outcome).toEqual({
      ok: false,
      error: {
        code: 'response.invalid',
        server: 'bad',
        reason: 'it expands to more than 200 times its size',
      },
    });
    expect(longestTurn).toBeLessThan(50);
  });

  it('is read when it is smaller than 1 MiB', async () => {
    const { outcome } = await remoteFlood('packed', { bytes: 1_000_000 }, 30_000);
    expect(outcome).toMatchObject({ ok: true, result: { content: [] } });
  });
});

describe('a stdio server that floods its output', () => {
  it.each([
    ['notifications/tools/list_changed', {}],
    ['notifications/progress', { progressToken: 1, progress: 1 }],
  ])('with %s does not delay other servers', async (method, params) => {
    const { downstream } = testDownstream();
    downstream.apply([good, stdioFixture('bad', 'raw-stdio.mjs')]);
    await downstream.settled();
    const message = { jsonrpc: '2.0', method, params };
    await downstream.callTool({ server: 'bad', tool: 'flood', arguments: { message } });
    const flood = new Promise((resolve) => setTimeout(resolve, FLOOD_MS));
    const [turns, latencies] = await Promise.all([
      turnsDuring(flood),
      callOther(downstream, flood),
    ]);
    expect(turns[0]).toBeLessThan(50);
    expect(medianOf(latencies)).toBeLessThan(MAX_MEDIAN_MS);
  });
});
