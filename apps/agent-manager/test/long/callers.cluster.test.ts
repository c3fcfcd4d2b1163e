import {
  AGENT_RUNTIME_DEFINITIONS,
  readFluxDefinitions,
  startOwnCluster,
  type Cluster,
  createLoopbackCertificate,
  startProvider,
  type TestProvider,
} from '@gateway/test-peers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startGuarded, type GuardedService } from '../harness/guarded-service.ts';

const WRITERS = 'agent-writers';

/** Rules of a user who writes agents. */
const RULES = [
  {
    apiGroups: ['helm.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io'],
    resources: ['helmreleases', 'ocirepositories'],
    verbs: ['get', 'list', 'create', 'update', 'delete'],
  },
  {
    apiGroups: ['kagent.dev'],
    resources: ['agents', 'modelconfigs'],
    verbs: ['get', 'list', 'delete'],
  },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
  { apiGroups: [''], resources: ['pods', 'events'], verbs: ['list'] },
];

let provider: TestProvider;
let cluster: Cluster;

beforeAll(async () => {
  provider = await startProvider({ tls: true });
  const own = await startOwnCluster({
    oidc: {
      issuer: provider.issuer,
      clientId: 'kubernetes',
      ca: (await createLoopbackCertificate()).cert,
    },
  });
  cluster = own.cluster;
  for (const definition of [...(await readFluxDefinitions()), ...AGENT_RUNTIME_DEFINITIONS])
    await cluster.define(definition);
  return async () => {
    await own.close();
    await provider.close();
  };
});

/** A namespace with a model, in which members of the group write agents. */
const startNamespace = async (): Promise<string> => {
  const namespace = await cluster.namespace();
  const rbac = 'rbac.authorization.k8s.io';
  const metadata = { namespace, name: WRITERS };
  const objects = [
    {
      ...{ apiVersion: 'kagent.dev/v1alpha2', kind: 'ModelConfig' },
      metadata: { namespace, name: 'small' },
    },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: RULES },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name: WRITERS },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: WRITERS }],
    },
  ];
  for (const object of objects) await cluster.admin.apply(object);
  return namespace;
};

/** agent-manager with the kubeconfig of the administrator, whose permissions it never uses. */
const startInNamespace = async () => {
  const namespace = await startNamespace();
  const service = await startGuarded(
    ...['--kubernetes', '--kubeconfig', cluster.kubeconfig, '--downstream-oauth'],
    ...['--namespaces', namespace],
    ...['--oauth-issuer', provider.issuer, '--oauth-audiences', 'agent-manager'],
  );
  return { namespace, service };
};

const tokenOf = (sub: string, groups: readonly string[], claims: object = {}): Promise<string> =>
  provider.sign({ sub, groups, aud: ['agent-manager', 'kubernetes'], ...claims });

const send = async (
  { url }: GuardedService,
  token: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const response = await fetch(`${url}/api/v1/agents`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

const agentIn = (namespace: string) => ({
  namespace,
  name: 'sre',
  modelConfig: 'small',
  toolset: ['preset:none'],
});

const releaseIn = (namespace: string) => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { namespace, name: 'sre' },
});

/** Waits until the API server has read the keys of the provider, some seconds after it is ready. */
const untilTrusted = async (token: string): Promise<void> => {
  const client = cluster.client({ token });
  onTestFinished(() => client.close());
  await expect
    .poll(async () => (await client.request('GET', '/version')).status, { timeout: 60_000 })
    .toBe(200);
};

describe('agent-manager with --downstream-oauth in a cluster that trusts the provider', () => {
  it('creates an agent for a caller whose group may, as the caller', async () => {
    const { namespace, service } = await startInNamespace();
    const token = await tokenOf('alice', [WRITERS], { email: 'alice@example.com' });
    await untilTrusted(token);
    expect(await send(service, token, agentIn(namespace))).toMatchObject({
      status: 201,
      body: { requestedBy: 'alice@example.com' },
    });
    expect(await cluster.admin.read(releaseIn(namespace))).toMatchObject({
      spec: { chartRef: { kind: 'OCIRepository' } },
    });
    expect(await send(service, token)).toMatchObject({
      status: 200,
      body: { agents: [{ name: 'sre' }] },
    });
    expect(service.log()).not.toContain(token.split('.')[2]);
  });

  it('returns the refusal of the API server to a caller without a role, and writes nothing', async () => {
    const { namespace, service } = await startInNamespace();
    const token = await tokenOf('bob', []);
    await untilTrusted(token);
    const refused = { status: 403, body: { error: { code: 'forbidden' } } };
    const created = await send(service, token, agentIn(namespace));
    expect(created).toMatchObject(refused);
    expect(JSON.stringify(created.body)).toContain('User \\"bob\\" cannot');
    expect(await send(service, token)).toMatchObject(refused);
    await expect(cluster.admin.read(releaseIn(namespace))).rejects.toThrow(/404/);
  });

  it.each([
    // agent-manager tolerates 60 seconds of clock skew; the API server tolerates none.
    ['that has just expired', { exp: Math.floor(Date.now() / 1000) - 5 }],
    ['without the audience of the cluster', { aud: 'agent-manager' }],
  ])('does not fall back to its own credentials for a token %s', async (_title, claims) => {
    const { namespace, service } = await startInNamespace();
    await untilTrusted(await tokenOf('alice', [WRITERS]));
    const token = await tokenOf('alice', [WRITERS], claims);
    const message = 'unauthorized: the Kubernetes API does not accept your identity token';
    const refused = { status: 401, body: { error: { code: 'unauthenticated', message } } };
    expect(await send(service, token, agentIn(namespace))).toMatchObject(refused);
    expect(await send(service, token)).toMatchObject(refused);
    await expect(cluster.admin.read(releaseIn(namespace))).rejects.toThrow(/404/);
  });
});
