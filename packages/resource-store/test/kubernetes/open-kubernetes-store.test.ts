import { isStopRequested } from '@gateway/crd-schemas';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openSecretObjects } from '../../src/kubernetes/referenced-objects.ts';
import { createResourceKey } from '../../src/index.ts';
import {
  breakConnections,
  connected,
  listProblems,
  openedCluster,
  openedStore,
  serverObject,
  SERVER_KIND,
  startGatewayCluster,
  workflowObject,
} from './cluster-store.ts';

const DONE = { kind: 'done' };
const MISSING = { kind: 'missing' };
const COMMAND = { type: 'stdio', command: 'run' };
const A = createResourceKey('a');

it('names an invalid object by its namespace and name', async () => {
  const { store, problems } = await openedCluster([
    serverObject('bad', { namespace: 'tenant', timeout: 900 }),
    { ...workflowObject('flow'), spec: { description: 'd', steps: [] } },
  ]);
  expect(problems()).toEqual([
    'default/flow: spec.steps: workflow must have at least one step',
    'tenant/bad: spec.timeout: must be at most 300',
  ]);
  const flow = { name: 'flow', valid: false, source: 'default/flow' };
  expect(store.current().workflows).toMatchObject([flow]);
});

it.each([
  ['uses the oldest of several objects with one name', {}],
  [
    'keeps the name of an object that is refused, so that no other gets its callers',
    { ...COMMAND, url: undefined },
  ],
])('%s', async (_, spec) => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a', { namespace: 'tenant', ...spec }));
  await wait(5);
  api.apply(serverObject('a'));
  const store = await openedStore(kubeconfig);
  const namespaces = () => store.current().servers.map(({ metadata }) => metadata.namespace);
  const isRefused = 'type' in spec;
  expect(namespaces()).toEqual(isRefused ? [] : ['tenant']);
  expect(listProblems(store)).toEqual([
    'default/a: metadata.name: tenant/a is older and has the same name; names are unique in all namespaces of a gateway',
    ...(isRefused ? [expect.stringMatching(/^tenant\/a: spec\.type: stdio servers are not/u)] : []),
  ]);
  api.remove('MCPServer', { namespace: 'tenant', name: 'a' });
  await expect.poll(namespaces).toEqual(['default']);
  expect(listProblems(store)).toEqual([]);
});

it('refuses stdio servers unless they are permitted, and says how to permit them', async () => {
  const run = { ...serverObject('run'), spec: COMMAND };
  const { kubeconfig, store, problems } = await openedCluster([run]);
  expect(problems()).toEqual([
    'default/run: spec.type: stdio servers are not started in a cluster, because each is a command that runs in the pod of the gateway; kubernetes.allowStdio: true permits them',
  ]);
  const document = { ...serverObject('new'), spec: COMMAND };
  expect(await store.servers.create(document)).toMatchObject({ kind: 'invalid' });
  const permitted = await openedStore(kubeconfig, { allowStdio: true });
  expect(permitted.current().servers.map(({ metadata }) => metadata.name)).toEqual(['run']);
});

it('refuses a server that names a Secret of another namespace, unless it is permitted', async () => {
  const tokenExchange = {
    ...{ enabled: true, dexTokenEndpoint: 'https://dex.example/token', connectorId: 'c' },
    clientCredentialsSecretRef: { name: 'client', namespace: 'tenant' },
  };
  const server = serverObject('a', { auth: { tokenExchange } });
  const { kubeconfig, problems } = await openedCluster([server]);
  expect(problems()).toEqual([
    'default/a: spec.auth: clientCredentialsSecretRef names a Secret of the namespace tenant, which is not that of the server; kubernetes.secretNamespaces permits it',
  ]);
  const permitted = await openedStore(kubeconfig, { secretNamespaces: ['tenant'] });
  expect(listProblems(permitted)).toEqual([]);
});

it('reads the current value of a Secret, and never repeats one in a problem', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  const { read } = openSecretObjects(await connected(kubeconfig));
  const metadata = { namespace: 'tenant', name: 'client' };
  const reference = { ...metadata, key: 'key' };
  const refused = (reason: string) => ({ ok: false, reason });
  expect(await read(reference)).toEqual(refused('Secret tenant/client does not exist'));
  for (const [written, answer] of [
    ['first\n', { ok: true, value: 'first' }],
    ['second', { ok: true, value: 'second' }],
    [
      'two\nlines',
      refused('the key "key" of Secret tenant/client is not one line of text in UTF-8'),
    ],
  ] as const) {
    const data = { key: Buffer.from(written).toString('base64') };
    api.apply({ apiVersion: 'v1', kind: 'Secret', metadata, data });
    expect(await read(reference)).toEqual(answer);
  }
  expect(await read({ ...reference, key: 'constructor' })).toMatchObject(
    refused('the key "constructor" of Secret tenant/client does not exist'),
  );
  expect(await read({ ...reference, name: '../x' })).toMatchObject({ ok: false });
});

it('ignores an unknown field of a newer resource and reports it', async () => {
  const warnings: string[] = [];
  const onWarning = (line: string) => warnings.push(line);
  const server = serverObject('a', { replicas: 3, auth: { type: 'none', later: {} } });
  const { names } = await openedCluster([server], { onWarning });
  expect(names()).toEqual(['a']);
  expect(warnings.toSorted()).toEqual([
    'default/a: spec.auth.later: unknown field; this gateway ignores it',
    'default/a: spec.replicas: unknown field; this gateway ignores it',
  ]);
});

it('reads only the namespaces that are configured, and writes to no other', async () => {
  const { store, names, patch, remove, find } = await openedCluster(
    [serverObject('a'), serverObject('b', { namespace: 'tenant' })],
    { namespaces: ['tenant'] },
  );
  expect(names()).toEqual(['b']);
  const document = serverObject('c');
  expect(await store.servers.create({ ...document, metadata: { name: 'c' } })).toEqual(DONE);
  expect(find('c', 'tenant')).toMatchObject({ spec: document['spec'] });
  expect([await patch({ timeout: 5 }, 'b'), await remove('a')]).toEqual([DONE, MISSING]);
  const metadata = { name: 'd', namespace: 'other' };
  expect(await store.servers.create({ ...document, metadata })).toEqual({
    kind: 'failed',
    text: 'the namespace other is not one of kubernetes.namespaces',
  });
});

it('does not take over a field of another manager', async () => {
  const { api, store, patch, find } = await openedCluster([]);
  const object = serverObject('a', { description: 'from Git' });
  const manager = { manager: 'flux', isForced: false, isStatus: false };
  api.appliedFields.apply(SERVER_KIND, object, manager);
  await store.refresh();
  expect(await patch({ description: 'mine' })).toEqual({
    kind: 'failed',
    text: 'the Kubernetes API could not write MCPServer default/a: it answered 409: Apply failed with 1 conflict: conflict with "flux": .spec.description',
  });
  expect(await patch({ description: null })).toEqual({
    kind: 'failed',
    text: 'spec.description of MCPServer default/a is managed by "flux"; remove it there',
  });
  for (const timeout of [5, null]) expect(await patch({ timeout })).toEqual(DONE);
  expect(find()?.['spec']).toEqual(object['spec']);
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
  const missing = (kind: string, resource: string): string =>
    `Kubernetes API: the Kubernetes API could not list ${resource} in all namespaces: it does not serve ${kind} of gateway.internal/v1alpha1; install the CustomResourceDefinitions, which \`gateway crds\` prints`;
  expect(listProblems(store)).toEqual([
    missing('MCPServer', 'mcpservers'),
    missing('Workflow', 'workflows'),
  ]);
  isInstalled = true;
  await expect.poll(() => store.current().servers.length).toBe(1);
  await expect.poll(() => listProblems(store)).toEqual([]);
});

it('keeps its definitions during an outage, and calls no listener for an equal state', async () => {
  const { api, store, problems, find } = await openedCluster([serverObject('a')]);
  const before = store.current();
  let count = 0;
  store.subscribe(() => {
    count += 1;
  });
  api.apply({ ...serverObject('a'), ...find(), status: { state: 'Connected' } });
  await store.refresh();
  expect(count).toBe(0);
  expect(store.current()).toBe(before);
  breakConnections(api);
  api.watches.cut();
  await expect.poll(() => problems().length).toBe(2);
  expect(store.current().servers).toBe(before.servers);
});

it('records on a server that it is stopped on request, and that the request has ended', async () => {
  const { kubeconfig, store } = await openedCluster([serverObject('a')]);
  const stopped = ({ current } = store) => current().servers.map(isStopRequested);
  expect(stopped()).toEqual([false]);
  expect(await store.servers.requestStop?.(A, true)).toEqual(DONE);
  expect(store.current().servers[0]?.metadata.annotations).toMatchObject({
    'gateway.internal/stopped': 'true',
  });
  expect([stopped(), stopped(await openedStore(kubeconfig))]).toEqual([[true], [true]]);
  expect(await store.servers.requestStop?.(A, false)).toEqual(DONE);
  expect(stopped()).toEqual([false]);
  expect(await store.servers.requestStop?.(createResourceKey('b'), true)).toEqual(MISSING);
});
