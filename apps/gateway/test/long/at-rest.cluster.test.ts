import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort, startOwnCluster, type OwnCluster } from '@gateway/test-peers';
import { expect, it, vi } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import {
  gatewayCluster,
  startClusterGateway,
  type GatewayCluster,
} from '../harness/gateway-cluster.ts';
import type { RunningGateway } from '../harness/gateway.ts';
import { httpMcpServer, type HttpMcpServer } from '../harness/http-mcp-server.ts';
import { closing, setUp, testDirectory } from '../harness/lifetime.ts';

interface Status {
  readonly state: string;
  readonly lastConnected?: string;
  readonly consecutiveFailures: number;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime: string;
    readonly observedGeneration: number;
  }[];
}

const REST_MS = 10_000;
const READY = ['r0', 'r1', 'r2', 'r3'];
const AWAY = ['away0', 'away1'];

const directory = testDirectory();
let own: OwnCluster;
let kube: GatewayCluster;
let server: HttpMcpServer;
let gateway: RunningGateway;

const start = () => startClusterGateway(kube, directory);

const statusOf = async (name: string): Promise<Partial<Status>> =>
  (await kube.read('mcpservers', name))['status'] ?? {};

/** The status writes since a time, by object. */
const writesSince = async (at: number): Promise<readonly string[]> =>
  (await own.requests())
    .filter((one) => one.at >= at && one.verb === 'patch' && one.resource === 'mcpservers/status')
    .map(({ name }) => name ?? '');

const statesAre = (names: readonly string[], state: string): Promise<void> =>
  vi.waitFor(
    async () => {
      const found = await Promise.all(names.map(statusOf));
      expect(found.map(({ state: one }) => one)).toEqual(names.map(() => state));
    },
    { timeout: 60_000, interval: 100 },
  );

setUp(async () => {
  own = await closing(startOwnCluster({ audit: true }));
  kube = await gatewayCluster(own.cluster);
  server = await httpMcpServer();
  const type = 'streamable-http';
  for (const name of READY)
    await kube.apply('MCPServer', name, { type, url: server.url, autoStart: true });
  for (const name of AWAY) {
    const url = `http://127.0.0.1:${String(await findFreePort())}/mcp`;
    await kube.apply('MCPServer', name, { type, url, autoStart: true });
  }
  gateway = await start();
  await statesAre(READY, 'Connected');
  await statesAre(AWAY, 'Failed');
});

const failuresOf = async (name: string): Promise<number> => {
  const client = await connect(gateway.url);
  const answer = await callTool(client, 'core_mcpserver_get', { name });
  await client.close();
  return (JSON.parse(textOf(answer)) as Status).consecutiveFailures;
};

it('writes no status while nothing changes but the attempts to reach a server', async () => {
  const [name = ''] = AWAY;
  const [before, stored, at] = [await failuresOf(name), await statusOf(name), Date.now()];
  await wait(REST_MS);
  expect(await failuresOf(name)).toBeGreaterThan(before);
  expect(await writesSince(at)).toEqual([]);
  expect(await statusOf(name)).toEqual(stored);
});

it('writes one status for one change', async () => {
  const at = Date.now();
  const spec = { type: 'streamable-http', url: server.url, autoStart: true, description: 'one' };
  await kube.apply('MCPServer', 'r0', spec);
  await expect
    .poll(async () => (await statusOf('r0')).conditions?.[0]?.observedGeneration, {
      timeout: 10_000,
    })
    .toBe(2);
  await wait(2_000);
  expect(await writesSince(at)).toEqual(['r0']);
});

it('changes no transition of a server that is ready before and after a restart', async () => {
  const before = await Promise.all(READY.map(statusOf));
  await gateway.stop();
  const at = Date.now();
  gateway = await start();
  for (const [index, name] of READY.entries())
    await expect
      .poll(async () => (await statusOf(name)).lastConnected, { timeout: 30_000 })
      .not.toBe(before[index]?.lastConnected);
  const after = await Promise.all(READY.map(statusOf));
  expect(after.map(({ conditions }) => conditions)).toEqual(
    before.map(({ conditions }) => conditions),
  );
  const writes = await writesSince(at);
  expect(writes.filter((name) => READY.includes(name)).toSorted()).toEqual(READY);
});
