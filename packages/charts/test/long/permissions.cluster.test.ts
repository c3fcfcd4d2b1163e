import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSharedCluster, type Cluster, findFreePort } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gatewayObjects } from '../gateway/gateway-chart.ts';
import { kubectl } from '../harness/kubectl.ts';
import { startRendered } from '../gateway/started-render.ts';
import { type NodeProcess } from '../harness/node-process.ts';

const CRDS = join(import.meta.dirname, '../../gateway/crds');
const GROUP = '/apis/gateway.internal/v1alpha1';

let cluster: Cluster;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'permissions-'));
  cluster = await openSharedCluster();
  for (const file of ['mcpservers.yaml', 'workflows.yaml', 'workflowexecutions.yaml'])
    await cluster.define(
      parse(readFileSync(join(CRDS, file), 'utf8')) as Parameters<Cluster['define']>[0],
    );
}, 180_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/** The first row of a list as `kubectl get` shows it, by column. */
const shownAt = async (path: string, token: string): Promise<Readonly<Record<string, unknown>>> => {
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const headers = { accept, authorization: `Bearer ${token}` };
  const sent = request(new URL(path, cluster.url), { ca: cluster.ca, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { columnDefinitions, rows } = JSON.parse(await text(response)) as Table;
  return Object.fromEntries(
    columnDefinitions
      .map(({ name, priority }, at) => [name, rows[0]?.cells[at], priority] as const)
      .filter(([, , priority]) => priority === 0)
      .map(([name, cell]) => [name, cell]),
  );
};

describe('the gateway chart in a real cluster', () => {
  let namespace: string;
  let gateway: NodeProcess | undefined;
  const read = async (path: string): Promise<unknown> =>
    (await cluster.admin.request('GET', path)).body;

  beforeAll(async () => {
    namespace = await cluster.namespace();
    const token = await cluster.serviceAccountToken(namespace, 'gateway', { seconds: 3600 });
    const objects = await gatewayObjects(
      {
        fullnameOverride: 'gateway',
        muster: {
          kubernetes: {
            enabled: true,
            namespaces: [namespace],
            namespace,
            kubeconfig: await cluster.writeKubeconfig({ token }),
          },
          http: { port: await findFreePort() },
          health: { port: await findFreePort() },
          stateDirectory: join(folder, 'state'),
        },
        mcpservers: {
          // Nothing listens there.
          wiki: {
            spec: { type: 'streamable-http', url: 'http://127.0.0.1:9/mcp', autoStart: true },
          },
        },
        workflows: { pages: { spec: { steps: [{ id: 'a', tool: 'x_wiki_pages' }] } } },
      },
      { namespace },
    );
    for (const object of objects) await cluster.admin.apply(object);
    gateway = await startRendered(objects, folder);
  });
  afterAll(async () => {
    await gateway?.stop();
  });

  it('gives its account what the gateway needs: to read objects, to report on them, and to be elected', async () => {
    const base = `${GROUP}/namespaces/${namespace}`;
    await expect
      .poll(() => read(`${base}/mcpservers/wiki`))
      .toMatchObject({ status: { state: 'Failed' } });
    await expect
      .poll(() => read(`${base}/workflows/pages`))
      .toMatchObject({ status: { stepCount: 1 } });
    expect(await read(`${base}/workflowexecutions`)).toMatchObject({ items: [] });
    await expect
      .poll(() => read(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/gateway`))
      .toMatchObject({ spec: { holderIdentity: expect.stringMatching(/./u) as unknown } });
  });

  it('shows the server in kubectl with its state and a reason', async () => {
    const token = await cluster.serviceAccountToken(namespace, 'gateway', { seconds: 3600 });
    expect(await shownAt(`${GROUP}/namespaces/${namespace}/mcpservers`, token)).toEqual({
      Name: 'wiki',
      Type: 'streamable-http',
      State: 'Failed',
      Tools: null,
      Reason: 'Failed',
      Age: expect.any(String) as unknown,
    });
  });

  it('tells the whole story of a failing server in kubectl describe', async () => {
    const story = () =>
      kubectl(cluster.kubeconfig, '--namespace', namespace, 'describe', 'mcpserver', 'wiki');
    const refused = 'connect ECONNREFUSED 127\\.0\\.0\\.1:9';
    for (const part of [
      /Status: +False\n +Type: +Ready\n/u,
      /Status: +False\n +Type: +ToolsDiscovered\n/u,
      new RegExp(`Last Error: +${refused}\\n`, 'u'),
      new RegExp(`Warning +MCPServerFailed .*operation failed: ${refused}\\n`, 'u'),
    ])
      await expect.poll(story).toMatch(part);
  });

  it('gives it nothing else', async () => {
    const token = await cluster.serviceAccountToken(namespace, 'gateway', { seconds: 3600 });
    const client = cluster.client({ token });
    const statusOf = async (method: string, path: string) =>
      (await client.request(method, path)).status;
    expect([
      await statusOf('GET', `/api/v1/namespaces/${namespace}/secrets`),
      await statusOf('GET', `/api/v1/namespaces/${namespace}/secrets/gateway-state`),
      await statusOf('GET', `${GROUP}/mcpservers`),
      await statusOf('DELETE', `${GROUP}/namespaces/${namespace}/mcpservers/wiki`),
      await statusOf('GET', `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/other`),
      await statusOf('GET', `${GROUP}/namespaces/${namespace}/mcpservers/wiki`),
    ]).toEqual([403, 403, 403, 403, 403, 200]);
  });
});

describe('the gateway chart with coreTools.writes', () => {
  it('lets the account create and delete definitions', async () => {
    const namespace = await cluster.namespace();
    const kubernetes = { enabled: true, namespaces: [namespace] };
    const objects = await gatewayObjects(
      { fullnameOverride: 'gateway', muster: { kubernetes, coreTools: { writes: 'workflows' } } },
      { namespace },
    );
    for (const object of objects) await cluster.admin.apply(object);
    const token = await cluster.serviceAccountToken(namespace, 'gateway', { seconds: 3600 });
    const client = cluster.client({ token });
    const definition = (kind: string, spec: object) => ({
      apiVersion: 'gateway.internal/v1alpha1',
      kind,
      metadata: { namespace, name: 'a' },
      spec,
    });
    const workflow = definition('Workflow', { steps: [{ id: 'a', tool: 'core_events' }] });
    await client.apply(workflow, 'gateway');
    await client.remove(workflow);
    await expect(
      client.apply(definition('MCPServer', { type: 'sse', url: 'http://a/sse' }), 'gateway'),
    ).rejects.toThrow('forbidden');
  });
});
