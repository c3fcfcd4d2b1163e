import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Downstream } from '../../src/index.ts';
import {
  eventually,
  isAlive,
  running,
  testDownstream,
  untilState,
  viewOf,
} from '../harness/downstream.ts';
import { findFreePort } from '@gateway/test-peers';
import { remote } from '../harness/http-connection.ts';
import { respond, startRawHttp } from '../harness/raw-http.ts';
import { fixture } from '../harness/fixture.ts';
import { defineServer, stdioFixture } from '../harness/servers.ts';

const tinyScript = fixture('tiny-mcp.sh');
const tiny = (name: string, spec: Readonly<Record<string, unknown>> = {}) =>
  defineServer(name, { type: 'stdio', command: '/bin/sh', args: [tinyScript], ...spec });

const pidOf = (downstream: Downstream, name: string): number =>
  Number(viewOf(downstream, name).serverInfo?.version);

const STARTED = ['Starting', 'Started', 'ToolsDiscovered'];
const RECOVERED = ['RecoveryStarted', 'RecoverySucceeded', 'ToolsDiscovered'];

const openFiles = (): number => readdirSync('/proc/self/fd').length;

let base = '';
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'lifecycle-')));
});
afterAll(() => rm(base, { recursive: true }));

it('a child that is killed 50 times in a row, while the clock jumps, recovers each time, is counted and reported correctly, leaves nothing behind, and does not affect another server', async () => {
  let jumps = 0;
  const now = (): number => Date.now() + ((jumps += 1) % 3) * 86_400_000 - 86_400_000;
  const backoff = { firstMs: 1, maxMs: 8, stableAfterMs: 60_000 };
  const servers = [tiny('victim'), stdioFixture('other', 'raw-stdio.mjs')];
  const { downstream, reasons } = await running(servers, { now, backoff });
  const filesBefore = openFiles();
  const end = new AbortController();
  const latencies: number[] = [];
  const neighbour = (async () => {
    while (!end.signal.aborted) {
      const began = performance.now();
      const call = { server: 'other', tool: 'result', arguments: { result: {} } };
      expect((await downstream.callTool(call)).ok).toBe(true);
      latencies.push(performance.now() - began);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const pids = new Set<number>();
  for (let kill = 0; kill < 50; kill += 1) {
    await untilState(downstream, 'victim', 'Running');
    const pid = pidOf(downstream, 'victim');
    pids.add(pid);
    process.kill(pid, 'SIGKILL');
    const isGone = (): boolean =>
      viewOf(downstream, 'victim').state !== 'Running' || pidOf(downstream, 'victim') !== pid;
    await eventually('it is gone', isGone);
  }
  await untilState(downstream, 'victim', 'Running');
  end.abort();
  await neighbour;
  expect(pids.size).toBe(50);
  await eventually('all are gone', () => ![...pids].some(isAlive));
  expect(viewOf(downstream, 'victim').status).toMatchObject({
    state: 'Running',
    restartCount: 50,
    consecutiveFailures: 50,
  });
  const killed = ['Failed', 'ToolsUnavailable', ...RECOVERED];
  const all = Array.from({ length: 50 }, () => killed).flat();
  expect(reasons('victim')).toEqual([...STARTED, ...all]);
  expect(reasons('other')).toEqual(STARTED);
  await eventually('its pipes are closed', () => openFiles() <= filesBefore);
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  expect(p99).toBeLessThan(500);
});

it('a child that dies at start is started once per attempt', async () => {
  const starts = join(base, 'starts');
  const backoff = { firstMs: 60_000, maxMs: 60_000 };
  const server = tiny('dead', { env: { DIES: '1', STARTS: starts } });
  const { downstream, reasons } = await running([server], { backoff });
  expect(await readFile(starts, 'utf8')).toBe('started\n');
  expect(viewOf(downstream, 'dead')).toMatchObject({
    health: 'unhealthy',
    reason: 'process exited with code 3',
    status: { restartCount: 0, consecutiveFailures: 1 },
  });
  expect(reasons('dead')).toEqual(['Starting', 'Failed']);
  expect(await downstream.stop('dead')).toEqual({ code: 'stopped', server: 'dead' });
  expect(reasons('dead')).toEqual(['Starting', 'Failed', 'Stopped']);
  expect(viewOf(downstream, 'dead').status).not.toHaveProperty('nextRetryAfter');
});

describe('the dependency of a server', () => {
  const late = { backoff: { firstMs: 60_000, maxMs: 60_000, checkMs: 20 } };

  it('starts it as soon as its executable and its working directory appear', async () => {
    const { downstream, reasons } = testDownstream({ ...late, baseDirectory: base });
    const command = join(base, 'tool.sh');
    downstream.apply([
      defineServer('absent', { type: 'stdio', command }),
      tiny('homeless', { cwd: 'home' }),
    ]);
    await untilState(downstream, 'absent', 'Failed');
    await untilState(downstream, 'homeless', 'Failed');
    expect(viewOf(downstream, 'homeless').reason).toBe(
      `cannot run the command: there is no directory ${join(base, 'home')} to run it in`,
    );
    await copyFile(tinyScript, command);
    await chmod(command, 0o755);
    await mkdir(join(base, 'home'));
    await untilState(downstream, 'absent', 'Running');
    await untilState(downstream, 'homeless', 'Running');
    expect(viewOf(downstream, 'homeless').serverInfo?.name).toBe(join(base, 'home'));
    expect(viewOf(downstream, 'absent').serverInfo?.name).toBe(base);
    expect(reasons('absent')).toEqual(['Starting', 'Failed', ...RECOVERED]);
  });

  it('starts it as soon as its endpoint has a listener, and not when the listener is faulty', async () => {
    const { downstream } = testDownstream(late);
    const port = await findFreePort();
    downstream.apply([remote(`http://127.0.0.1:${port}/mcp`, {}, 'late')]);
    await untilState(downstream, 'late', 'Failed');
    const broken = await startRawHttp({ port });
    let requests = 0;
    broken.setIntercept((request, response) => {
      requests += 1;
      return respond(500)(request, response);
    });
    await eventually('it was tried', () => requests > 0);
    await untilState(downstream, 'late', 'Failed');
    const tried = requests;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(requests).toBe(tried);
    await broken.close();
    expect(await downstream.start('late')).toMatchObject({ code: 'failed' });
    await startRawHttp({ port });
    await untilState(downstream, 'late', 'Connected');
  });

  it('is not checked after the server is stopped', async () => {
    const { downstream } = testDownstream(late);
    const port = await findFreePort();
    downstream.apply([remote(`http://127.0.0.1:${port}/mcp`, {}, 'late')]);
    await untilState(downstream, 'late', 'Failed');
    await downstream.stop('late');
    const http = await startRawHttp({ port });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(http.headers).toEqual([]);
    expect(viewOf(downstream, 'late').state).toBe('Disconnected');
  });
});

describe('a definition that changes', () => {
  it('restarts for a working directory, and for nothing that does not change the connection', async () => {
    const { downstream, reasons } = testDownstream({ baseDirectory: base });
    const first = tiny('one', { cwd: base });
    downstream.apply([first]);
    await untilState(downstream, 'one', 'Running');
    const pid = pidOf(downstream, 'one');
    for (const change of [
      { description: 'new' },
      { toolPrefix: 'p' },
      { family: { name: 'f', instanceArg: 'which' } },
      { timeout: 7 },
      { autoStart: false },
    ])
      downstream.apply([tiny('one', { cwd: base, ...change })]);
    downstream.apply([{ ...first, metadata: { ...first.metadata, labels: { team: 'blue' } } }]);
    expect([viewOf(downstream, 'one').state, pidOf(downstream, 'one')]).toEqual(['Running', pid]);
    await mkdir(join(base, 'elsewhere'));
    downstream.apply([tiny('one', { cwd: 'elsewhere' })]);
    expect(viewOf(downstream, 'one')).toMatchObject({ state: 'Starting', health: 'checking' });
    await untilState(downstream, 'one', 'Running');
    expect(viewOf(downstream, 'one').serverInfo?.name).toBe(join(base, 'elsewhere'));
    expect(isAlive(pid)).toBe(false);
    downstream.apply([]);
    await eventually('it has stopped', () => reasons('one').includes('Stopped'));
    const restarted = ['Restarting', 'Started', 'ToolsDiscovered'];
    expect(reasons('one')).toEqual([...STARTED, ...restarted, 'Stopped']);
  });

  it('emits nothing for servers that end with the gateway', async () => {
    const { downstream, reasons } = await running([tiny('one')]);
    await untilState(downstream, 'one', 'Running');
    await downstream.close();
    expect(reasons('one')).toEqual(STARTED);
  });
});
