import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  formatKubeconfig,
  createSelfSignedCertificate,
  startTestCluster,
  createTestDirectory,
} from '@gateway/test-peers';
import { openConnection } from '../src/api-connection.ts';
import * as library from '../src/client-library.ts';
import { readKubeconfig } from '../src/read-kubeconfig.ts';
import { connectToCluster } from '../src/index.ts';
import { connected, listPods } from './pods.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const encoded = (text: string): string => Buffer.from(text).toString('base64');

const withTls = async (users = new Map([['token-of-the-test', 'agent-manager']])) => {
  const certificate = await createSelfSignedCertificate();
  const cluster = await startTestCluster({ tls: certificate, users });
  const directory = await createTestDirectory();
  const kubeconfig = join(directory, 'config');
  /** Connects with a kubeconfig that trusts an authority. */
  const connect = async (authority: string, user?: object) => {
    const trusted = { 'certificate-authority-data': encoded(authority) };
    const server = `https://127.0.0.1:${cluster.api.port}`;
    await writeFile(kubeconfig, formatKubeconfig(server, user, trusted));
    return connected({ kubeconfig });
  };
  return { ...cluster, ...certificate, directory, connect };
};

describe('a kubeconfig', () => {
  it.each([
    ['is missing', undefined, 'cannot be read (ENOENT)'],
    ['is invalid YAML', '{"token": "secret', 'is no kubeconfig'],
    ['is empty', '', 'is no kubeconfig'],
    [
      'has no context',
      '{"clusters": [], "contexts": [], "users": []}',
      'names no cluster: its current-context leads to none',
    ],
    ['has no address', formatKubeconfig('nowhere'), 'names a cluster whose server is no address'],
    [
      'sends tokens without TLS',
      formatKubeconfig('http://127.0.0.1:1', {}, {}),
      'names a cluster without TLS: set insecure-skip-tls-verify: true to allow that',
    ],
  ])('that %s is a problem without its content', async (_title, content, problem) => {
    const kubeconfig = join(await createTestDirectory(), 'config');
    if (content !== undefined) await writeFile(kubeconfig, content);
    expect(await connectToCluster({ kubeconfig, fieldManager: 'test' })).toEqual({
      ok: false,
      problem: `the kubeconfig ${kubeconfig} ${problem}`,
    });
  });

  it('is that of KUBECONFIG, else that of the home directory, else missing', async () => {
    const { api, kubeconfig } = await startTestCluster();
    vi.stubEnv('KUBECONFIG', kubeconfig);
    expect(await listPods(await connected({}))).toMatchObject({ ok: true });
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '');
    const home = await createTestDirectory();
    expect(await readKubeconfig(new library.KubeConfig(), { home })).toEqual({
      ok: false,
      problem:
        'no cluster is configured: name a kubeconfig, or run in a pod with a service account',
    });
    await mkdir(join(home, '.kube'));
    await writeFile(
      join(home, '.kube', 'config'),
      formatKubeconfig(`http://127.0.0.1:${api.port}`),
    );
    expect((await readKubeconfig(new library.KubeConfig(), { home })).ok).toBe(true);
  });

  it('causes no request when it is read', async () => {
    const { api, kubeconfig } = await startTestCluster();
    await connected({ kubeconfig });
    expect(api.requests).toEqual([]);
  });

  it('may have a path in the address of the server', async () => {
    const { api } = await startTestCluster();
    const kubeconfig = join(await createTestDirectory(), 'config');
    await writeFile(kubeconfig, formatKubeconfig(`http://127.0.0.1:${api.port}/clusters/one/`));
    expect(await listPods(await connected({ kubeconfig }))).toMatchObject({ ok: false });
  });
});

describe('TLS', () => {
  it('trusts the authority of the kubeconfig and reuses connections', async () => {
    const { api, cert, connect } = await withTls();
    const connection = await connect(cert);
    for (let round = 0; round < 3; round += 1)
      expect(await listPods(connection)).toMatchObject({ ok: true });
    expect(await api.connections()).toBe(1);
  });

  it('reads a token file for each request', async () => {
    const users = new Map([['second', 'agent-manager']]);
    const { cert, directory, api, connect } = await withTls(users);
    const connection = await connect(cert, { token: 'ignored', tokenFile: 'token' });
    expect(await listPods(connection)).toEqual({
      ok: false,
      failure: { kind: 'no-credentials', code: 'ENOENT' },
    });
    await writeFile(join(directory, 'token'), 'first');
    expect(await listPods(connection)).toMatchObject({ failure: { kind: 'refused', status: 401 } });
    await writeFile(join(directory, 'token'), 'second\n');
    expect(await listPods(connection)).toMatchObject({ ok: true });
    const asked = new Set(api.requests.map(({ headers }) => headers.authorization));
    expect([...asked]).toEqual(['Bearer first', 'Bearer second']);
  });

  it('does not trust another certificate', async () => {
    const { connect } = await withTls();
    const { cert } = await createSelfSignedCertificate();
    expect(await listPods(await connect(cert))).toEqual({
      ok: false,
      failure: { kind: 'broken', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
  });
});

describe('a pod', () => {
  const SERVICE_ACCOUNT = 'var/run/secrets/kubernetes.io/serviceaccount';

  const inPod = async (users: ReadonlyMap<string, string>) => {
    const { api, cert, directory } = await withTls(new Map(users));
    const account = join(directory, SERVICE_ACCOUNT);
    await mkdir(account, { recursive: true });
    const write = (file: string, text: string) => writeFile(join(account, file), text);
    await Promise.all([write('token', 'first'), write('ca.crt', cert), write('namespace', 'x')]);
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '127.0.0.1');
    vi.stubEnv('KUBERNETES_SERVICE_PORT', String(api.port));
    const read = await readKubeconfig(new library.KubeConfig(), { root: `${directory}/` });
    if (!read.ok) throw new Error(read.problem);
    const connection = openConnection(
      { library, kubeConfig: read.kubeConfig },
      { fieldManager: 'test' },
    );
    return { api, write, connection };
  };

  it('uses its service account, and reads a new token and a new authority', async () => {
    const { api, connection, write } = await inPod(
      new Map([
        ['first', 'system:serviceaccount:agents:agent-manager'],
        ['second', 'system:serviceaccount:agents:agent-manager'],
      ]),
    );
    expect(await listPods(connection)).toMatchObject({ ok: true });
    await write('token', 'second');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(await listPods(connection)).toMatchObject({ ok: true });
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
    await write('ca.crt', (await createSelfSignedCertificate()).cert);
    expect(await listPods(connection)).toMatchObject({ ok: false });
    connection.close();
  });

  it('reports an invalid service account', async () => {
    const { connection, write } = await inPod(new Map([['second', 'another']]));
    expect(await listPods(connection)).toMatchObject({ failure: { kind: 'refused', status: 401 } });
    await write('ca.crt', 'garbage');
    expect(await listPods(connection)).toMatchObject({ failure: { kind: 'broken' } });
    connection.close();
  });
});
