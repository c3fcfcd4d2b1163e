import { retryAssertion } from '@gateway/repo-checks';
import {
  AGENT_RUNTIME_DEFINITIONS,
  readFluxDefinitions,
  startOwnCluster,
  type Cluster,
  createLoopbackCertificate,
  startProvider,
  type TestProvider,
} from '@gateway/test-peers';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { portalSuiteOf } from '../harness/portal-suite.ts';
import { startPeoplePortal, type Addresses, type SignInSetup } from '../harness/people.ts';
import { button, continueTo } from '../harness/wizard.ts';

const SECRET = 'the secret of the portal';
const RBAC = 'rbac.authorization.k8s.io';

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

const ends: (() => Promise<void>)[] = [];
let cluster: Cluster;
/** The namespaces of the teams of alice and of bob. */
let [red, blue] = ['', ''];

/** A namespace with a model, in which the members of a group write agents. */
const startNamespace = async (group: string): Promise<string> => {
  const namespace = await cluster.namespace();
  const metadata = { namespace, name: group };
  const roleRef = { apiGroup: RBAC, kind: 'Role', name: group };
  const subjects = [{ apiGroup: RBAC, kind: 'Group', name: group }];
  for (const object of [
    { apiVersion: 'kagent.dev/v1alpha2', kind: 'ModelConfig', metadata },
    { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules: RULES },
    { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects },
  ])
    await cluster.admin.apply(object);
  return namespace;
};

const startTeams = async (provider: TestProvider): Promise<void> => {
  const own = await startOwnCluster({
    oidc: {
      issuer: provider.issuer,
      clientId: 'portal',
      ca: (await createLoopbackCertificate()).cert,
    },
  });
  ends.push(own.close);
  cluster = own.cluster;
  for (const definition of [...(await readFluxDefinitions()), ...AGENT_RUNTIME_DEFINITIONS])
    await cluster.define(definition);
  [red, blue] = [await startNamespace('red'), await startNamespace('blue')];
  const client = cluster.client({
    token: await provider.sign({ sub: 'alice', groups: ['red'], aud: 'portal' }),
  });
  // The API server reads the keys of the provider some seconds after it is ready.
  await retryAssertion(async () => {
    const { status } = await client.request('GET', '/version');
    if (status !== 200) throw new Error(`the API server answers ${status}`);
  });
  client.close();
};

/** All services accept the ID token of the portal, and agent-manager sends it to the cluster. */
const setUp = async ({ portal: url, config }: Addresses): Promise<SignInSetup> => {
  const provider = await startProvider({
    tls: true,
    users: [
      { name: 'alice', password: 'password', groups: ['red'] },
      { name: 'bob', password: 'password', groups: ['blue'] },
    ],
    clients: [
      {
        client_id: 'portal',
        client_secret: SECRET,
        redirect_uris: [`${url}auth/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  ends.push(provider.close);
  await startTeams(provider);
  config.write('secret', SECRET);
  config.write('authority.pem', (await createLoopbackCertificate()).cert);
  const { issuer } = provider;
  return {
    auth: { mode: 'resource-server', issuers: [{ issuer, audiences: ['portal'], scopes: [] }] },
    servers: {},
    portalArgs: [
      ...['--issuer', issuer, '--client-id', 'portal', '--token', 'id_token'],
      ...['--client-secret-file', `${config.path}/secret`],
      ...['--scopes', 'openid email groups offline_access'],
    ],
    agentManagerArgs: [
      ...['--kubernetes', '--kubeconfig', cluster.kubeconfig, '--namespaces', `${red},${blue}`],
      ...['--enable-oauth', '--downstream-oauth', '--public-url', 'http://agents.example.com'],
      ...['--oauth-issuer', issuer, '--oauth-audiences', 'portal'],
    ],
    env: { NODE_EXTRA_CA_CERTS: `${config.path}/authority.pem` },
  };
};

const { portal, openAs } = portalSuiteOf(() => startPeoplePortal(setUp));
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Opens a path for a user, for whom the cluster refuses some reads. */
const openPage = async (login: string, path: string): Promise<Page> => {
  const { page } = await openAs(login, path, { ignoreHTTPSErrors: true, mayReport: true });
  return page;
};

const createAgent = async (page: Page, namespace: string, model: string): Promise<void> => {
  await page.getByRole('link', { name: 'New agent' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('sre');
  await page.getByRole('combobox', { name: 'Namespace' }).click();
  await page.getByRole('option', { name: namespace }).click();
  await page.getByRole('combobox', { name: 'Model' }).fill(model);
  await continueTo(page, "Choose the agent's tools");
  await continueTo(page, 'Review the agent');
  await page.getByText('agent-manager accepts this agent.').waitFor();
  await button(page, 'Create agent').click();
  await page.getByRole('link', { name: 'Edit' }).waitFor();
};

const agentLink = (page: Page, namespace: string) =>
  page.getByRole('row').filter({ hasText: `${namespace}/sre` });

const releaseIn = (namespace: string) => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { namespace, name: 'sre' },
});

it('two people side by side see and write the agents of their teams, as themselves', async () => {
  const [alice, bob] = [await openPage('alice', 'agents'), await openPage('bob', 'agents')];
  await alice.getByRole('alert').filter({ hasText: blue }).first().waitFor();
  await bob.getByRole('alert').filter({ hasText: red }).first().waitFor();
  await createAgent(alice, red, 'red');
  await createAgent(bob, blue, 'blue');
  for (const [page, own, other] of [
    [alice, red, blue],
    [bob, blue, red],
  ] as const) {
    await page.getByRole('link', { name: 'All agents' }).click();
    await agentLink(page, own).waitFor();
    expect(await agentLink(page, other).count()).toBe(0);
    await page.goto(new URL(`agents/${other}/sre`, portal.url).href);
    await page.getByRole('alert').filter({ hasText: 'forbidden' }).first().waitFor();
    expect(await cluster.admin.read(releaseIn(own))).toMatchObject({
      spec: { values: { agent: { name: 'sre' }, toolset: ['preset:none'] } },
    });
  }
});

it('shows the refusal of the cluster at a namespace of another team, and writes nothing', async () => {
  const page = await openPage('bob', 'agents/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('intruder');
  await page.getByRole('combobox', { name: 'Namespace' }).click();
  await page.getByRole('option', { name: red }).click();
  await page.getByRole('combobox', { name: 'Model' }).fill('red');
  await page.getByRole('alert').filter({ hasText: 'User "bob" cannot' }).waitFor();
  await continueTo(page, "Choose the agent's tools");
  await continueTo(page, 'Review the agent');
  expect(await button(page, 'Create agent').isDisabled()).toBe(true);
});
