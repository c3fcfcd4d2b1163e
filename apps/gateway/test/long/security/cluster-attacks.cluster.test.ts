import { expect, it } from 'vitest';
import { callTool, textOf, toolNames } from '../../harness/answers.ts';
import { connect, type TestClient } from '../../harness/clients.ts';
import {
  API_VERSION,
  gatewayCluster,
  startClusterGateway,
  type GatewayCluster,
} from '../../harness/gateway-cluster.ts';
import { httpMcpServer, type HttpMcpServer } from '../../harness/http-mcp-server.ts';
import { atEnd, setUp, testDirectory } from '../../harness/lifetime.ts';

const RBAC = 'rbac.authorization.k8s.io';
const MIB = 1024 * 1024;
/** Without their bound, these objects fill the heap of the gateway more than twice. */
const LARGE = 60;
/** Divides their number. */
const AT_ONCE = 6;
const HEAP_MIB = 160;
const CHANGES = 300;
const CALLS = 20;
const ON_SHARED_MACHINE_MS = 60_000;

const soon = <T>(read: () => T) => expect.poll(read, { timeout: ON_SHARED_MACHINE_MS });

const directory = testDirectory();
let kube: GatewayCluster;
let server: HttpMcpServer;
let client: TestClient;
/** Sends a request as a user who may create and change the three kinds, and no status. */
let tenant: (
  method: string,
  plural: string,
  given: {
    readonly name?: string;
    readonly body?: { readonly type?: string; readonly content: unknown };
  },
) => Promise<number>;

const asTenant = async (): Promise<void> => {
  const { cluster, namespace } = kube;
  const metadata = { namespace, name: 'tenant' };
  await cluster.admin.apply({
    ...{ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata },
    rules: [
      {
        apiGroups: ['gateway.internal'],
        resources: ['mcpservers', 'workflows', 'workflowexecutions'],
        verbs: ['create', 'patch', 'delete'],
      },
    ],
  });
  const token = await cluster.serviceAccountToken(namespace, 'tenant');
  await cluster.admin.apply({
    ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'tenant' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  });
  const user = cluster.client({ token });
  atEnd(() => user.close());
  tenant = async (method, plural, { name, body }) => {
    const path = `/apis/${API_VERSION}/namespaces/${namespace}/${plural}`;
    return (await user.request(method, name === undefined ? path : `${path}/${name}`, body)).status;
  };
};

const created = async (kind: string, plural: string, object: object): Promise<void> => {
  const status = await tenant('POST', plural, {
    body: { content: { apiVersion: API_VERSION, kind, ...object } },
  });
  expect(status).toBe(201);
};

const remote = (more: object = {}): object => ({
  ...{ type: 'streamable-http', url: server.url, autoStart: true },
  ...more,
});

const statusOf = async (plural: string, name: string): Promise<unknown> =>
  (await kube.read(plural, name))['status'];

const hello = async (): Promise<string> => textOf(await callTool(client, 'x_own_hello'));

setUp(async () => {
  kube = await gatewayCluster();
  await asTenant();
  server = await httpMcpServer();
  await kube.apply('MCPServer', 'own', remote());
  const steps = [{ id: 'a', tool: 'x_own_hello' }];
  await kube.apply('Workflow', 'greet', { description: 'Greets.', steps });
  const text = 'a'.repeat(MIB);
  const large = (at: number) => ({
    metadata: { name: `large-${String(at)}` },
    spec: { description: 'Large.', steps: [{ id: 'a', tool: 'x_own_hello', args: { text } }] },
  });
  for (let at = 0; at < LARGE; at += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, more) =>
        created('Workflow', 'workflows', large(at + more)),
      ),
    );
  const gateway = await startClusterGateway(kube, directory, {
    args: ['--core-tool-writes', 'all'],
    node: [`--max-old-space-size=${String(HEAP_MIB)}`],
  });
  client = await connect(gateway.url);
}, 240_000);

it('large objects of a tenant do not fill the memory, and are refused with a status', async () => {
  expect(await hello()).toBe('hello');
  for (let at = 0; at < LARGE; at += 1)
    await soon(() => statusOf('workflows', `large-${String(at)}`)).toMatchObject({
      valid: false,
      validationErrors: [expect.stringContaining('a definition has at most 131072')],
    });
});

it('an object that changes without end does not stop the calls of others', async () => {
  const type = 'application/merge-patch+json';
  await created('MCPServer', 'mcpservers', { metadata: { name: 'flapping' }, spec: remote() });
  let isOver = false;
  let changes = 0;
  const flap = async (): Promise<void> => {
    while (!isOver) {
      changes += 1;
      const spec = { timeout: 5 + (changes % 200), headers: { 'x-change': String(changes) } };
      await tenant('PATCH', 'mcpservers', { name: 'flapping', body: { type, content: { spec } } });
    }
  };
  const flaps = [flap(), flap(), flap(), flap()];
  // Without a bound in milliseconds: calls that wait for the end of the changes never end.
  let calls = 0;
  for (; calls < CALLS || changes < CHANGES; calls += 1) expect(await hello()).toBe('hello');
  const during = changes;
  isOver = true;
  await Promise.all(flaps);
  console.info(`${String(calls)} calls during ${String(during)} changes`);
  await soon(() => toolNames(client)).toContain('x_flapping_hello');
  await soon(() => statusOf('mcpservers', 'flapping')).toMatchObject({ state: 'Connected' });
});

it('names and keys of the prototype are data', async () => {
  const headers = JSON.parse('{"__proto__": "a", "constructor": "b"}') as object;
  await created('MCPServer', 'mcpservers', {
    metadata: { name: 'constructor', labels: { constructor: 'a', toString: 'b' } },
    spec: remote({ headers }),
  });
  await soon(() => toolNames(client)).toContain('x_constructor_hello');
  expect(server.requests.some(({ headers: { constructor } }) => String(constructor) === 'b')).toBe(
    true,
  );
});

it('a deletion that does not end occupies the name, and the answer says so', async () => {
  const metadata = { name: 'held', finalizers: ['tenant.example/held'] };
  await created('MCPServer', 'mcpservers', { metadata, spec: remote() });
  await soon(() => toolNames(client)).toContain('x_held_hello');
  expect(await tenant('DELETE', 'mcpservers', { name: 'held' })).toBe(200);
  await soon(() => toolNames(client)).not.toContain('x_held_hello');
  const again = { name: 'held', type: 'streamable-http', url: server.url };
  const answer = await callTool(client, 'core_mcpserver_create', again);
  expect(textOf(answer)).toContain('is still being deleted');
  await kube.cluster.admin.expect(
    'PATCH',
    `/apis/${API_VERSION}/namespaces/${kube.namespace}/mcpservers/held`,
    { type: 'application/merge-patch+json', content: { metadata: { finalizers: null } } },
  );
  await soon(async () => textOf(await callTool(client, 'core_mcpserver_create', again))).toContain(
    'created successfully',
  );
});

it('records of runs that a tenant wrote disturb neither lists nor runs', async () => {
  const labels = { 'gateway.internal/lease': 'gateway', 'gateway.internal/status': 'completed' };
  for (const [name, summary] of [
    ['forged-large', 'a'.repeat(200_000)],
    ['forged-text', '{"execution_id":"__proto__"}'],
    ['forged-empty', ''],
  ] as const)
    await created('WorkflowExecution', 'workflowexecutions', {
      metadata: { name, labels, annotations: { 'gateway.internal/summary': summary } },
      spec: {
        ...{ workflowName: 'own', status: 'completed', startedAt: '2026-01-01T00:00:00Z' },
        ...{ durationMs: 1, input: 'not JSON', steps: [] },
      },
    });
  await soon(() => toolNames(client)).toContain('workflow_greet');
  expect((await callTool(client, 'workflow_greet')).isError ?? false).toBe(false);
  const listed = textOf(await callTool(client, 'core_workflow_execution_list'));
  expect(listed).toContain('"greet"');
  expect(listed).not.toContain('forged');
  expect(listed).not.toContain('__proto__');
});

it('an agent runs no command and deletes nothing that belongs to another tool', async () => {
  const stdio = { name: 'shell', type: 'stdio', command: 'sh' };
  const refused = await callTool(client, 'core_mcpserver_create', stdio);
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain('kubernetes.allowStdio');
  const changed = { name: 'own', type: 'stdio', command: 'sh', url: null };
  expect((await callTool(client, 'core_mcpserver_update', changed)).isError).toBe(true);
  await kube.apply('MCPServer', 'released', remote(), { 'helm.toolkit.fluxcd.io/name': 'mcps' });
  await soon(() => toolNames(client)).toContain('x_released_hello');
  const kept = await callTool(client, 'core_mcpserver_delete', { name: 'released' });
  expect(textOf(kept)).toContain('belongs to the HelmRelease "mcps"; delete it there');
  const taken = await callTool(client, 'core_mcpserver_update', { name: 'own', url: 'http://b/' });
  expect(textOf(taken)).toContain('conflict with "test"');
});

it('without core tools that write, an agent changes nothing', async () => {
  const args = ['--core-tool-writes', 'none'];
  const reader = await startClusterGateway(kube, directory, { args });
  const agent = await connect(reader.url);
  for (const [tool, args] of [
    ['core_mcpserver_create', { name: 'new', type: 'streamable-http', url: server.url }],
    ['core_mcpserver_update', { name: 'own', timeout: 9 }],
    ['core_mcpserver_delete', { name: 'own' }],
    ['core_workflow_delete', { name: 'greet' }],
  ] as const)
    expect((await callTool(agent, tool, args)).isError).toBe(true);
  expect(await kube.read('mcpservers', 'own')).toMatchObject({ metadata: { generation: 1 } });
  expect(await statusOf('workflows', 'greet')).toMatchObject({ valid: true });
});
