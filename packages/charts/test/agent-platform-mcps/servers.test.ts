import { describe, expect, it } from 'vitest';
import { lint, type ManifestObject } from '../../src/render.ts';
import { validObjects } from '../harness/rendered-objects.ts';
import { valuesOfCase } from '../harness/render-cases.ts';
import { requirement } from '../requirement.ts';

const CHART = 'agent-platform-mcps';

const rendered = (values: unknown) => validObjects(CHART, values);

interface ServerSpec {
  readonly family?: object;
  readonly auth?: object;
}
const specOf = ({ spec }: ManifestObject) => spec as ServerSpec;

const toolGroups = (servers: readonly ManifestObject[]): unknown =>
  servers.map(({ metadata: { name, labels } }) => [name, labels?.['gateway.internal/tool-group']]);

const families = (servers: readonly ManifestObject[]): unknown =>
  servers.map((one) => [one.metadata.name, specOf(one).family]);

const server = (cluster: string, group: string, further: object = {}): object => ({
  cluster,
  group,
  url: `http://${group}.${cluster}:8080/mcp`,
  ...further,
});

describe('servers of the platform', () => {
  it('are empty by default and while muster.enabled is false', async () => {
    expect(await rendered({})).toEqual([]);
    const values = { muster: { enabled: false }, mcpServers: [server('alpha', 'kubernetes')] };
    expect(await rendered(values)).toEqual([]);
  });

  it('pass helm lint', async () => {
    expect(await lint(CHART, valuesOfCase(CHART, 'auth-modes'))).toBeUndefined();
  });
});

describe('tool groups', async () => {
  const servers = await rendered(valuesOfCase(CHART, 'tool-group'));
  const plain = await rendered({
    mcpServers: ['kubernetes', 'prometheus', 'capi', 'github'].map((group) =>
      server('alpha', group),
    ),
  });

  requirement('2.3/stamping-bundle', () => {
    it('sets the tool group infrastructure on the servers of families only', () => {
      expect(toolGroups(plain)).toEqual([
        ['alpha-mcp-kubernetes', 'infrastructure'],
        ['alpha-mcp-prometheus', 'infrastructure'],
        ['alpha-mcp-capi', 'infrastructure'],
        ['alpha-mcp-github', undefined],
      ]);
    });

    it('sets the tool group of muster.families.<group>.toolGroup', () => {
      expect(toolGroups(servers)).toContainEqual(['alpha-mcp-capi', 'agent-platform']);
    });
  });

  requirement('2.3/stamping-entry', () => {
    it('sets the tool group of the entry, with and without a family, and creates no family', () => {
      expect(toolGroups(servers)).toEqual([
        ['alpha-mcp-kubernetes', 'infrastructure'],
        ['alpha-mcp-kubernetes-platform', 'agent-platform'],
        ['alpha-mcp-capi', 'agent-platform'],
        ['agent-manager', 'agent-platform'],
        ['github', undefined],
      ]);
      const family = (name: string) => ({ name, instanceArg: 'management_cluster' });
      expect(families(servers)).toEqual([
        ['alpha-mcp-kubernetes', family('kubernetes')],
        ['alpha-mcp-kubernetes-platform', family('kubernetes')],
        ['alpha-mcp-capi', family('capi')],
        ['agent-manager', undefined],
        ['github', undefined],
      ]);
    });
  });

  requirement('9.2/bundle-0.9.0', () => {
    it('are part of version 0.9.0', () => {
      expect(plain[0]?.metadata.labels).toMatchObject({
        'helm.sh/chart': 'agent-platform-mcps-0.9.0',
        'gateway.internal/tool-group': 'infrastructure',
      });
    });
  });
});

it('families share the argument of their group, and can be added and removed by name', async () => {
  const servers = await rendered({
    muster: {
      families: {
        kubernetes: { instanceArg: 'cluster' },
        logs: { instanceArg: 'cluster' },
        capi: null,
      },
    },
    mcpServers: [
      server('alpha', 'kubernetes'),
      server('beta', 'kubernetes', { namespace: 'elsewhere' }),
      server('alpha', 'logs'),
      server('alpha', 'capi'),
    ],
  });
  expect(families(servers)).toEqual([
    ['alpha-mcp-kubernetes', { name: 'kubernetes', instanceArg: 'cluster' }],
    ['beta-mcp-kubernetes', { name: 'kubernetes', instanceArg: 'cluster' }],
    ['alpha-mcp-logs', { name: 'logs', instanceArg: 'cluster' }],
    ['alpha-mcp-capi', undefined],
  ]);
  expect(toolGroups(servers)).toEqual([
    ['alpha-mcp-kubernetes', 'infrastructure'],
    ['beta-mcp-kubernetes', 'infrastructure'],
    ['alpha-mcp-logs', 'infrastructure'],
    ['alpha-mcp-capi', undefined],
  ]);
});

it('how the gateway authenticates itself has one form per mode', async () => {
  const servers = await rendered(valuesOfCase(CHART, 'auth-modes'));
  const oauth = { type: 'oauth', forwardToken: false };
  const exchange = (cluster: string) => ({
    enabled: true,
    dexTokenEndpoint: `https://dex.${cluster}.example.com/token`,
    connectorId: 'alpha',
  });
  expect(Object.fromEntries(servers.map((one) => [one.metadata.name, specOf(one).auth]))).toEqual({
    'alpha-mcp-plain': { type: 'none', forwardToken: false },
    'alpha-mcp-runbooks': oauth,
    'alpha-mcp-tickets': {
      ...oauth,
      authorizationServer: { issuer: 'https://login.example.com', scopes: 'read write' },
    },
    'alpha-mcp-kubernetes': {
      ...oauth,
      forwardToken: true,
      requiredAudiences: ['dex-k8s-authenticator'],
    },
    'alpha-mcp-prometheus': {
      ...oauth,
      forwardToken: true,
      requiredAudiences: ['prometheus', 'grafana'],
    },
    'beta-mcp-kubernetes': {
      ...oauth,
      requiredAudiences: ['dex-k8s-authenticator'],
      tokenExchange: {
        ...exchange('beta'),
        expectedIssuer: 'https://dex.beta.example.com',
        scopes: 'openid groups',
        clientCredentialsSecretRef: {
          name: 'token-exchange',
          namespace: 'secrets',
          clientIdKey: 'id',
          clientSecretKey: 'secret',
        },
      },
    },
    'gamma-mcp-kubernetes': { ...oauth, tokenExchange: exchange('gamma') },
  });
});

it('names of an installation are part of the kind and of the labels; those of a parent chart take precedence', async () => {
  const values = {
    apiGroup: 'mine.example.com',
    labelDomain: 'mine.example.com',
    global: { labelDomain: 'labels.example.com' },
    mcpServers: [server('alpha', 'kubernetes')],
  };
  const [kubernetes] = await validObjects(CHART, values, { apiGroup: 'mine.example.com' });
  expect(kubernetes?.apiVersion).toBe('mine.example.com/v1alpha1');
  expect(kubernetes?.metadata.labels).toMatchObject({
    'mine.example.com/management-cluster': 'alpha',
    'mine.example.com/type': 'mcp-kubernetes',
    'labels.example.com/tool-group': 'infrastructure',
  });
});
