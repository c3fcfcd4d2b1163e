import { retryAssertion } from '@gateway/repo-checks';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';
import { descendantsOf, isRunning } from '../harness/living-process.ts';
import { rawCall, rawRequest } from '../harness/raw-http.ts';

// Concurrent tests share one end.
setUp(() => undefined);

interface World {
  readonly gateway: RunningGateway;
  /** Returns the log of the server `doomed`, line by line: `<tool> <pid>`, `grandchild <pid>`. */
  readonly journal: () => readonly string[];
}

async function world(): Promise<World> {
  const directory = testDirectory();
  const file = join(directory.path, 'journal');
  directory.server('doomed', fixture('plain', { env: { JOURNAL: file } }));
  directory.server('good', fixture('plain'));
  const gateway = await startGateway(directory.path);
  const journal = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  return { gateway, journal };
}

const pidIn = (journal: readonly string[], word: string): number =>
  Number(journal.find((line) => line.startsWith(`${word} `))?.split(' ')[1]);

const noted = (journal: World['journal'], lines: number) =>
  retryAssertion(() => {
    expect(journal()).toHaveLength(lines);
  });

const isGone = (pid: number) =>
  retryAssertion(() => {
    expect(isRunning(pid)).toBe(false);
  });

describe.concurrent('the end of the gateway', () => {
  it('by kill -9 leaves no orphan', async () => {
    const { gateway, journal } = await world();
    const client = await connect(gateway.url);
    client.call('call_tool', { name: 'x_doomed_hang' }).catch(() => undefined);
    await noted(journal, 2);
    const grandchild = pidIn(journal(), 'grandchild');
    const family = descendantsOf(gateway.child.pid ?? 0);
    expect(family).toContain(grandchild);
    expect(family.length).toBeGreaterThanOrEqual(3);
    expect(await gateway.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    for (const pid of family) await isGone(pid);
  });

  it('by SIGTERM lets a running call finish, refuses new ones, and exits with 0', async () => {
    const { gateway, journal } = await world();
    const client = await connect(gateway.url);
    const family = descendantsOf(gateway.child.pid ?? 0);
    const running = callTool(client, 'x_doomed_slow', { ms: 1500 });
    await noted(journal, 1);
    const start = performance.now();
    const stopping = gateway.stop('SIGTERM');
    await retryAssertion(() =>
      expect(rawRequest(gateway.url, { path: '/healthz', method: 'GET' })).rejects.toThrow(
        'ECONNREFUSED',
      ),
    );
    expect(textOf(await running)).toBe('done');
    expect(await stopping).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(10_000);
    for (const pid of family) await isGone(pid);
  });

  it('by SIGINT drains when the signal is duplicated, and is immediate at a later second signal', async () => {
    const { gateway, journal } = await world();
    const client = await connect(gateway.url);
    const running = callTool(client, 'x_doomed_slow', { ms: 1000 });
    await noted(journal, 1);
    process.kill(gateway.child.pid ?? 0, 'SIGINT');
    await gateway.line((line) => line.includes('draining'));
    const stopping = gateway.stop('SIGINT');
    expect(textOf(await running)).toBe('done');
    expect(await stopping).toEqual({ code: 0, signal: null });

    const other = await world();
    const hanging = rawCall(other.gateway.url, {
      name: 'call_tool',
      arguments: { name: 'x_doomed_hang' },
    }).catch(() => 'cut');
    await noted(other.journal, 2);
    process.kill(other.gateway.child.pid ?? 0, 'SIGINT');
    await other.gateway.line((line) => line.includes('draining'));
    await new Promise((later) => setTimeout(later, 350));
    expect(await other.gateway.stop('SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
    await hanging;
    await isGone(pidIn(other.journal(), 'grandchild'));
  });

  it('by SIGTERM aborts a call that does not finish within 10 s, and exits with 0', async () => {
    const { gateway, journal } = await world();
    const call = { name: 'call_tool', arguments: { name: 'x_doomed_hang' } };
    const hanging = rawCall(gateway.url, call).then(
      () => 'answered',
      () => 'cut',
    );
    await noted(journal, 2);
    const grandchild = pidIn(journal(), 'grandchild');
    const start = performance.now();
    expect(await gateway.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(['answered', 'cut']).toContain(await hanging);
    await isGone(grandchild);
  });
});
