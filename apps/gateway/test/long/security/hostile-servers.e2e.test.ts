import { retryAssertion } from '@gateway/repo-checks';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, serverInfo, textOf } from '../../harness/answers.ts';
import { connect, type TestClient } from '../../harness/clients.ts';
import { CLI, startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { atEnd, setUp, testDirectory } from '../../harness/lifetime.ts';
import { startNode } from '../../harness/process.ts';

const FIXTURES = join(import.meta.dirname, '../../../../../packages/downstream/test/fixtures');

const RAW_STDIO = join(FIXTURES, 'raw-stdio.mjs');

/** Duration of each flood in milliseconds. */
const FLOOD_MS = 2_000;

/** Median delay of the calls to others in milliseconds: four processes of this test share the processors. */
const MAX_DELAY_MS = 250;

/** Time for the caller of a flood to start, in milliseconds. */
const START_MS = 1_000;

/** Starts the server that floods its callers, and returns its address. */
async function startFlooder(): Promise<string> {
  const child = spawn(process.execPath, [join(FIXTURES, 'flood-http.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()));
  });
  return `http://127.0.0.1:${port}/mcp`;
}

/** Calls a good server for some time and returns the latencies in milliseconds, shortest first. */
async function latenciesOf(client: TestClient, forMs: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const began = performance.now();
    const answer = await callTool(client, 'x_good_echo', { message: 'hello' });
    expect(textOf(answer)).toContain('hello');
    latencies.push(performance.now() - began);
  }
  return latencies.sort((a, b) => a - b);
}

const medianOf = (sorted: readonly number[]): number =>
  sorted[Math.floor(sorted.length / 2)] ?? Infinity;

let gateway: RunningGateway;
let victim: TestClient;

/** One gateway with a good and two hostile servers for all floods. */
setUp(async () => {
  const directory = testDirectory();
  const stdio = { type: 'stdio', autoStart: true };
  const servers = {
    good: { ...stdio, command: 'mcp-server-everything' },
    remote: { type: 'streamable-http', url: await startFlooder(), autoStart: true },
    child: { ...stdio, ...{ command: process.execPath, args: [RAW_STDIO, '--flooding'] } },
  };
  for (const [name, spec] of Object.entries(servers)) directory.server(name, spec);
  gateway = await startGateway(directory.path);
  victim = await connect(gateway.url);
  for (const name of Object.keys(servers))
    await retryAssertion(async () => {
      expect((await serverInfo(victim, name)).state).toMatch(/^(?:Running|Connected)$/u);
    });
});

describe('a server that floods the gateway', () => {
  it.each([
    ['remote', 'comments', {}],
    ['remote', 'notifications', {}],
    ['remote', 'list-changes', {}],
    ['remote', 'packed-events', { bytes: 60_000_000 }],
    ['child', 'flood', { message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } }],
  ])('%s with %s leaves the calls to others at their latency', async (server, tool, args) => {
    const quiet = medianOf(await latenciesOf(victim, 500));
    // The caller of the flood is a process of its own, because it receives a part of the flood.
    const call = ['tools', 'call', `x_${server}_${tool}`, '--json', JSON.stringify(args)];
    const caller = startNode([CLI, ...call, '--url', new URL('/mcp', gateway.url).href]);
    await new Promise((resolve) => setTimeout(resolve, START_MS));
    const flooded = await latenciesOf(victim, FLOOD_MS);
    caller.child.kill('SIGKILL');
    await caller.exited;
    expect(medianOf(flooded)).toBeLessThan(quiet + MAX_DELAY_MS);
    expect((await fetch(new URL('/healthz', gateway.url))).status).toBe(200);
  });
});
