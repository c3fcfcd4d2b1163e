import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatKubeconfig,
  createSelfSignedCertificate,
  startTestCluster,
  createTestDirectory,
} from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectCallers, type CallerConnections } from '../src/index.ts';

const USERS = new Map([
  ['token-of-the-test', 'agent-manager'],
  ['token-of-alice', 'alice'],
]);
const PODS = { method: 'GET', path: '/api/v1/namespaces/default/pods' } as const;

const connect = async (kubeconfig: string): Promise<CallerConnections> => {
  const connected = await connectCallers({ kubeconfig, fieldManager: 'test' });
  if (!connected.ok) throw new Error(connected.problem);
  onTestFinished(() => connected.connections.close());
  return connected.connections;
};

describe('a connection for a caller', () => {
  it('sends the token of the caller, and never that of the kubeconfig', async () => {
    const { api, kubeconfig } = await startTestCluster({ users: USERS });
    const connections = await connect(kubeconfig);
    expect(await connections.as('token-of-alice').send(PODS)).toMatchObject({ ok: true });
    expect(await connections.as('unknown').send(PODS)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', status: 401 },
    });
    expect(await connections.anonymous.send(PODS)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', status: 401 },
    });
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-of-alice',
      'Bearer unknown',
      undefined,
    ]);
  });

  it('verifies the certificate of the cluster and presents no client certificate', async () => {
    const certificate = await createSelfSignedCertificate();
    const { api } = await startTestCluster({ tls: certificate, users: USERS });
    const kubeconfig = join(await createTestDirectory(), 'config');
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const user = {
      'client-certificate-data': encoded(certificate.cert),
      'client-key-data': encoded(certificate.key),
    };
    const cluster = { 'certificate-authority-data': encoded(certificate.cert) };
    await writeFile(kubeconfig, formatKubeconfig(`https://127.0.0.1:${api.port}`, user, cluster));
    const connections = await connect(kubeconfig);
    expect(await connections.as('token-of-alice').send(PODS)).toMatchObject({ ok: true });
    expect(await connections.anonymous.send(PODS)).toMatchObject({ failure: { status: 401 } });
  });

  it('uses few sockets for many callers', async () => {
    const { api, kubeconfig } = await startTestCluster({ users: USERS });
    const connections = await connect(kubeconfig);
    for (let at = 0; at < 50; at += 1) await connections.as('token-of-alice').send(PODS);
    expect(await api.connections()).toBe(1);
  });

  it('fails after all are closed', async () => {
    const { kubeconfig } = await startTestCluster({ users: USERS });
    const connections = await connect(kubeconfig);
    const alice = connections.as('token-of-alice');
    alice.close();
    expect(await alice.send(PODS)).toMatchObject({ ok: true });
    connections.close();
    expect(await alice.send(PODS)).toEqual({ ok: false, failure: { kind: 'closed' } });
  });
});
