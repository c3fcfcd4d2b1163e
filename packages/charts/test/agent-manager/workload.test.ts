import { beforeAll, describe, expect, it } from 'vitest';
import { lint, render, type ManifestObject } from '../../src/render.ts';
import { schemaRefusals } from '../harness/schema-refusals.ts';
import { deploymentOf, validObjects } from '../harness/rendered-objects.ts';
import { expectTexts } from '../harness/template-texts.ts';

const CHART = 'agent-manager';

const rendered = (values: unknown) => validObjects(CHART, values);

const names = (objects: readonly ManifestObject[]): readonly string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);

const ofKind = (objects: readonly ManifestObject[], kind: string): ManifestObject | undefined =>
  objects.find((object) => object.kind === kind);

const ALL = {
  fullnameOverride: 'manager',
  replicas: 3,
  sessionKey: { existingSecret: 'shared' },
  skillsToken: { existingSecret: 'git', key: 'read' },
  kagent: { namespace: 'agents' },
  additionalNamespaces: ['more', 'agents', '7'],
  agentChart: { url: 'oci://registry.example.com/charts/agent', semver: '>=0.6.0 <0.8.0' },
  skillsRepositories: ['https://git.example.com/a/skills', 'https://git.example.com/a/.more.git'],
  allowedHosts: ['agents.example.com', 'manager'],
  serviceAccount: { annotations: { 'example.com/role': 'true' } },
  service: { port: 80, annotations: { 'example.com/scrape': '1e3' } },
  image: { registry: 'registry.example.com', tag: '0.4.1' },
  imagePullSecrets: [{ name: 'registry' }],
  podAnnotations: { note: '{{ .Values }}' },
  podLabels: { team: '007', 'app.kubernetes.io/name': 'hijacked' },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
  ],
  podDisruptionBudget: { enabled: true, maxUnavailable: 2 },
  networkPolicy: { enabled: true },
  muster: { mcpServer: { enabled: true } },
};

let plain: readonly ManifestObject[];
let all: readonly ManifestObject[];
beforeAll(async () => {
  [plain, all] = await Promise.all([rendered({}), rendered(ALL)]);
});

describe('agent-manager with default values', () => {
  it('is a Deployment, a Service, and permissions in the namespace of the agents', () => {
    expect(names(plain).toSorted()).toEqual([
      'Deployment demo-ns/demo-agent-manager',
      'Role kagent/demo-agent-manager',
      'RoleBinding kagent/demo-agent-manager',
      'Service demo-ns/demo-agent-manager',
      'ServiceAccount demo-ns/demo-agent-manager',
    ]);
  });

  it('has exactly the permissions of its operations', () => {
    const flux = (group: string) => [`${group}.toolkit.fluxcd.io`];
    const rule = (apiGroups: readonly string[], resources: string, verbs: string) => ({
      apiGroups,
      resources: resources.split(' '),
      verbs: verbs.split(' '),
    });
    expect(ofKind(plain, 'Role')?.['rules']).toEqual([
      rule(flux('helm'), 'helmreleases', 'get list watch create update delete'),
      rule(flux('source'), 'ocirepositories', 'get list watch create delete'),
      rule(['kagent.dev'], 'agents', 'get list delete'),
      rule(['kagent.dev'], 'modelconfigs', 'list'),
      rule(['apps'], 'deployments', 'get'),
      rule([''], 'pods events', 'list'),
    ]);
  });

  it('passes helm lint', async () => {
    expect(await lint(CHART, ALL)).toBeUndefined();
  });
});

describe('agent-manager with all options enabled', () => {
  it('has one Role and RoleBinding per namespace', () => {
    expect(names(all).toSorted()).toEqual([
      'Deployment demo-ns/manager',
      'MCPServer demo-ns/agent-manager',
      'NetworkPolicy demo-ns/manager',
      'PodDisruptionBudget demo-ns/manager',
      ...['7', 'agents', 'more'].map((namespace) => `Role ${namespace}/manager`),
      ...['7', 'agents', 'more'].map((namespace) => `RoleBinding ${namespace}/manager`),
      'Service demo-ns/manager',
      'ServiceAccount demo-ns/manager',
    ]);
    expect(ofKind(all, 'RoleBinding')).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'manager' },
      subjects: [{ kind: 'ServiceAccount', name: 'manager', namespace: 'demo-ns' }],
    });
  });

  it('manages the namespaces in which it has rights', () => {
    const { replicas, template } = deploymentOf(all);
    expect([replicas, template.metadata]).toMatchObject([
      3,
      {
        annotations: { note: '{{ .Values }}' },
        labels: { team: '007', 'app.kubernetes.io/name': 'agent-manager' },
      },
    ]);
    expect(template.spec).toMatchObject({
      imagePullSecrets: [{ name: 'registry' }],
      topologySpreadConstraints: [
        { labelSelector: { matchLabels: { 'app.kubernetes.io/name': 'agent-manager' } } },
      ],
    });
    const [container] = template.spec.containers;
    expect(container?.['image']).toBe('registry.example.com/agent-manager:0.4.1');
    expect(container?.args).toEqual([
      ...['serve', '--host', '0.0.0.0', '--port', '8080'],
      ...['--kubernetes', '--namespaces', 'agents,more,7'],
      '--allowed-hosts',
      'manager,manager.demo-ns,manager.demo-ns.svc,manager.demo-ns.svc.cluster.local,agents.example.com',
      ...['--chart-url', 'oci://registry.example.com/charts/agent'],
      ...['--chart-semver', '>=0.6.0 <0.8.0'],
      '--skills-repositories',
      'https://git.example.com/a/skills,https://git.example.com/a/.more.git',
    ]);
    const secret = (variable: string, name: string, key: string) => ({
      name: `AGENT_MANAGER_${variable}`,
      valueFrom: { secretKeyRef: { name, key } },
    });
    expect(container?.['env']).toEqual([
      secret('SESSION_KEY', 'shared', 'session-key'),
      secret('SKILLS_TOKEN', 'git', 'read'),
    ]);
  });

  it('admits no peer by default, and registers the port of its Service', () => {
    expect(ofKind(all, 'NetworkPolicy')).toMatchObject({
      spec: { policyTypes: ['Ingress'], ingress: [] },
    });
    expect(ofKind(all, 'Service')).toMatchObject({
      metadata: { annotations: { 'example.com/scrape': '1e3' } },
      spec: { ports: [{ port: 80, targetPort: 'http' }] },
    });
    expect(ofKind(all, 'MCPServer')).toMatchObject({
      spec: { url: 'http://manager.demo-ns.svc.cluster.local:80/mcp' },
    });
  });
});

it('the host names of agent-manager have that of the registration among them', async () => {
  const url = 'https://agents.example.com:8443/mcp';
  const objects = await rendered({ muster: { mcpServer: { enabled: true, url } } });
  expect(JSON.stringify(ofKind(objects, 'Deployment'))).toContain(
    'demo-agent-manager.demo-ns.svc.cluster.local,agents.example.com"',
  );
});

it('more than one agent-manager requires a shared session key', async () => {
  await expectTexts(CHART, '{{ include "agent-manager.problem" . }}', {
    '': [{}, { replicas: 1 }, { replicas: 2, sessionKey: { existingSecret: 'shared' } }],
    "replicas is 2, and replicas accept each other's sessions only with a shared key: name its Secret in sessionKey.existingSecret":
      { replicas: 2 },
  });
  expect(await render(CHART, { replicas: 2 })).toMatchObject({
    ok: false,
    error: expect.stringContaining('replicas is 2, and replicas accept') as unknown,
  });
});

it('the permissions of agent-manager are not created when rbac.create is false', async () => {
  const values = { rbac: { create: false }, serviceAccount: { create: false, name: 'given' } };
  const objects = await rendered(values);
  expect(names(objects).toSorted()).toEqual([
    'Deployment demo-ns/demo-agent-manager',
    'Service demo-ns/demo-agent-manager',
  ]);
  expect(deploymentOf(objects).template.spec['serviceAccountName']).toBe('given');
});

it('the schema of agent-manager’s values refuses unknown keys, wrong types and invalid names', async () => {
  const values = {
    replica: 2,
    replicas: '2',
    kagent: { namespace: 'Kagent' },
    additionalNamespaces: ['a.b'],
    agentChart: { url: 'https://registry.example.com/charts/agent', semver: '' },
    flux: { helmReleaseInterval: '10', serviceAccountName: 'A' },
    skillsApiUrl: 'git.example.com',
    skillsToken: { token: 'secret' },
    skillsRepositories: [
      'https://user@git.example.com/a/skills',
      'http://git.example.com/a/skills',
      'https://git.example.com/skills',
      'https://git.example.com/a/b/skills',
      'https://git.example.com/a/..',
    ],
    allowedHosts: ['http://agents.example.com'],
    rbac: { created: true },
    service: { port: 0 },
    image: { name: 'x' },
    oauth: { upstream: 'x' },
    clusterDomain: 'cluster local',
    muster: {
      enabled: true,
      mcpServer: {
        name: 'Agent',
        url: 'ftp://a.b',
        description: 'd'.repeat(501),
        label: {},
        labels: { 'a b': 'x', fine: 'a b' },
        auth: { requiredAudience: [], forwardToken: 'yes' },
      },
    },
  };
  const label = '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$';
  const refusals = await schemaRefusals(CHART, values, ['--set', 'probes.startup=null']);
  expect(refusals.filter((line) => !/ match pattern/u.test(line))).toEqual([
    '(root): Additional property replica is not allowed',
    'agentChart.semver: String length must be greater than or equal to 1',
    'image: Additional property name is not allowed',
    'muster.mcpServer.auth.forwardToken: Invalid type. Expected: boolean, given: string',
    'muster.mcpServer.auth: Additional property requiredAudience is not allowed',
    'muster.mcpServer.description: String length must be less than or equal to 500',
    'muster.mcpServer.labels: Property name of "a b" does not match',
    'muster.mcpServer: Additional property label is not allowed',
    'muster: Additional property enabled is not allowed',
    'oauth: Additional property upstream is not allowed',
    'probes: startup is required',
    'rbac: Additional property created is not allowed',
    'replicas: Invalid type. Expected: integer, given: string',
    'service.port: Must be greater than or equal to 1',
    'skillsToken: Additional property token is not allowed',
  ]);
  expect(refusals).toContain(`kagent.namespace: Does not match pattern '${label}'`);
  expect(
    refusals.filter((line) => / match pattern/u.test(line)).map((line) => line.split(':')[0]),
  ).toEqual([
    ...['additionalNamespaces.0', 'agentChart.semver', 'agentChart.url', 'allowedHosts.0'],
    ...['clusterDomain', 'flux.helmReleaseInterval', 'flux.serviceAccountName'],
    ...['kagent.namespace', 'muster.mcpServer.labels.fine', 'muster.mcpServer.labels'],
    ...['muster.mcpServer.name', 'muster.mcpServer.url', 'skillsApiUrl'],
    ...[0, 1, 2, 3, 4].map((at) => `skillsRepositories.${String(at)}`),
  ]);
});
