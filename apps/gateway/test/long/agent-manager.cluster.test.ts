import {
  AGENT_RUNTIME_DEFINITIONS,
  readFluxDefinitions,
  startOwnCluster,
  type Cluster,
  createLoopbackCertificate,
} from '@gateway/test-peers';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startAgentManager } from '../harness/agent-manager.ts';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import { startGateway } from '../harness/gateway.ts';
import { closing, testDirectory } from '../harness/lifetime.ts';
import { signedInClient } from '../harness/signed-in-client.ts';

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

/** A namespace with a model, in which members of the group write agents. */
const prepareNamespace = async (cluster: Cluster): Promise<string> => {
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

const AUDIENCES = ['agent-manager', 'kubernetes'];

it('one sign-in reaches the cluster through the gateway and agent-manager, as the user', async () => {
  const { provider, port } = await startBrokerProvider({
    tls: true,
    audiences: AUDIENCES,
    users: [
      { name: 'alice', password: 'password', groups: [WRITERS] },
      { name: 'bob', password: 'password', groups: [] },
    ],
  });
  const { issuer } = provider;
  const { cert: ca } = await createLoopbackCertificate();
  const { cluster } = await closing(
    startOwnCluster({ oidc: { issuer, clientId: 'kubernetes', ca } }),
  );
  for (const definition of [...(await readFluxDefinitions()), ...AGENT_RUNTIME_DEFINITIONS])
    await cluster.define(definition);
  const namespace = await prepareNamespace(cluster);

  const directory = testDirectory();
  directory.write('authority.pem', ca);
  const trusted = { NODE_EXTRA_CA_CERTS: join(directory.path, 'authority.pem') };
  // The kubeconfig is that of the administrator, whose permissions agent-manager never uses.
  const agentManager = await startAgentManager(
    issuer,
    [
      ...['--kubernetes', '--kubeconfig', cluster.kubeconfig, '--downstream-oauth'],
      ...['--namespaces', namespace],
    ],
    { ...process.env, ...trusted },
  );
  directory.server('agents', {
    ...{ type: 'streamable-http', url: `${agentManager.url}/mcp`, autoStart: true },
    auth: { forwardToken: true, requiredAudiences: AUDIENCES },
  });
  directory.config({ auth: brokerAuth(directory, issuer) });
  const args = ['--port', String(port)];
  const gateway = await startGateway(directory.path, { args, env: trusted });

  const createAgent = async (user: string, name: string) => {
    const client = await signedInClient(user, gateway);
    const given = { namespace, name, modelConfig: 'small', toolset: ['preset:none'] };
    const call = { name: 'x_agents_create_agent', arguments: given };
    return JSON.stringify(await client.callTool({ name: 'call_tool', arguments: call }));
  };
  const readRelease = (name: string) =>
    cluster.admin.read({
      ...{ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease' },
      metadata: { namespace, name },
    });
  expect(await createAgent('alice', 'alices')).toContain('alice@example.com');
  expect(await readRelease('alices')).toMatchObject({ kind: 'HelmRelease' });
  expect(await createAgent('bob', 'bobs')).toContain(String.raw`User \"bob\" cannot`);
  await expect(readRelease('bobs')).rejects.toThrow(/404/);
  const logs = [...agentManager.stderr, ...gateway.stderr].join('\n');
  expect(logs).not.toMatch(/eyJ[\w-]+\.eyJ/u);
});
