import {
  createTestConfigDirectory,
  type ConfigDirectory,
  retryAssertion,
} from '@gateway/repo-checks';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { callTool, serverInfo, textOf } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { findFreePort } from '@gateway/test-peers';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { descendantsOf, isRunning } from '../harness/living-process.ts';
import { rawCall, rawRequest } from '../harness/raw-http.ts';

const directories: ConfigDirectory[] = [];
const gateways: RunningGateway[] = [];

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')));
  for (const { remove } of directories) remove();
});

interface World {
  readonly gateway: RunningGateway;
  /** Returns the log of the server `doomed`, line by line: `<tool> <pid>`, `grandchild <pid>`. */
  readonly journal: () => readonly string[];
}

async function world(): Promise<World> {
  const directory = createTestConfigDirectory();
  directories.push(directory);
  const file = join(directory.path, 'journal');
  directory.server('doomed', fixture('plain', { env: { JOURNAL: file } }));
  directory.server('good', fixture('plain'));
  const gateway = await startGateway(directory.path);
  gateways.push(gateway);
  const journal = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  return { gateway, journal };
}

const pidIn = (journal: readonly string[], word: string): number =>
  Number(journal.find((line) => line.startsWith(`${word} `))?.split(' ')[1]);

const isGone = (pid: number) =>
  retryAssertion(() => {
    expect(isRunning(pid)).toBe(false);
  });

describe('a child that is killed in the middle of a call', () => {
  it('fails the call once without a retry, leaves no process of its group, and is restarted', async () => {
    const { gateway, journal } = await world();
    const client = await connect(gateway.url);
    const start = performance.now();
    const hanging = client.call('call_tool', { name: 'x_doomed_hang' });
    await retryAssertion(() => {
      expect(journal()).toHaveLength(2);
    });
    const [child, grandchild] = [pidIn(journal(), 'hang'), pidIn(journal(), 'grandchild')];
    expect([isRunning(child), isRunning(grandchild)]).toEqual([true, true]);

    process.kill(child, 'SIGKILL');
    const answer = await hanging;
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toBe(
      'Tool execution failed: connection to server doomed was lost: process ended by SIGKILL',
    );
    expect(performance.now() - start).toBeLessThan(5000);
    expect(textOf(await callTool(client, 'x_good_echo', { text: 'on' }))).toBe('on');
    await isGone(grandchild);

    await retryAssertion(async () => {
      const pid = Number(textOf(await callTool(client, 'x_doomed_pid')));
      expect(pid).toBeGreaterThan(0);
      expect(pid).not.toBe(child);
    });
    expect(journal().filter((line) => line.startsWith('hang'))).toHaveLength(1);
    await client.close();
  });
});

describe('10 dead servers of 30', () => {
  it('never block readiness, and the other 20 are served', async () => {
    const directory = createTestConfigDirectory();
    directories.push(directory);
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    for (const n of numbers(20)) directory.server(`alive-${n}`, fixture('plain'));
    for (const n of numbers(4)) directory.server(`dying-${n}`, fixture('dying'));
    for (const n of numbers(3))
      directory.server(`missing-${n}`, { type: 'stdio', command: 'no-such', autoStart: true });
    const url = `http://127.0.0.1:${String(await findFreePort())}/mcp`;
    for (const n of numbers(3))
      directory.server(`refusing-${n}`, { type: 'streamable-http', url, autoStart: true });

    const gateway = await startGateway(directory.path);
    gateways.push(gateway);
    const client = await connect(gateway.url);
    for (const n of numbers(20))
      expect(textOf(await callTool(client, `x_alive-${n}_echo`, { text: n }))).toBe(n);
    for (const name of ['dying-0', 'missing-0', 'refusing-0'])
      expect(await serverInfo(client, name)).toMatchObject({ state: 'Failed' });
    await client.close();
    await gateway.stop('SIGKILL');
  });
});

describe.concurrent('the end of the gateway', () => {
  it('by kill -9 leaves no orphan', async () => {
    const { gateway, journal } = await world();
    const client = await connect(gateway.url);
    client.call('call_tool', { name: 'x_doomed_hang' }).catch(() => undefined);
    await retryAssertion(() => {
      expect(journal()).toHaveLength(2);
    });
    const grandchild = pidIn(journal(), 'grandchild');
    const family = descendantsOf(gateway.child.pid ?? 0);
    expect(family).toContain(grandchild);
    expect(family.length).toBeGreaterThanOrEqual(3);
    expect(await gateway.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    for (const pid of family) await isGone(pid);
    await client.close();
  });

  it('by SIGTERM lets a running call finish, refuses new ones, and exits with 0', async () => {
    const { gateway, journal } = await world();
    const client = await connect(gateway.url);
    const family = descendantsOf(gateway.child.pid ?? 0);
    const running = callTool(client, 'x_doomed_slow', { ms: 1500 });
    await retryAssertion(() => {
      expect(journal()).toHaveLength(1);
    });
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
    await client.close();
  });

  it('by SIGINT drains when the signal is duplicated, and is immediate at a later second signal', async () => {
    const { gateway, journal } = await world();
    const client = await connect(gateway.url);
    const running = callTool(client, 'x_doomed_slow', { ms: 1000 });
    await retryAssertion(() => {
      expect(journal()).toHaveLength(1);
    });
    process.kill(gateway.child.pid ?? 0, 'SIGINT');
    await gateway.line((line) => line.includes('draining'));
    const stopping = gateway.stop('SIGINT');
    expect(textOf(await running)).toBe('done');
    expect(await stopping).toEqual({ code: 0, signal: null });
    await client.close();

    const other = await world();
    const hanging = rawCall(other.gateway.url, {
      name: 'call_tool',
      arguments: { name: 'x_doomed_hang' },
    }).catch(() => 'cut');
    await retryAssertion(() => {
      expect(other.journal()).toHaveLength(2);
    });
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
    await retryAssertion(() => {
      expect(journal()).toHaveLength(2);
    });
    const grandchild = pidIn(journal(), 'grandchild');
    const start = performance.now();
    expect(await gateway.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(['answered', 'cut']).toContain(await hanging);
    await isGone(grandchild);
  });
});
