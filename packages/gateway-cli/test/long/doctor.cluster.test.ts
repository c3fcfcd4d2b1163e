import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import { startOwnCluster, type Cluster, type ClusterObject } from '@gateway/test-peers';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Access } from '../../src/doctor/check-access.ts';
import { checkCluster } from '../../src/doctor/check-cluster.ts';
import type { Check } from '../../src/doctor/check.ts';

const KINDS = ['MCPServer', 'Workflow', 'WorkflowExecution'] as const;

// In a cluster of its own: other tests run gateways that lead, which a diagnosis names.
let own: Awaited<ReturnType<typeof startOwnCluster>>;
beforeAll(async () => {
  own = await startOwnCluster();
});
afterAll(() => own.close());

/** What the end of a test deletes. */
const createFile: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(createFile.splice(0).map((remove) => remove()));
});

const toDefinition = (kind: (typeof KINDS)[number], apiGroup: string): ClusterObject =>
  createCustomResourceDefinition(kind, { apiGroup }) as ClusterObject;

const defined = async (cluster: Cluster, definition: ClusterObject): Promise<void> => {
  await cluster.define(definition);
  createFile.push(() => cluster.admin.remove(definition));
};

/** The API publishes the schemas of definitions some moments after it serves them. */
const schemasPublished = async ({ admin }: Cluster, apiGroup: string): Promise<void> => {
  const path = `/openapi/v3/apis/${apiGroup}/v1alpha1`;
  const text = async () => JSON.stringify((await admin.request('GET', path)).body);
  for (const kind of KINDS) await expect.poll(text, { timeout: 60_000 }).toContain(`.${kind}"`);
};

/** A cluster with a namespace and an API group of this test. */
const prepared = async ({ isDefined = true } = {}) => {
  const { cluster } = own;
  const namespace = await cluster.namespace();
  const apiGroup = `d${randomBytes(4).toString('hex')}.example.com`;
  if (isDefined) {
    for (const kind of KINDS) await defined(cluster, toDefinition(kind, apiGroup));
    await schemasPublished(cluster, apiGroup);
  }
  const options = {
    kubeconfig: cluster.kubeconfig,
    apiGroup,
    namespace,
    namespaces: [namespace],
    ...({ lease: 'gateway', writes: 'none', allowStdio: false, secretNamespaces: [] } as const),
    storesRuns: true,
  };
  const object = (name: string, spec: object, kind = 'MCPServer'): ClusterObject => ({
    apiVersion: `${apiGroup}/v1alpha1`,
    kind,
    metadata: { name, namespace },
    spec,
  });
  return { cluster, namespace, apiGroup, options, object };
};

const withoutLeader = (findings: readonly Check[]): readonly Check[] =>
  findings.filter(({ code }) => code !== 'no-leader');

const granted = async (
  cluster: Cluster,
  account: { readonly namespace: string; readonly name: string },
  access: readonly Access[],
): Promise<void> => {
  const { namespace, name } = account;
  const metadata = { namespace, name };
  const rules = access.map(({ group, resource, verbs, name: only }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs,
    ...(only === undefined ? {} : { resourceNames: [only] }),
  }));
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata };
  await cluster.admin.apply({ ...rbac, kind: 'Role', rules });
  await cluster.admin.apply({
    ...rbac,
    kind: 'RoleBinding',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  });
};

it('finds nothing but the missing leader in a complete installation', async () => {
  const { options, namespace } = await prepared();
  expect.soft(await checkCluster(options)).toMatchObject([
    {
      code: 'no-leader',
      message: `No replica leads with the Lease ${namespace}/gateway: it does not exist. No statuses are written, and those that exist may be old.`,
    },
  ]);
});

it('names the versions and the fields of definitions that are older', async () => {
  const { cluster, options, apiGroup } = await prepared({ isDefined: false });
  const removed = [
    ...['startTimeout', 'tokenExchange', 'tools', 'subresources'],
    // The rules read removed fields.
    'x-kubernetes-validations',
  ];
  const server = JSON.stringify(toDefinition('MCPServer', apiGroup));
  const older = JSON.parse(server, (key, value: unknown) =>
    removed.includes(key) ? undefined : value,
  ) as ClusterObject;
  await defined(cluster, older);
  const workflow = JSON.stringify(toDefinition('Workflow', apiGroup));
  await defined(cluster, JSON.parse(workflow.replace('"v1alpha1"', '"v1alpha0"')) as ClusterObject);
  await defined(cluster, toDefinition('WorkflowExecution', apiGroup));
  // The API publishes the schema of a definition some moments later.
  await expect
    .poll(async () => withoutLeader(await checkCluster(options)), { timeout: 60_000 })
    .toMatchObject([
      {
        code: 'definition-older',
        message: `The CustomResourceDefinition of MCPServer of ${apiGroup}/v1alpha1 is older than this program: it does not have the subresource status, spec.startTimeout, spec.tools, spec.auth.tokenExchange, status.tools.`,
      },
      {
        code: 'definition-missing',
        message: `The Kubernetes API does not serve Workflow of ${apiGroup}/v1alpha1; the versions of ${apiGroup} that it serves: v1alpha0.`,
      },
    ]);
});

it('names each missing permission with the rule that grants it', async () => {
  const { cluster, options, apiGroup, namespace, object } = await prepared();
  const authorizationServer = {
    issuer: 'https://as.example',
    clientCredentialsSecretRef: { name: 'client' },
  };
  const remote = { type: 'streamable-http', url: 'http://a.example/mcp' };
  await cluster.admin.apply(
    object('one', { ...remote, auth: { type: 'oauth', authorizationServer } }),
  );
  const account = { namespace, name: 'gateway' };
  const token = await cluster.serviceAccountToken(namespace, 'gateway');
  const kubeconfig = await cluster.writeKubeconfig({ token });
  const first: Access = { group: apiGroup, resource: 'mcpservers', verbs: ['get', 'list'] };
  await granted(cluster, account, [first]);
  const diagnose = async () =>
    withoutLeader(await checkCluster({ ...options, kubeconfig, writes: 'workflows' }));
  const found = await diagnose();
  const user = `system:serviceaccount:${namespace}:gateway`;
  expect(found.map(({ message }) => message)).toEqual([
    `${user} may not watch mcpservers of ${apiGroup} in namespace ${namespace}.`,
    `${user} may not get, list, watch workflows of ${apiGroup} in namespace ${namespace}.`,
    `${user} may not create, patch, delete workflows of ${apiGroup} in namespace ${namespace}.`,
    `${user} may not patch mcpservers/status of ${apiGroup} in namespace ${namespace}.`,
    `${user} may not patch workflows/status of ${apiGroup} in namespace ${namespace}.`,
    `${user} may not list, create, patch events of events.k8s.io in namespace ${namespace}.`,
    `${user} may not get, list, watch, create, patch, delete workflowexecutions of ${apiGroup} in namespace ${namespace}.`,
    `${user} may not create leases of coordination.k8s.io in namespace ${namespace}.`,
    `${user} may not get, update, watch leases of coordination.k8s.io with the name gateway in namespace ${namespace}.`,
    `${user} may not get secrets with the name client in namespace ${namespace}.`,
  ]);
  const rules = found.flatMap(({ facts }) => (facts?.['access'] ?? []) as Access | []);
  await granted(cluster, account, [first, ...rules]);
  const message = (reason: string) => `cannot use its client credentials: ${reason}.`;
  await expect.poll(diagnose).toMatchObject([
    {
      code: 'secret-unusable',
      subject: `${namespace}/one`,
      message: message(`Secret ${namespace}/client does not exist`),
    },
  ]);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'client' } };
  const data = { 'client-id': 'Z2F0ZXdheQ==', 'client-secret': 'bm90LXRvLXByaW50' };
  await cluster.admin.apply({ ...secret, data: { 'client-id': data['client-id'] } });
  expect(await diagnose()).toMatchObject([
    { message: message(`the key "client-secret" of Secret ${namespace}/client does not exist`) },
  ]);
  await cluster.admin.apply({ ...secret, data });
  expect(await diagnose()).toEqual([]);
});

it('names namespaces that do not exist, and definitions outside of those of the configuration', async () => {
  const { cluster, options, namespace, object } = await prepared();
  const other = await cluster.namespace();
  const spec = { type: 'streamable-http', url: 'https://server.example/mcp' };
  for (const name of ['a', 'b'])
    await cluster.admin.apply({ ...object(name, spec), metadata: { name, namespace: other } });
  await cluster.admin.apply(object('used', spec));
  const namespaces = [namespace, 'does-not-exist'];
  const findings = withoutLeader(await checkCluster({ ...options, namespaces }));
  expect(findings).toMatchObject([
    {
      verdict: 'problem',
      message: 'The namespace does-not-exist does not exist.',
      remedy:
        'Correct kubernetes.namespaces and kubernetes.namespace, or create it: kubectl create namespace does-not-exist',
    },
    {
      verdict: 'note',
      message: `2 MCPServer objects in ${other} are not used: kubernetes.namespaces names ${namespace}, does-not-exist.`,
      remedy: 'Add their namespaces to kubernetes.namespaces to use them.',
    },
  ]);
  const all = withoutLeader(await checkCluster({ ...options, namespaces: [] }));
  expect(all).toEqual([]);
  // An account that may read no namespace cannot tell a missing one from missing permissions.
  const token = await cluster.serviceAccountToken(namespace, 'reader');
  const kubeconfig = await cluster.writeKubeconfig({ token });
  const own = await checkCluster({ ...options, namespaces, kubeconfig });
  expect(own.filter(({ code }) => code !== 'access-missing')).toMatchObject(
    [namespace, 'does-not-exist'].map((name) => ({
      code: 'namespace-unknown',
      message: `This account may not read namespaces, so that a missing namespace ${name} looks like missing permissions.`,
      remedy: `Before you add a Role, check that it exists: kubectl get namespace ${name}`,
    })),
  );
});

it('names objects that are not used, and servers that do not work', async () => {
  const { cluster, options, object, namespace } = await prepared();
  const url = 'http://a.example/mcp';
  const remote = { type: 'streamable-http', url, autoStart: true };
  await cluster.admin.apply(object('command', { type: 'stdio', command: 'true' }));
  await cluster.admin.apply(object('header', { ...remote, headers: { 'not a name': '1' } }));
  await cluster.admin.apply(object('silent', remote));
  await cluster.admin.apply(object('idle', { ...remote, autoStart: false }));
  const failed = object('failed', remote);
  await cluster.admin.apply(failed);
  const status = {
    state: 'Failed',
    lastError: 'connection refused',
    restartCount: 0,
    consecutiveFailures: 1,
    conditions: [],
  };
  const path = `${await cluster.admin.resolvePath(failed)}/status?fieldManager=gateway`;
  const { spec: _spec, ...reference } = failed;
  await cluster.admin.expect('PATCH', path, {
    type: 'application/apply-patch+yaml',
    content: { ...reference, status },
  });
  const source = (name: string) => `${namespace}/${name}`;
  expect(withoutLeader(await checkCluster(options))).toMatchObject([
    {
      code: 'object-refused',
      facts: { source: source('command'), reason: 'stdio' },
      remedy:
        'Run the server in a pod of its own and define it with its url, or set kubernetes.allowStdio: true.',
      message: expect.stringContaining('stdio servers are not started in a cluster'),
    },
    {
      code: 'object-refused',
      facts: { source: source('header'), reason: 'invalid' },
      remedy: 'Correct the object; gateway events shows when it is used.',
      message: expect.stringContaining('spec.headers'),
    },
    {
      code: 'server-failed',
      subject: source('failed'),
      message: 'is Failed: connection refused.',
    },
    { code: 'server-unreported', subject: source('silent') },
  ]);
});

it('names the leader, or since when there is none', async () => {
  const { cluster, options, namespace } = await prepared();
  const lease = (renewTime: string): ClusterObject => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace, name: 'gateway' },
    spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 12, renewTime },
  });
  const now = new Date().toISOString().replace('Z', '000Z');
  await cluster.admin.apply(lease(now));
  const place = `${namespace}/gateway`;
  expect(await checkCluster(options)).toMatchObject([
    { code: 'leader', verdict: 'note', message: `pod-1 leads with the Lease ${place}.` },
  ]);
  await cluster.admin.apply(lease('2026-01-01T00:00:00.000000Z'));
  expect(await checkCluster(options)).toMatchObject([
    {
      code: 'no-leader',
      message: expect.stringMatching(/: pod-1 has not renewed it for \d+ s\. /u),
    },
  ]);
});

it('names another gateway that leads', async () => {
  const { cluster, options, namespace } = await prepared();
  const other = await cluster.namespace();
  const lease = (place: string, name: string): ClusterObject => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: place, name },
    spec: {
      holderIdentity: `${name}-1`,
      leaseDurationSeconds: 15,
      renewTime: new Date().toISOString().replace('Z', '000Z'),
    },
  });
  const { admin } = cluster;
  await admin.apply(lease(namespace, 'gateway'), 'gateway');
  await admin.apply(lease(other, 'second'), 'gateway');
  await admin.apply(lease(other, 'of-a-node'), 'kubelet');
  const others = async () =>
    (await checkCluster(options)).filter(
      ({ code, message }) => code === 'other-leader' && message.includes(other),
    );
  expect(await others()).toMatchObject([
    {
      verdict: 'note',
      message: `second-1 leads with another Lease, ${other}/second. Two gateways that use the same namespaces both write statuses and events.`,
    },
  ]);
  const token = await cluster.serviceAccountToken(namespace, 'gateway');
  const kubeconfig = await cluster.writeKubeconfig({ token });
  const own = await checkCluster({ ...options, kubeconfig });
  expect(own.filter(({ code }) => code === 'other-leader')).toEqual([]);
});
