import { readFile } from 'node:fs/promises';
import {
  openSharedCluster,
  startApiProxy,
  type Cluster,
  type ClusterObject,
} from '@gateway/test-peers';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ReferencedObjects, openSecretObjects } from '../../src/kubernetes/referenced-objects.ts';
import type { ReferencedKey } from '../../src/port/resource-store.ts';
import { connected } from '../kubernetes/cluster-store.ts';

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 20 });

const RBAC = 'rbac.authorization.k8s.io';
/** Rendered with `rbac.secretNames: [wiki-token, '1e3']` and `rbac.configMapNames: [wiki-settings]`. */
const RENDERED = new URL('../../../charts/test/golden/gateway/cluster.yaml', import.meta.url);
const MEBIBYTE = 1024 * 1024;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openSharedCluster();
});

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64');

/** A namespace whose account `gateway` has the role `-references` that the chart renders, and the reader of this account. */
const prepared = async () => {
  const { admin } = cluster;
  const namespace = await cluster.namespace();
  const token = await cluster.serviceAccountToken(namespace, 'gateway');
  const rendered = parseAllDocuments(await readFile(RENDERED, 'utf8')).map(
    (document) => document.toJS() as ClusterObject,
  );
  const role = rendered.find(
    ({ kind, metadata }) => kind === 'Role' && metadata.name === 'gateway-references',
  );
  const metadata = { namespace, name: 'gateway-references' };
  const grant = async (name: string, rules: unknown): Promise<void> => {
    const place = { ...metadata, name };
    await admin.apply({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: place, rules });
    await admin.apply({
      ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata: place },
      roleRef: { apiGroup: RBAC, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'gateway' }],
    });
  };
  await grant('gateway-references', role?.['rules']);
  const { proxy, kubeconfig } = await startApiProxy(cluster, { token });
  const connection = await connected(kubeconfig);
  // The API server applies a new role a little later.
  const { read } = openSecretObjects(connection);
  await soon(() => read({ namespace, name: 'wiki-token', key: 'token' })).toMatchObject({
    reason: expect.not.stringContaining('cannot get') as unknown,
  });
  const texts = new ReferencedObjects(connection);
  onTestFinished(() => {
    texts.close();
  });
  const named = (kind: string, name: string) => ({
    ...{ apiVersion: 'v1', kind, metadata: { namespace, name } },
  });
  const reference = (kind: ReferencedKey['kind']) => (name: string, key: string) => ({
    ...{ kind, namespace, name, key },
  });
  return {
    ...{ admin, namespace, proxy, connection, texts, grant },
    secret: (name: string, data: Readonly<Record<string, string | Uint8Array>>) => {
      const entries = Object.entries(data).map(([key, value]) => [key, base64(value)] as const);
      return { ...named('Secret', name), data: Object.fromEntries(entries) };
    },
    configMap: (name: string, fields: object) => ({ ...named('ConfigMap', name), ...fields }),
    inSecret: reference('Secret'),
    inConfigMap: reference('ConfigMap'),
  };
};

const found = (text: string) => ({ ok: true, text });
const absent = (reason: string) => ({ ok: false, code: 'absent', reason });
const unreadable = (reason: string) => ({ ok: false, code: 'unreadable', reason });

it('reads the objects that the chart permits, and is refused all others with a sentence', async () => {
  const { admin, namespace, texts, grant, ...make } = await prepared();
  await admin.apply(make.secret('wiki-token', { token: 'one\n' }));
  await admin.apply(make.secret('other', { token: 'hidden' }));
  await admin.apply(make.configMap('wiki-settings', { data: { region: 'eu' } }));
  await admin.apply(make.configMap('other', { data: { region: 'hidden' } }));
  const permitted = [
    make.inSecret('wiki-token', 'token'),
    make.inConfigMap('wiki-settings', 'region'),
  ] as const;
  const refused = [make.inSecret('other', 'token'), make.inConfigMap('other', 'region')] as const;
  await texts.follow([...permitted, ...refused]);
  expect(permitted.map(texts.read)).toEqual([found('one'), found('eu')]);
  const sentence = (kind: string, resource: string): string =>
    `the Kubernetes API could not list ${kind} ${namespace}/other: it answered 403: ${resource} "other" is forbidden: ` +
    `User "system:serviceaccount:${namespace}:gateway" cannot list resource "${resource}" in API group "" in the namespace "${namespace}"`;
  await soon(() => refused.map(texts.read)).toEqual([
    unreadable(sentence('Secret', 'secrets')),
    unreadable(sentence('ConfigMap', 'configmaps')),
  ]);
  const rule = { apiGroups: [''], resourceNames: ['other'], verbs: ['list', 'watch'] };
  await grant('later', [{ ...rule, resources: ['secrets', 'configmaps'] }]);
  await soon(() => refused.map(texts.read)).toEqual([found('hidden'), found('hidden')]);
});

it('reads client credentials with the same role', async () => {
  const { admin, namespace, connection, ...make } = await prepared();
  for (const name of ['wiki-token', 'other'])
    await admin.apply(make.secret(name, { 'client-secret': 'private' }));
  const read = (name: string) =>
    openSecretObjects(connection).read({ namespace, name, key: 'client-secret' });
  expect(await read('wiki-token')).toEqual({ ok: true, value: 'private' });
  expect(await read('other')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('cannot get resource "secrets"') as unknown,
  });
});

it('has the current value of an object that appears, changes, disappears and appears again', async () => {
  const { admin, namespace, texts, ...make } = await prepared();
  const key = make.inSecret('wiki-token', 'token');
  let changes = 0;
  texts.subscribe(() => (changes += 1));
  await texts.follow([key]);
  const missing = absent(`Secret ${namespace}/wiki-token does not exist`);
  expect(texts.read(key)).toEqual(missing);
  for (const value of ['one', 'two']) {
    const before = changes;
    await admin.apply(make.secret('wiki-token', { token: value }));
    await soon(() => texts.read(key)).toEqual(found(value));
    expect(changes).toBe(before + 1);
  }
  await admin.apply(make.secret('wiki-token', { renamed: 'two' }));
  const place = `the key "token" of Secret ${namespace}/wiki-token`;
  await soon(() => texts.read(key)).toEqual(absent(`${place} does not exist`));
  await admin.remove(make.secret('wiki-token', {}));
  await soon(() => texts.read(key)).toEqual(missing);
  await admin.apply(make.secret('wiki-token', { token: 'three' }));
  await soon(() => texts.read(key)).toEqual(found('three'));
});

it('reads values that are text, and says of others why they are not', async () => {
  const { admin, namespace, texts, ...make } = await prepared();
  const large = 'x'.repeat(MEBIBYTE - 1024);
  await admin.apply(
    make.secret('wiki-token', {
      ...{ plain: 'a\r\n', empty: '', lines: 'a\n\n', umlaut: 'ü', mark: '\u{feff}a' },
      ...{ binary: new Uint8Array([0xff, 0xfe, 0x00]), zero: 'a\0b' },
      ...JSON.parse('{"__proto__":"own","constructor":"too"}'),
    }),
  );
  await admin.apply(make.secret('1e3', { large, small: 'beside' }));
  await admin.apply(
    make.configMap('wiki-settings', {
      data: JSON.parse('{"__proto__":"own","region":"eu","mark":"\\ufeffa"}') as object,
      binaryData: { icon: base64(new Uint8Array([0xff])), text: base64('text') },
    }),
  );
  const secretKeys = ['plain', 'empty', 'lines', 'umlaut', 'mark', 'binary', 'zero'].concat(
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  );
  const keys = [
    ...secretKeys.map((key) => make.inSecret('wiki-token', key)),
    ...['large', 'small'].map((key) => make.inSecret('1e3', key)),
    ...['__proto__', 'region', 'mark', 'icon', 'text', 'valueOf'].map((key) =>
      make.inConfigMap('wiki-settings', key),
    ),
  ];
  await texts.follow(keys);
  const shown = keys.map((key) => {
    const read = texts.read(key);
    const said = read.ok ? JSON.stringify(read.text) : `${read.code}: ${read.reason}`;
    return `${key.kind} ${key.key}: ${said.replaceAll(namespace, 'ns')}`;
  });
  const lost = (place: string) => `absent: the key ${place} does not exist`;
  expect(shown).toEqual([
    'Secret plain: "a"',
    'Secret empty: ""',
    'Secret lines: "a\\n"',
    'Secret umlaut: "ü"',
    'Secret mark: "a"',
    'Secret binary: unreadable: the key "binary" of Secret ns/wiki-token is not text in UTF-8',
    'Secret zero: "a\\u0000b"',
    'Secret __proto__: "own"',
    'Secret constructor: "too"',
    `Secret toString: ${lost('"toString" of Secret ns/wiki-token')}`,
    `Secret hasOwnProperty: ${lost('"hasOwnProperty" of Secret ns/wiki-token')}`,
    'Secret large: unreadable: the key "large" of Secret ns/1e3 is too long',
    'Secret small: "beside"',
    'ConfigMap __proto__: "own"',
    'ConfigMap region: "eu"',
    'ConfigMap mark: "a"',
    'ConfigMap icon: unreadable: the key "icon" of ConfigMap ns/wiki-settings is in binaryData: move it to data, as text',
    'ConfigMap text: unreadable: the key "text" of ConfigMap ns/wiki-settings is in binaryData: move it to data, as text',
    `ConfigMap valueOf: ${lost('"valueOf" of ConfigMap ns/wiki-settings')}`,
  ]);
});

it('reads another key of an object when a server names it, and forgets objects that none names', async () => {
  const { admin, namespace, texts, ...make } = await prepared();
  await admin.apply(make.secret('wiki-token', { one: '1', two: '2' }));
  const one = make.inSecret('wiki-token', 'one');
  const two = make.inSecret('wiki-token', 'two');
  await texts.follow([one]);
  expect(texts.read(one)).toEqual(found('1'));
  await texts.follow([one, two]);
  expect([one, two].map(texts.read)).toEqual([found('1'), found('2')]);
  await admin.apply(make.secret('wiki-token', { one: '3', two: '4' }));
  await soon(() => [one, two].map(texts.read)).toEqual([found('3'), found('4')]);
  await texts.follow([make.inSecret('1e3', 'one')]);
  expect(texts.read(one)).toEqual(
    unreadable(
      `Secret ${namespace}/wiki-token is not read, because servers name more than 256 Secrets and ConfigMaps`,
    ),
  );
});

it('follows 256 objects', async () => {
  const { admin, namespace, texts, grant, ...make } = await prepared();
  const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] };
  await grant('all', [rule]);
  const keys = Array.from({ length: 257 }, (_, at) => make.inConfigMap(`m${String(at)}`, 'value'));
  await Promise.all(
    keys.map(({ name }) => admin.apply(make.configMap(name, { data: { value: name } }))),
  );
  await texts.follow(keys);
  // On a busy machine, some of so many lists take longer than a request may, and are repeated.
  await soon(() => keys.slice(0, 256).map(texts.read)).toEqual(
    keys.slice(0, 256).map(({ name }) => found(name)),
  );
  const refused = `ConfigMap ${namespace}/m256 is not read, because servers name more than 256 Secrets and ConfigMaps`;
  expect(keys.slice(256).map(texts.read)).toEqual([unreadable(refused)]);
  await admin.apply(make.configMap('m255', { data: { value: 'changed' } }));
  await soon(() => keys.slice(255, 256).map(texts.read)).toEqual([found('changed')]);
});

it('has the current values after connections were cut and the API was away', async () => {
  const { admin, namespace, proxy, texts, ...make } = await prepared();
  const key = make.inSecret('wiki-token', 'token');
  await admin.apply(make.secret('wiki-token', { token: 'one' }));
  await texts.follow([key]);
  const breakProxy = (): void => {
    proxy.fault = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
  };
  breakProxy();
  const before = proxy.requests.length;
  proxy.watches.cut();
  await admin.apply(make.secret('wiki-token', { token: 'two' }));
  await soon(() => proxy.requests.length).toBeGreaterThan(before + 3);
  expect(texts.read(key)).toEqual(found('one'));
  proxy.fault = undefined;
  await soon(() => texts.read(key)).toEqual(found('two'));
  // A key that was not read while the API is away is not absent, and has a sentence after the second attempt.
  breakProxy();
  const other = make.inSecret('1e3', 'token');
  await texts.follow([key, other]);
  expect(texts.read(other)).toMatchObject({ ok: false, code: 'pending' });
  await soon(() => texts.read(other)).toEqual(
    unreadable(`the Kubernetes API could not list Secret ${namespace}/1e3: it answered 503`),
  );
  proxy.fault = undefined;
  await soon(() => texts.read(other)).toEqual(absent(`Secret ${namespace}/1e3 does not exist`));
  expect(texts.read(key)).toEqual(found('two'));
});
