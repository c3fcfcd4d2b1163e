import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openConnection } from '../../src/kubernetes/api-connection.ts';
import * as library from '../../src/kubernetes/client-library.ts';
import { kubernetesStore } from '../../src/kubernetes/kubernetes-store.ts';
import { openKubernetesReleases } from '../../src/kubernetes/open-kubernetes-releases.ts';
import { readKubeconfig } from '../../src/kubernetes/read-kubeconfig.ts';
import {
  kubeconfigText,
  openStore,
  startCluster,
  testDirectory,
} from '../support/api-server/cluster.ts';
import { selfSignedCertificate } from '../support/self-signed-certificate.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const BASE64 = 'base64';
const encoded = (text: string): string => Buffer.from(text).toString(BASE64);

const withTls = async (users = new Map([['token-of-the-test', 'agent-manager']])) => {
  const certificate = selfSignedCertificate();
  const cluster = await startCluster({ tls: certificate, users });
  const directory = await testDirectory();
  return { ...cluster, ...certificate, directory, server: `https://127.0.0.1:${cluster.api.port}` };
};

describe('a kubeconfig', () => {
  it.each([
    ['is not there', undefined, 'cannot be read (ENOENT)'],
    ['is no YAML', '{"token": "secret', 'is no kubeconfig'],
    ['is empty', '', 'is no kubeconfig'],
    [
      'names no context',
      '{"clusters": [], "contexts": [], "users": []}',
      'names no cluster: its current-context leads to none',
    ],
    ['has no address', kubeconfigText('nowhere'), 'names a cluster whose server is no address'],
    [
      'sends tokens in the clear',
      kubeconfigText('http://127.0.0.1:1', {}, {}),
      'names a cluster without TLS: say insecure-skip-tls-verify: true where that is meant',
    ],
  ])(
    'that %s is a problem that names it, without its content',
    async (_title, content, problem) => {
      const kubeconfig = join(await testDirectory(), 'config');
      if (content !== undefined) await writeFile(kubeconfig, content);
      expect(await openKubernetesReleases({ namespaces: ['default'], kubeconfig })).toEqual({
        ok: false,
        problem: `the kubeconfig ${kubeconfig} ${problem}`,
      });
    },
  );

  it('is that of KUBECONFIG, else of the home directory, else there is none', async () => {
    const { api, kubeconfig } = await startCluster();
    vi.stubEnv('KUBECONFIG', kubeconfig);
    expect(await (await openStore({})).check()).toEqual({ ok: true, value: true });
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '');
    const home = await testDirectory();
    expect(await readKubeconfig(new library.KubeConfig(), { home })).toEqual({
      ok: false,
      problem:
        'no cluster is configured: name a kubeconfig, or run in a pod with a service account',
    });
    await mkdir(join(home, '.kube'));
    await writeFile(join(home, '.kube', 'config'), kubeconfigText(`http://127.0.0.1:${api.port}`));
    expect((await readKubeconfig(new library.KubeConfig(), { home })).ok).toBe(true);
  });

  it('asks the cluster nothing before it is asked', async () => {
    const { api, open } = await startCluster();
    await open();
    expect(api.requests).toEqual([]);
  });

  it('may lead to a path below the address', async () => {
    const { api } = await startCluster();
    const kubeconfig = join(await testDirectory(), 'config');
    await writeFile(kubeconfig, kubeconfigText(`http://127.0.0.1:${api.port}/clusters/one/`));
    expect(await (await openStore({ kubeconfig })).check()).toMatchObject({ ok: false });
  });
});

describe('TLS', () => {
  it('is trusted by the authority of the kubeconfig, and connections are kept', async () => {
    const { api, server, cert, directory } = await withTls();
    const kubeconfig = join(directory, 'config');
    const authority = { 'certificate-authority-data': encoded(cert) };
    await writeFile(kubeconfig, kubeconfigText(server, undefined, authority));
    const store = await openStore({ kubeconfig, namespaces: ['default'] });
    for (let round = 0; round < 3; round += 1)
      expect(await store.check()).toEqual({ ok: true, value: true });
    expect(await api.connections()).toBe(1);
  });

  it('may name the file of a token, which is read anew for each request', async () => {
    const { server, cert, directory, api } = await withTls(new Map([['second', 'agent-manager']]));
    const kubeconfig = join(directory, 'config');
    const user = { token: 'left alone', tokenFile: 'token' };
    const authority = { 'certificate-authority-data': encoded(cert) };
    await writeFile(kubeconfig, kubeconfigText(server, user, authority));
    const store = await openStore({ kubeconfig });
    expect(await store.check()).toMatchObject({
      refusal: {
        message: expect.stringContaining('ENOENT') as string,
      },
    });
    await writeFile(join(directory, 'token'), 'first');
    expect(await store.check()).toMatchObject({ refusal: { code: 'unauthenticated' } });
    await writeFile(join(directory, 'token'), 'second\n');
    expect(await store.check()).toEqual({ ok: true, value: true });
    const asked = new Set(api.requests.map(({ headers }) => headers.authorization));
    expect([...asked]).toEqual(['Bearer first', 'Bearer second']);
  });

  it('of somebody else is refused', async () => {
    const { server, directory } = await withTls();
    const kubeconfig = join(directory, 'config');
    const authority = { 'certificate-authority-data': encoded(selfSignedCertificate().cert) };
    await writeFile(kubeconfig, kubeconfigText(server, undefined, authority));
    expect(await (await openStore({ kubeconfig })).check()).toMatchObject({
      refusal: {
        message:
          'the Kubernetes API could not list HelmReleases in namespace default: the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
      },
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
    const connection = openConnection({ library, kubeConfig: read.kubeConfig });
    const parts = { connection, namespaces: ['default'], onWarning: () => undefined };
    return { api, write, store: kubernetesStore(parts) };
  };

  it('asks as its service account, and reads a new token and a new authority when they come', async () => {
    const { api, store, write } = await inPod(
      new Map([
        ['first', 'system:serviceaccount:agents:agent-manager'],
        ['second', 'system:serviceaccount:agents:agent-manager'],
      ]),
    );
    expect(await store.check()).toEqual({ ok: true, value: true });
    await write('token', 'second');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(await store.check()).toEqual({ ok: true, value: true });
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
    await write('ca.crt', selfSignedCertificate().cert);
    expect(await store.check()).toMatchObject({ ok: false });
    await store.close();
  });

  it('whose service account is gone says so', async () => {
    const { store, write } = await inPod(new Map([['second', 'somebody']]));
    expect(await store.check()).toMatchObject({ refusal: { code: 'unauthenticated' } });
    await write('ca.crt', 'garbage');
    expect(await store.check()).toMatchObject({ refusal: { code: 'backend_error' } });
    await store.close();
  });
});
