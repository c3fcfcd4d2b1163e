import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import {
  AGENT_RUNTIME_DEFINITIONS,
  readFluxDefinitions,
  startOwnCluster,
  type Cluster,
  createLoopbackCertificate,
  startProvider,
  type TestProvider,
  findFreePort,
} from '@gateway/test-peers';
import { resolve } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { APP, startGateway, type RunningGateway } from '../harness/gateway.ts';
import { signedInClient } from '../harness/signed-in-client.ts';
import { startNode, type RunningProcess } from '../harness/process.ts';

const AGENT_MANAGER = resolve(APP, '../agent-manager/dist/cli.js');
const WRITERS = 'agent-writers';
const RBAC = 'rbac.authorization.k8s.io';

/** Rules of a user who writes agents. */
const RULES = [
  {
    apiGroups: ['helm.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io'],
    resources: ['helmreleases', 'ocirepositories'],
    verbs: ['get', 'list', 'create', 'update', 'delete'],
  },
  { apiGroups: ['kagent.dev'], resources: ['agents', 'modelconfigs'], verbs: ['get', 'list'] },
];

let port: number;
let provider: TestProvider;
let cluster: Cluster;
let namespace: string;

/** A namespace with a model, in which members of the group write agents. */
const prepareNamespace = async (): Promise<string> => {
  const name = await cluster.namespace();
  const metadata = { namespace: name, name: WRITERS };
  const model = { namespace: name, name: 'small' };
  const objects = [
    { apiVersion: 'kagent.dev/v1alpha2', kind: 'ModelConfig', metadata: model },
    { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules: RULES },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: RBAC, kind: 'Role', name: WRITERS },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: WRITERS }],
    },
  ];
  for (const object of objects) await cluster.admin.apply(object);
  return name;
};

beforeAll(async () => {
  port = await findFreePort();
  provider = await startProvider({
    tls: true,
    audiences: ['agent-manager', 'kubernetes'],
    users: [
      { name: 'alice', password: 'password', groups: [WRITERS] },
      { name: 'bob', password: 'password', groups: [] },
    ],
    clients: [
      {
        client_id: 'gateway',
        client_secret: 'secret',
        redirect_uris: [`http://127.0.0.1:${port}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
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
  namespace = await prepareNamespace();
  return async () => {
    await own.close();
    await provider.close();
  };
});

/** The environment of a process that trusts the provider. */
const trusting = (authority: string) => ({ ...process.env, NODE_EXTRA_CA_CERTS: authority });

/** agent-manager with the kubeconfig of the administrator, whose permissions it never uses. */
const startAgentManager = async (
  authority: string,
): Promise<{ readonly url: string; readonly running: RunningProcess }> => {
  const own = await findFreePort();
  const url = `http://127.0.0.1:${own}`;
  const running = startNode(
    [
      ...[AGENT_MANAGER, 'serve', '--port', String(own), '--public-url', url],
      ...['--kubernetes', '--kubeconfig', cluster.kubeconfig, '--downstream-oauth'],
      ...['--namespaces', namespace, '--enable-oauth'],
      ...['--oauth-issuer', provider.issuer, '--oauth-audiences', 'agent-manager'],
    ],
    { env: trusting(authority) },
  );
  onTestFinished(async () => {
    await running.stop();
  });
  await retryAssertion(async () => {
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`${status} ${running.stderr.join('\n')}`);
  });
  return { url, running };
};

/** A gateway in mode `broker` that forwards ID tokens to agent-manager. */
const startPeers = async (): Promise<{
  readonly gateway: RunningGateway;
  readonly agentManager: RunningProcess;
}> => {
  const directory = createTestConfigDirectory();
  onTestFinished(() => {
    directory.remove();
  });
  directory.write('authority.pem', (await createLoopbackCertificate()).cert);
  const authority = resolve(directory.path, 'authority.pem');
  const { url, running: agentManager } = await startAgentManager(authority);
  directory.write('client-secret', 'secret');
  directory.server('agents', {
    type: 'streamable-http',
    url: `${url}/mcp`,
    autoStart: true,
    auth: { forwardToken: true, requiredAudiences: ['agent-manager', 'kubernetes'] },
  });
  const { issuer } = provider;
  const upstream = { issuer, clientId: 'gateway', clientSecretFile: 'client-secret' };
  directory.config({
    auth: { mode: 'broker', broker: { upstream, registration: { enabled: true } } },
  });
  const gateway = await startGateway(directory.path, {
    args: ['--port', String(port)],
    env: { NODE_EXTRA_CA_CERTS: authority },
  });
  onTestFinished(async () => {
    await gateway.stop();
  });
  return { gateway, agentManager };
};

const createAgent = async (user: string, gateway: RunningGateway, name: string) => {
  const client = await signedInClient(user, gateway);
  const args = { namespace, name, modelConfig: 'small', toolset: ['preset:none'] };
  const result = await client.callTool({
    name: 'call_tool',
    arguments: { name: 'x_agents_create_agent', arguments: args },
  });
  return JSON.stringify(result);
};

const releaseOf = (name: string) => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { namespace, name },
});

it('one sign-in reaches the cluster through the gateway and agent-manager, as the user', async () => {
  const { gateway, agentManager } = await startPeers();
  expect(await createAgent('alice', gateway, 'alices')).toContain('alice@example.com');
  expect(await cluster.admin.read(releaseOf('alices'))).toMatchObject({ kind: 'HelmRelease' });
  const refused = await createAgent('bob', gateway, 'bobs');
  expect(refused).toContain(String.raw`User \"bob\" cannot`);
  await expect(cluster.admin.read(releaseOf('bobs'))).rejects.toThrow(/404/);
  const logs = [...agentManager.stderr, ...gateway.stderr].join('\n');
  expect(logs).not.toMatch(/eyJ[\w-]+\.eyJ/u);
});
