import { isStopRequested } from '@gateway/crd-schemas';
import { connectToCluster } from '@gateway/kube-client';
import { expect, it } from 'vitest';
import { openSecretObjects } from '../../src/kubernetes/referenced-objects.ts';
import { createResourceKey, formatProblem } from '../../src/index.ts';
import { openedStore, serverObject, startGatewayCluster, workflowObject } from './cluster-store.ts';

const listProblems = (store: Awaited<ReturnType<typeof openedStore>>): readonly string[] =>
  store.current().problems.map(formatProblem);

it('names an invalid object by its namespace and name', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('bad', { namespace: 'tenant', timeout: 900 }));
  api.apply({ ...workflowObject('flow'), spec: { description: 'd', steps: [] } });
  const store = await openedStore(kubeconfig);
  expect(listProblems(store)).toEqual([
    'default/flow: spec.steps: workflow must have at least one step',
    'tenant/bad: spec.timeout: must be at most 300',
  ]);
  const [workflow] = store.current().workflows;
  expect(workflow).toMatchObject({ name: 'flow', valid: false, source: 'default/flow' });
});

it('uses the oldest of several objects with one name', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  const at = (creationTimestamp: string, namespace: string) => {
    const object = serverObject('a', { namespace });
    return { ...object, metadata: { ...object.metadata, creationTimestamp } };
  };
  api.history.apply(KIND, at('2026-02-02T00:00:00Z', 'default'));
  api.history.apply(KIND, at('2026-01-01T00:00:00Z', 'tenant'));
  const store = await openedStore(kubeconfig);
  expect(store.current().servers.map(({ metadata }) => metadata.namespace)).toHaveLength(1);
  const [holder] = store.current().servers;
  const other = holder?.metadata.namespace === 'tenant' ? 'default' : 'tenant';
  expect(listProblems(store)).toEqual([
    `${other}/a: metadata.name: ${String(holder?.metadata.namespace)}/a is older and has the same name; names are unique in all namespaces of a gateway`,
  ]);
  api.remove('MCPServer', { namespace: String(holder?.metadata.namespace), name: 'a' });
  await expect
    .poll(() => store.current().servers.map(({ metadata }) => metadata.namespace))
    .toEqual([other]);
  expect(listProblems(store)).toEqual([]);
});

it('keeps the name of an object that is refused, so that no other namespace gets its callers', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  const at = (creationTimestamp: string, namespace: string, spec: object) => {
    const object = serverObject('a', { namespace });
    return { ...object, metadata: { ...object.metadata, creationTimestamp }, spec };
  };
  const remote = { type: 'streamable-http', url: 'https://tenant.example/mcp' };
  const command = { type: 'stdio', command: 'run' };
  api.history.apply(KIND, at('2026-01-01T00:00:00Z', 'default', command));
  api.history.apply(KIND, at('2026-02-02T00:00:00Z', 'tenant', remote));
  const store = await openedStore(kubeconfig);
  expect(store.current().servers).toEqual([]);
  expect(listProblems(store)).toEqual([
    expect.stringMatching(/^default\/a: spec\.type: stdio servers are not started/u),
    'tenant/a: metadata.name: default/a is older and has the same name; names are unique in all namespaces of a gateway',
  ]);
  api.remove('MCPServer', { namespace: 'default', name: 'a' });
  await expect
    .poll(() => store.current().servers.map(({ metadata }) => metadata.namespace))
    .toEqual(['tenant']);
});

it('refuses stdio servers unless they are permitted, and says how to permit them', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply({ ...serverObject('run'), spec: { type: 'stdio', command: 'run' } });
  const store = await openedStore(kubeconfig);
  expect(listProblems(store)).toEqual([
    'default/run: spec.type: stdio servers are not started in a cluster, because each is a command that runs in the pod of the gateway; kubernetes.allowStdio: true permits them',
  ]);
  const document = serverObject('new');
  expect(
    await store.servers.create({ ...document, spec: { type: 'stdio', command: 'run' } }),
  ).toMatchObject({ kind: 'invalid' });
  const permitted = await openedStore(kubeconfig, { allowStdio: true });
  expect(permitted.current().servers.map(({ metadata }) => metadata.name)).toEqual(['run']);
});

it('refuses a server that names a Secret of another namespace, unless it is permitted', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  const exchange = {
    ...{ enabled: true, dexTokenEndpoint: 'https://dex.example/token', connectorId: 'c' },
    clientCredentialsSecretRef: { name: 'client', namespace: 'tenant' },
  };
  api.apply(serverObject('a', { auth: { tokenExchange: exchange } }));
  const store = await openedStore(kubeconfig);
  expect(listProblems(store)).toEqual([
    'default/a: spec.auth: clientCredentialsSecretRef names a Secret of the namespace tenant, which is not that of the server; kubernetes.secretNamespaces permits it',
  ]);
  const permitted = await openedStore(kubeconfig, { secretNamespaces: ['tenant'] });
  expect(listProblems(permitted)).toEqual([]);
});

it('reads the current value of a Secret, and never repeats one in a problem', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  const connected = await connectToCluster({ kubeconfig, fieldManager: 'gateway' });
  if (!connected.ok) throw new Error(connected.problem);
  const { read } = openSecretObjects(connected.connection);
  const write = (value: string): void => {
    const data = { key: Buffer.from(value).toString('base64') };
    const metadata = { namespace: 'tenant', name: 'client' };
    api.apply({ ...{ apiVersion: 'v1', kind: 'Secret', metadata }, data });
  };
  const reference = { namespace: 'tenant', name: 'client', key: 'key' };
  expect(await read(reference)).toEqual({
    ...{ ok: false, reason: 'Secret tenant/client does not exist' },
  });
  write('first\n');
  expect(await read(reference)).toEqual({ ok: true, value: 'first' });
  write('second');
  expect(await read(reference)).toEqual({ ok: true, value: 'second' });
  write('two\nlines');
  expect(await read(reference)).toEqual({
    ...{ ok: false },
    reason: 'the key "key" of Secret tenant/client is not one line of text in UTF-8',
  });
  expect(await read({ ...reference, key: 'constructor' })).toMatchObject({
    reason: 'the key "constructor" of Secret tenant/client does not exist',
  });
  expect(await read({ ...reference, name: '../x' })).toMatchObject({ ok: false });
  connected.connection.close();
});

it('ignores an unknown field of a newer resource and reports it', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a', { replicas: 3, auth: { type: 'none', later: {} } }));
  const warnings: string[] = [];
  const store = await openedStore(kubeconfig, { onWarning: (line) => warnings.push(line) });
  expect(store.current().servers).toHaveLength(1);
  expect(warnings.toSorted()).toEqual([
    'default/a: spec.auth.later: unknown field; this gateway ignores it',
    'default/a: spec.replicas: unknown field; this gateway ignores it',
  ]);
});

it('reads only the namespaces that are configured, and writes to no other', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a'));
  api.apply(serverObject('b', { namespace: 'tenant' }));
  const store = await openedStore(kubeconfig, { namespaces: ['tenant'] });
  expect(store.current().servers.map(({ metadata }) => metadata.name)).toEqual(['b']);
  const { metadata: _metadata, ...document } = serverObject('c');
  expect(await store.servers.create({ ...document, metadata: { name: 'c' } })).toEqual({
    kind: 'done',
  });
  expect(api.history.get(KIND, { namespace: 'tenant', name: 'c' })).toBeDefined();
  expect(await store.servers.patch(createResourceKey('b'), { timeout: 5 })).toEqual({
    kind: 'done',
  });
  expect(await store.servers.remove(createResourceKey('a', 'default'))).toEqual({
    kind: 'missing',
  });
  const elsewhere = { ...document, metadata: { name: 'd', namespace: 'other' } };
  expect(await store.servers.create(elsewhere)).toEqual({
    kind: 'failed',
    text: 'the namespace other is not one of kubernetes.namespaces',
  });
});

it('does not take over a field of another manager', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  const store = await openedStore(kubeconfig);
  const git = await openedStore(kubeconfig);
  expect(git).not.toBe(store);
  api.appliedFields.apply(KIND, serverObject('a', { description: 'from Git' }), {
    ...{ manager: 'flux', isForced: false, isStatus: false },
  });
  await store.refresh();
  const result = await store.servers.patch(createResourceKey('a'), { description: 'mine' });
  expect(result).toEqual({
    kind: 'failed',
    text: 'the Kubernetes API could not write MCPServer default/a: it answered 409: Apply failed with 1 conflict: conflict with "flux": .spec.description',
  });
  expect(await store.servers.patch(createResourceKey('a'), { description: null })).toEqual({
    kind: 'failed',
    text: 'spec.description of MCPServer default/a is managed by "flux"; remove it there',
  });
  expect(await store.servers.patch(createResourceKey('a'), { timeout: 5 })).toEqual({
    kind: 'done',
  });
  expect(await store.servers.patch(createResourceKey('a'), { timeout: null })).toEqual({
    kind: 'done',
  });
  expect(api.history.get(KIND, createResourceKey('a'))?.['spec']).toEqual(
    serverObject('a', { description: 'from Git' })['spec'],
  );
});

it('reports a missing CustomResourceDefinition and reads the objects when it is installed', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  let isInstalled = false;
  api.fault = (_request, response) => {
    if (!isInstalled) response.writeHead(404, { 'content-type': 'text/plain' }).end('404\n');
    return !isInstalled;
  };
  api.apply(serverObject('a'));
  const store = await openedStore(kubeconfig);
  expect(listProblems(store)).toEqual([
    'Kubernetes API: the Kubernetes API could not list mcpservers in all namespaces: it does not serve MCPServer of gateway.internal/v1alpha1; install the CustomResourceDefinitions, which `gateway crds` prints',
    'Kubernetes API: the Kubernetes API could not list workflows in all namespaces: it does not serve Workflow of gateway.internal/v1alpha1; install the CustomResourceDefinitions, which `gateway crds` prints',
  ]);
  isInstalled = true;
  await expect.poll(() => store.current().servers.length).toBe(1);
  await expect.poll(() => listProblems(store)).toEqual([]);
});

it('keeps its definitions during an outage, and calls no listener for an equal state', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a'));
  const store = await openedStore(kubeconfig);
  const before = store.current();
  let count = 0;
  store.subscribe(() => {
    count += 1;
  });
  const [server] = api.history.list(KIND, 'default');
  if (server !== undefined) api.apply({ ...server, status: { state: 'Connected' } });
  await store.refresh();
  expect(count).toBe(0);
  expect(store.current()).toBe(before);
  api.fault = (_request, response) => {
    response.destroy();
    return true;
  };
  api.watches.cut();
  await expect.poll(() => listProblems(store).length).toBe(2);
  expect(store.current().servers).toBe(before.servers);
});

const KIND = {
  group: 'gateway.internal',
  version: 'v1alpha1',
  kind: 'MCPServer',
  resource: 'mcpservers',
};

it('records on a server that it is stopped on request, and that the request has ended', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a'));
  const store = await openedStore(kubeconfig);
  const isStopped = (): readonly boolean[] => store.current().servers.map(isStopRequested);
  expect(isStopped()).toEqual([false]);
  expect(await store.servers.requestStop?.(createResourceKey('a'), true)).toEqual({ kind: 'done' });
  expect(isStopped()).toEqual([true]);
  expect(store.current().servers[0]?.metadata.annotations).toMatchObject({
    'gateway.internal/stopped': 'true',
  });
  const reopened = await openedStore(kubeconfig);
  expect(reopened.current().servers.map(isStopRequested)).toEqual([true]);
  expect(await store.servers.requestStop?.(createResourceKey('a'), false)).toEqual({
    kind: 'done',
  });
  expect(isStopped()).toEqual([false]);
  expect(await store.servers.requestStop?.(createResourceKey('b'), true)).toEqual({
    kind: 'missing',
  });
});
