import { expect, it } from 'vitest';
import { ask, callTool, textOf, toolNames } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import {
  gatewayCluster,
  startClusterGateway,
  type GatewayCluster,
} from '../harness/gateway-cluster.ts';
import { type RunningGateway } from '../harness/gateway.ts';
import { httpMcpServer, type HttpMcpServer } from '../harness/http-mcp-server.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';

const soon = <T>(read: () => T) => expect.poll(() => read(), { timeout: 60_000 });

const directory = testDirectory();
let kube: GatewayCluster;
let server: HttpMcpServer;
let gateway: RunningGateway;
let client: TestClient;

setUp(async () => {
  kube = await gatewayCluster();
  server = await httpMcpServer();
  await kube.apply('MCPServer', 'first', remote());
  gateway = await startClusterGateway(kube, directory, { args: ['--core-tool-writes', 'all'] });
  client = await connect(gateway.url);
});

const remote = (more: object = {}): object => ({
  ...{ type: 'streamable-http', url: server.url, autoStart: true },
  ...more,
});

const names = async (from: TestClient = client): Promise<readonly string[]> =>
  (await toolNames(from)).filter((name) => /^x_|^workflow_/.test(name));

const statusOf = async (plural: string, name: string): Promise<unknown> =>
  (await kube.read(plural, name))['status'];

it('serves the objects that exist at its start, and reports their state', async () => {
  expect(await names()).toEqual(['x_first_hello']);
  expect(textOf(await callTool(client, 'x_first_hello'))).toBe('hello');
  await soon(() => statusOf('mcpservers', 'first')).toMatchObject({
    ...{ state: 'Connected', tools: 1, restartCount: 0 },
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: 'Ready', status: 'True', observedGeneration: 1 }),
    ]) as unknown,
  });
});

it('serves a new object within a second, and a workflow on its tools', async () => {
  await kube.apply('MCPServer', 'second', remote());
  const startedAt = performance.now();
  await expect
    .poll(async () => names(), { timeout: 60_000, interval: 20 })
    .toContain('x_second_hello');
  console.info(`from apply to tools: ${Math.round(performance.now() - startedAt)} ms`);
  await kube.apply('Workflow', 'greet', {
    description: 'Greets.',
    steps: [{ id: 'one', tool: 'x_second_hello' }],
  });
  await soon(names).toContain('workflow_greet');
  expect((await callTool(client, 'workflow_greet')).isError ?? false).toBe(false);
  await soon(() => statusOf('workflows', 'greet')).toMatchObject({
    ...{ valid: true, stepCount: 1, referencedTools: ['x_second_hello'] },
  });
  await kube.remove('mcpservers', 'second');
  await soon(names).not.toContain('x_second_hello');
});

it('refuses a stdio server with a condition that says why', async () => {
  await kube.apply('MCPServer', 'shell', { type: 'stdio', command: 'sh', autoStart: true });
  await soon(() => statusOf('mcpservers', 'shell')).toMatchObject({
    state: 'Failed',
    conditions: [
      {
        ...{ type: 'Ready', status: 'False', reason: 'StdioNotAllowed' },
        message: expect.stringContaining('kubernetes.allowStdio') as unknown,
      },
    ],
  });
});

it('creates, changes and deletes objects by core tools, as the field manager gateway', async () => {
  await callTool(client, 'core_mcpserver_create', {
    ...{ name: 'made', type: 'streamable-http', url: server.url, autoStart: true },
  });
  await soon(names).toContain('x_made_hello');
  const { metadata } = await kube.read('mcpservers', 'made');
  expect(metadata).toMatchObject({
    managedFields: expect.arrayContaining([
      expect.objectContaining({ manager: 'gateway', operation: 'Apply' }),
    ]) as unknown,
  });
  const listed = await callTool(client, 'core_mcpserver_list', { showAll: true });
  expect(JSON.parse(textOf(listed))).toMatchObject({ mode: 'kubernetes' });
  await callTool(client, 'core_mcpserver_update', { name: 'made', description: 'changed' });
  expect((await kube.read('mcpservers', 'made'))['spec']).toMatchObject({ description: 'changed' });
  await callTool(client, 'core_mcpserver_delete', { name: 'made' });
  await soon(names).not.toContain('x_made_hello');
  await expect(kube.read('mcpservers', 'made')).rejects.toThrow('404');
  const kept = await callTool(client, 'core_mcpserver_update', {
    name: 'first',
    url: 'http://x.example/mcp',
  });
  expect(textOf(kept)).toContain('conflict with "test"');
  expect(await ask(client, 'filter_tools', { pattern: 'x_first*' })).toMatchObject({ total: 1 });
});

it('writes events next to the objects, and reads them back after a restart', async () => {
  await soon(async () => (await kube.events()).map(({ reason }) => reason)).toContain(
    'MCPServerStarted',
  );
  const { metadata } = await kube.read('mcpservers', 'first');
  const started = (await kube.events()).find(
    ({ reason, regarding }) =>
      reason === 'MCPServerStarted' && (regarding as { readonly name: string }).name === 'first',
  );
  expect(started).toMatchObject({
    ...{ type: 'Normal', reportingController: 'gateway.internal/gateway' },
    note: 'MCPServer first service started successfully',
    regarding: { kind: 'MCPServer', uid: (metadata as { readonly uid: string }).uid },
  });
  await client.close();
  await gateway.stop();
  gateway = await startClusterGateway(kube, directory);
  client = await connect(gateway.url);
  const filter = { resourceName: 'made', resourceType: 'MCPServer' };
  const answer = textOf(await callTool(client, 'core_events', filter));
  expect(answer).toContain('MCPServerCreated');
  expect(answer).toContain('MCPServerDeleted');
});
