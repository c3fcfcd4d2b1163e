import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually, resultOf, testDownstream, viewOf } from '../harness/downstream.ts';
import { fixture } from '../harness/fixture.ts';
import { defineServer, stdioFixture } from '../harness/servers.ts';

const startServer = async (): Promise<string> => {
  const child = spawn(process.execPath, [fixture('long-lists.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim())),
  );
  return `http://127.0.0.1:${port}/mcp`;
};

/** Measures the processor time of each turn of the event loop until it is stopped. */
const measureTurns = () => {
  const turns: number[] = [];
  let isStopped = false;
  const measure = async (): Promise<void> => {
    while (!isStopped) {
      const before = process.threadCpuUsage();
      await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.threadCpuUsage(before);
      turns.push((user + system) / 1_000);
    }
  };
  const measured = measure();
  return async (): Promise<readonly number[]> => {
    isStopped = true;
    await measured;
    return turns.sort((a, b) => b - a);
  };
};

describe('a server with 15,000 tools of 3 KB that announces changes all the time', () => {
  it('is served, and does not delay the calls to another server', async () => {
    const { downstream } = testDownstream({ relist: { debounceMs: 50, minIntervalMs: 1_000 } });
    downstream.apply([
      stdioFixture('good', 'raw-stdio.mjs'),
      defineServer('long', { type: 'streamable-http', url: await startServer() }),
    ]);
    const stop = measureTurns();
    const lists = async (): Promise<number> =>
      Number(resultOf(await downstream.callTool({ server: 'long', tool: 'any' }))['lists']);
    await eventually('the tools are listed', () => viewOf(downstream, 'long').toolsCount > 0);
    await eventually('they are listed twice more', async () => {
      const outcome = await downstream.callTool({
        server: 'good',
        tool: 'result',
        arguments: { result: { fine: 1 } },
      });
      expect(outcome.ok).toBe(true);
      return (await lists()) >= 3;
    });
    const turns = await stop();
    expect(viewOf(downstream, 'long').toolsCount).toBe(15_000);
    // 28 ms are measured; a collection of garbage adds to it.
    expect(turns[0]).toBeLessThan(100);
    expect(turns.filter((ms) => ms > 25).length).toBeLessThan(10);
  }, 120_000);
});
