import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, textOf } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import {
  API_VERSION,
  gatewayCluster,
  grantReferences,
  startClusterGateway,
} from '../harness/gateway-cluster.ts';
import type { GatewayCluster } from '../harness/gateway-cluster.ts';
import type { RunningGateway } from '../harness/gateway.ts';
import { httpMcpServer, type HttpMcpServer } from '../harness/http-mcp-server.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';
import { isRunning } from '../harness/living-process.ts';
import { newSecret, carries, textsBelow } from '../harness/secrets.ts';
import { listenHttp, sendJson } from '../harness/http-listener.ts';

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 50 });

/** The values that a Secret or ConfigMap has had, the latest last. */
const values: string[] = [];
const newValue = (): string => {
  const value = newSecret();
  values.push(value);
  return value;
};

const valuesIn = (shown: string): readonly string[] =>
  values.filter((value) => carries(shown, value));

/** A server that repeats the headers of each request in its refusal. */
const startEcho = () =>
  listenHttp((request, response, body) => {
    const said = JSON.stringify(request.headers);
    const { id = null } = (body === '' ? {} : JSON.parse(body)) as { readonly id?: unknown };
    const error = { code: -32000, message: `not with ${said}`, data: said };
    sendJson(response, { jsonrpc: '2.0', id, error }, 400);
  });

const SECRET_KEY = { name: 'wiki-token', key: 'token' };
const REGION_KEY = { name: 'wiki-settings', key: 'region' };

const directory = testDirectory();
let kube: GatewayCluster;
let remote: HttpMcpServer;
let gateway: RunningGateway;
let client: TestClient;

setUp(async () => {
  kube = await gatewayCluster();
  await grantReferences(kube);
  remote = await httpMcpServer();
  const headersFrom = [
    { name: 'X-Api-Key', secretKeyRef: SECRET_KEY },
    { name: 'X-Region', configMapKeyRef: REGION_KEY },
  ];
  const journal = join(directory.path, 'starts');
  await kube.apply('MCPServer', 'child', {
    ...fixture('waiting', { env: { CHATTER: 'TOKEN,REGION', JOURNAL: journal } }),
    envFrom: [
      { name: 'TOKEN', secretKeyRef: SECRET_KEY },
      { name: 'REGION', configMapKeyRef: REGION_KEY },
    ],
  });
  const type = 'streamable-http';
  const autoStart = true;
  await kube.apply('MCPServer', 'remote', { type, url: remote.url, autoStart, headersFrom });
  await kube.apply('MCPServer', 'echoing', {
    type,
    url: `${await startEcho()}/mcp`,
    autoStart,
    headersFrom,
  });
  gateway = await startClusterGateway(kube, directory, {
    args: ['--core-tool-writes', 'all', '--log-level', 'debug'],
    kubernetes: { allowStdio: true },
    config: { audit: { file: 'audit.log' } },
  });
  client = await connect(gateway.url);
});

const setToken = async (value: string): Promise<void> => {
  const metadata = { namespace: kube.namespace, name: SECRET_KEY.name };
  const data = { token: Buffer.from(value).toString('base64') };
  await kube.cluster.admin.apply({ apiVersion: 'v1', kind: 'Secret', metadata, data });
};

const setRegion = async (value: string): Promise<void> => {
  const metadata = { namespace: kube.namespace, name: REGION_KEY.name };
  const data = { region: value };
  await kube.cluster.admin.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
};

const statusOf = async (name: string) => (await kube.read('mcpservers', name))['status'];

const starts = (): readonly number[] =>
  readFileSync(join(directory.path, 'starts'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Number(line.replace('start ', '')));

/** The variables that a process was started with. */
const variablesOf = (pid: number | undefined): readonly string[] =>
  readFileSync(`/proc/${String(pid)}/environ`, 'utf8').split('\0');

const keyOfCall = async (): Promise<unknown> => {
  await callTool(client, 'x_remote_hello');
  const calls = remote.requests.filter(({ method }) => method === 'tools/call');
  return calls.at(-1)?.headers['x-api-key'];
};

const unresolved = (fact: string) => ({
  conditions: expect.arrayContaining([
    expect.objectContaining({
      ...{ type: 'ResolvedRefs', status: 'False', reason: 'UnresolvedRefs' },
      message: expect.stringContaining(fact) as unknown,
    }),
  ]) as unknown,
});

it('values of Secrets and ConfigMaps that do not exist keep the servers from starting, with a sentence that names them', async () => {
  const { namespace } = kube;
  const fact = `Secret ${namespace}/wiki-token does not exist`;
  const place = { child: 'spec.envFrom[0]', remote: 'spec.headersFrom[0]' };
  for (const name of ['child', 'remote'] as const)
    await soon(() => statusOf(name)).toMatchObject({
      ...{ state: 'Failed', lastError: `${place[name]}: ${fact}` },
      ...unresolved(fact),
    });
  expect(remote.requests).toEqual([]);
  await setToken(newValue());
  const next = `spec.envFrom[1]: ConfigMap ${namespace}/wiki-settings does not exist`;
  await soon(() => statusOf('child')).toMatchObject(unresolved(next));
});

it('values of Secrets and ConfigMaps reach a process as variables, and a server as headers of each request', async () => {
  const region = newValue();
  await setRegion(region);
  const [token] = values;
  await soon(() => statusOf('child')).toMatchObject({ state: 'Running' });
  await soon(() => statusOf('remote')).toMatchObject({ state: 'Connected' });
  expect(variablesOf(starts()[0])).toEqual(
    expect.arrayContaining([`TOKEN=${String(token)}`, `REGION=${region}`]),
  );
  expect(await keyOfCall()).toBe(token);
  for (const { headers } of remote.requests)
    expect(headers).toMatchObject({ 'x-api-key': token, 'x-region': region });
  await soon(() => statusOf('echoing')).toMatchObject({ state: 'Failed' });
});

it('values of Secrets and ConfigMaps that change replace each connection once, and calls in progress finish', async () => {
  const file = join(directory.path, 'ended');
  const [first] = starts();
  remote.behaviour = 'hold';
  const calls = [callTool(client, 'x_child_wait', { file }), callTool(client, 'x_remote_hello')];
  await soon(() => remote.held()).toBe(1);
  remote.behaviour = 'serve';
  expect(textOf(await callTool(client, 'x_child_pid'))).toBe(String(first));
  const next = newValue();
  await setToken(next);
  await soon(() => starts().length).toBe(2);
  const second = starts()[1];
  await soon(async () => textOf(await callTool(client, 'x_child_pid'))).toBe(String(second));
  await soon(keyOfCall).toBe(next);
  expect(variablesOf(second)).toContain(`TOKEN=${next}`);
  expect(isRunning(first ?? 0)).toBe(true);
  writeFileSync(file, '');
  remote.release();
  const [ofChild, ofRemote] = await Promise.all(calls);
  expect(ofChild && textOf(ofChild)).toBe(`ended in ${String(first)}`);
  expect(ofRemote && textOf(ofRemote)).toBe('hello');
  await soon(() => isRunning(first ?? 0)).toBe(false);
  await soon(() => statusOf('child')).toMatchObject({ state: 'Running', restartCount: 0 });
  expect(starts()).toHaveLength(2);
});

it('values of Secrets and ConfigMaps are in no answer, log line, metric, audit record, event, status, file or command line', async () => {
  const ask = async (name: string, given: object = {}) =>
    JSON.stringify(await callTool(client, name, { ...given }));
  const names = ['child', 'remote', 'echoing'];
  const answers = await Promise.all([
    ...names.map((name) => ask('core_mcpserver_get', { name })),
    ...['core_mcpserver_list', 'core_service_list', 'core_events'].map((name) => ask(name)),
    ...['core_config_get', 'core_config_get_aggregator'].map((name) => ask(name)),
    ask('x_echoing_hello'),
    fetch(new URL('/metrics', gateway.url)).then((response) => response.text()),
    fetch(new URL('/readyz', gateway.url)).then((response) => response.text()),
  ]);
  const { admin } = kube.cluster;
  const objects = await Promise.all(
    [
      ...['mcpservers', 'workflows', 'workflowexecutions'].map((plural) => [API_VERSION, plural]),
      ...[['events.k8s.io/v1', 'events'] as const, ['coordination.k8s.io/v1', 'leases'] as const],
    ].map(async ([version, plural]) =>
      JSON.stringify(
        await admin.expect('GET', `/apis/${version}/namespaces/${kube.namespace}/${plural}`),
      ),
    ),
  );
  const files = textsBelow(directory.path);
  const commandLine = readFileSync(`/proc/${String(starts().at(-1))}/cmdline`, 'utf8');
  const log = [...gateway.stdout, ...gateway.stderr].join('\n');
  expect(log).toContain('TOKEN is [redacted]');
  expect(answers.join()).toContain('not with');
  expect(objects.join()).toContain('MCPServerRestarting');
  for (const shown of [...answers, ...objects, ...files, commandLine, log])
    expect(valuesIn(shown)).toEqual([]);
});
