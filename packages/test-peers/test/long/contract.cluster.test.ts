import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { ApiServer } from '../../src/api-server/api-server.ts';
import { AGENT_RUNTIME_DEFINITIONS, openSharedCluster } from '../../src/index.ts';

/** Who sends a request. */
type User = 'administrator' | 'reader' | 'unknown';

interface Server {
  readonly url: string;
  readonly ca?: string;
  readonly tokens: Readonly<Record<User, string>>;
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly user?: User;
}

/** A response without what differs between any two clusters. */
interface Comparable {
  readonly status: number;
  readonly body: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const open = async (
  server: Server,
  { method, path, body, user }: Sent,
): Promise<IncomingMessage> => {
  const send = server.ca === undefined ? requestHttp : requestHttps;
  const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
  const content = body === undefined ? '' : JSON.stringify(body);
  const sent = send(new URL(path, server.url), {
    method,
    ca: server.ca,
    headers: {
      'content-length': Buffer.byteLength(content),
      'content-type': type,
      'user-agent': 'contract',
      authorization: `Bearer ${server.tokens[user ?? 'administrator']}`,
    },
  });
  sent.end(content);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
};

/** Returns the managers of fields outside of the status. */
const managersOf = (fields: readonly Fields[]): readonly unknown[] =>
  fields
    .filter(({ subresource }) => subresource === undefined)
    .map(({ manager, operation }) => [manager, operation]);

/** Replaces values that each cluster chooses, and times. */
const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value === 'string') return value.replace(/(?<=UID in record \()[^)]+/u, 'a uid');
  if (typeof value !== 'object' || value === null) return value;
  const chosen = new Set(['uid', 'resourceVersion', 'creationTimestamp']);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (chosen.has(key)) return [key, typeof item];
      if (key === 'managedFields') return [key, managersOf(item as readonly Fields[])];
      return [key, masked(item)];
    }),
  );
};

const toAnswer = async (server: Server, sent: Sent): Promise<Comparable> => {
  const response = await open(server, sent);
  const body = await text(response);
  const isJson = response.headers['content-type'] === 'application/json';
  return { status: response.statusCode ?? 0, body: isJson ? masked(JSON.parse(body)) : body };
};

const prepared = async (): Promise<{ real: Server; quick: Server; namespace: string }> => {
  const cluster = await openSharedCluster();
  for (const definition of AGENT_RUNTIME_DEFINITIONS) await cluster.define(definition);
  const namespace = await cluster.namespace();
  const tokens = {
    administrator: await cluster.administratorToken(),
    reader: await cluster.serviceAccountToken(namespace, 'reader'),
    unknown: 'unknown',
  };
  const reader = `system:serviceaccount:${namespace}:reader`;
  const api = new ApiServer({
    namespaces: [namespace],
    users: new Map([
      [tokens.administrator, 'administrator'],
      [tokens.reader, reader],
    ]),
    isAllowed: (_request, user) => user !== reader,
  });
  const quick = { url: await api.listen(), tokens };
  onTestFinished(() => api.close());
  return { real: { url: cluster.url, ca: cluster.ca, tokens }, quick, namespace };
};

const GROUP = '/apis/kagent.dev/v1alpha2';

const agent = (namespace: string, spec: object, metadata: object = {}): object => ({
  apiVersion: 'kagent.dev/v1alpha2',
  kind: 'Agent',
  spec,
  metadata: { name: 'a', namespace, ...metadata },
});

/** The requests of the clients in quick tests, in an order in which each depends on the ones before. */
const requestsIn = (namespace: string): readonly Sent[] => {
  const all = `${GROUP}/namespaces/${namespace}/agents`;
  const one = `${all}/a`;
  const apply = (manager: string, path = one): string => `${path}?fieldManager=${manager}`;
  const of = (spec: object, metadata?: object): object => agent(namespace, spec, metadata);
  const stale = { resourceVersion: '1' };
  return [
    { method: 'GET', path: all },
    { method: 'GET', path: one },
    { method: 'DELETE', path: one },
    { method: 'PUT', path: one, body: of({}, stale) },
    { method: 'POST', path: apply('one', all), body: of({ x: 1 }) },
    { method: 'POST', path: apply('one', all), body: of({ x: 2 }) },
    { method: 'GET', path: all },
    { method: 'GET', path: `${GROUP}/agents?fieldSelector=metadata.namespace=${namespace}` },
    { method: 'GET', path: `${all}?labelSelector=a=b` },
    { method: 'PUT', path: apply('one'), body: of({ x: 2 }) },
    { method: 'PUT', path: apply('one'), body: of({ x: 2 }, stale) },
    { method: 'DELETE', path: one },
    { method: 'PATCH', path: apply('one'), body: of({ x: 1, y: { z: [1] } }) },
    { method: 'PATCH', path: apply('one'), body: of({ x: 2 }) },
    { method: 'PATCH', path: apply('two'), body: of({ x: 3 }) },
    { method: 'PATCH', path: apply('one'), body: of({ x: 2, y: { z: 1 } }) },
    { method: 'PATCH', path: apply('two'), body: of({ x: 3, y: { z: 2 } }) },
    { method: 'PATCH', path: `${apply('two')}&force=true`, body: of({ x: 3 }) },
    { method: 'PATCH', path: apply('two'), body: of({ x: 3 }, stale) },
    {
      method: 'PATCH',
      path: apply('two', `${one}/status`),
      body: { ...of({}), spec: undefined, status: { ready: true } },
    },
    { method: 'GET', path: one },
    { method: 'GET', path: `${GROUP}/namespaces/${namespace}/missing` },
    { method: 'POST', path: `${GROUP}/namespaces/missing/agents`, body: agent('missing', {}) },
    { method: 'GET', path: one, user: 'unknown' },
    { method: 'DELETE', path: one, body: { preconditions: { uid: 'another' } } },
    { method: 'GET', path: one, user: 'reader' },
    { method: 'GET', path: all, user: 'reader' },
    { method: 'DELETE', path: one, user: 'reader' },
    { method: 'DELETE', path: one },
    { method: 'GET', path: all },
  ];
};

it('the API server in the process of a test answers as the real one does', async () => {
  const { real, quick, namespace } = await prepared();
  for (const sent of requestsIn(namespace)) {
    const expected = await toAnswer(real, sent);
    expect.soft(await toAnswer(quick, sent), JSON.stringify(sent)).toEqual(expected);
  }
});

/** Returns the first events of a watch from the version of a list. */
const watched = async (server: Server, namespace: string): Promise<readonly unknown[]> => {
  const all = `${GROUP}/namespaces/${namespace}/agents`;
  const list = JSON.parse(await text(await open(server, { method: 'GET', path: all }))) as {
    readonly metadata: { readonly resourceVersion: string };
  };
  const query = `watch=true&resourceVersion=${list.metadata.resourceVersion}`;
  const write = (spec: object): Promise<Comparable> => {
    const path = `${all}/a?fieldManager=one`;
    return toAnswer(server, { method: 'PATCH', path, body: agent(namespace, spec) });
  };
  await write({ x: 1 });
  const stream = await open(server, { method: 'GET', path: `${all}?${query}` });
  await write({ x: 2 });
  await toAnswer(server, { method: 'DELETE', path: `${all}/a` });
  const events: unknown[] = [];
  for await (const line of createInterface(stream)) {
    events.push(masked(JSON.parse(line)));
    if (events.length === 3) break;
  }
  stream.destroy();
  return events;
};

it('a watch of it has the same events', async () => {
  const { real, quick, namespace } = await prepared();
  expect(await watched(quick, namespace)).toEqual(await watched(real, namespace));
});
