import { describe, expect, it } from 'vitest';
import type { Downstream } from '../../src/index.ts';
import { failed, running } from '../harness/downstream.ts';
import { measureTurns } from '../harness/event-loop.ts';
import { useProgram } from '../harness/feature-servers.ts';
import { remote } from '../harness/http-connection.ts';
import { stdioFixture } from '../harness/servers.ts';

/** Duration of a flood in milliseconds. */
const FLOOD_MS = 800;

/** Half of the calls to another server take less, on a loaded machine too, in milliseconds. */
const MAX_MEDIAN_MS = 250;

const good = stdioFixture('good', 'raw-stdio.mjs');

/** Calls the other server until the work is over. Returns the median of the latencies and the longest turn meanwhile. */
const measureDuring = async (downstream: Downstream, work: Promise<unknown>) => {
  const end = new AbortController();
  void work.finally(() => end.abort());
  const stop = measureTurns();
  const latencies: number[] = [];
  const call = { server: 'good', tool: 'result', arguments: { result: { fine: 1 } } };
  while (!end.signal.aborted) {
    const began = performance.now();
    expect((await downstream.callTool(call)).ok).toBe(true);
    latencies.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const [longestTurn] = await stop();
  latencies.sort((a, b) => a - b);
  return { longestTurn, median: latencies[Math.floor(latencies.length / 2)] ?? Infinity };
};

const remoteFlood = async (tool: string, args = {}, requestMs = FLOOD_MS) => {
  const bad = remote(await useProgram('flood-http.mjs'), {}, 'bad');
  const { downstream } = await running([good, bad], { timeouts: { requestMs } });
  const flood = downstream.callTool({ server: 'bad', tool, arguments: args });
  return { ...(await measureDuring(downstream, flood)), outcome: await flood };
};

it.each(['empty-events', 'ids', 'pings'])(
  'a remote server that floods an event stream with %s does not delay other servers',
  async (tool) => {
    const { longestTurn, median, outcome } = await remoteFlood(tool);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'request.timeout' } });
    expect(longestTurn).toBeLessThan(50);
    expect(median).toBeLessThan(MAX_MEDIAN_MS);
  },
);

describe('an answer that is compressed without being asked', () => {
  it('is refused when it expands to more than 200 times its size', async () => {
    const { longestTurn, outcome } = await remoteFlood('packed', { bytes: 8_000_000 }, 30_000);
    const reason = 'it expands to more than 200 times its size';
    expect(outcome).toEqual(failed('response.invalid', { reason }, 'bad'));
    expect(longestTurn).toBeLessThan(50);
  });

  it('is read when it is smaller than 1 MiB', async () => {
    const { outcome } = await remoteFlood('packed', { bytes: 1_000_000 }, 30_000);
    expect(outcome).toMatchObject({ ok: true, result: { content: [] } });
  });
});

it.each([
  ['notifications/tools/list_changed', {}],
  ['notifications/progress', { progressToken: 1, progress: 1 }],
])(
  'a stdio server that floods its output with %s does not delay other servers',
  async (method, params) => {
    const { downstream } = await running([good, stdioFixture('bad', 'raw-stdio.mjs')]);
    const message = { jsonrpc: '2.0', method, params };
    await downstream.callTool({ server: 'bad', tool: 'flood', arguments: { message } });
    const flood = new Promise((resolve) => setTimeout(resolve, FLOOD_MS));
    const { longestTurn, median } = await measureDuring(downstream, flood);
    expect(longestTurn).toBeLessThan(50);
    expect(median).toBeLessThan(MAX_MEDIAN_MS);
  },
);
