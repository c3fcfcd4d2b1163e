import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ManifestObject } from '../../src/render.ts';
import { configurationOf, serversOf } from '../harness/fleet.ts';
import { renderedObjects, validObjects } from '../harness/rendered-objects.ts';
import { requirement } from '../requirement.ts';

const ROOT = join(import.meta.dirname, '../..');

const parseManifestObjects = (values: unknown, apiGroup = 'gateway.internal') =>
  validObjects('standalone', values, { apiGroup });

const idsOf = (objects: readonly ManifestObject[]): readonly string[] =>
  objects.map(({ apiVersion, kind, metadata }) =>
    [apiVersion, kind, metadata.namespace ?? '', metadata.name].join(' '),
  );

const configOf = (objects: readonly ManifestObject[]): Readonly<Record<string, unknown>> =>
  parse(configurationOf(objects)['config.yaml'] ?? '') as Record<string, unknown>;

const urlOf = ({ spec }: ManifestObject): string => (spec as { url: string }).url;

/** The Services' own addresses, as a URL of the path `/mcp`. */
const addressesOf = (objects: readonly ManifestObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind === 'Service')
    .map(({ metadata, spec }) => {
      const [port] = (spec as { ports: readonly { port: number }[] }).ports;
      return `http://${metadata.name}.${String(metadata.namespace)}.svc.cluster.local:${String(port?.port)}/mcp`;
    });

const PRESETS = {
  infrastructure: {
    description:
      'The servers for the infrastructure underneath the platform (the management clusters of the installations) — mcp-kubernetes, mcp-capi, mcp-prometheus.',
    include: [{ label: 'gateway.internal/tool-group=infrastructure' }],
  },
  'agent-platform': {
    description:
      'The platform’s own management surface — agent-manager, model-manager, cluster-manager and the gateway’s core tools.',
    include: [{ label: 'gateway.internal/tool-group=agent-platform' }, { pattern: 'core_*' }],
  },
};

describe('the standalone chart with its defaults', async () => {
  const objects = await parseManifestObjects({});

  requirement('9.2/standalone-0.37.0', () => {
    it('runs a gateway from 5.12.0 on', async () => {
      const text = await readFile(join(ROOT, 'standalone/Chart.yaml'), 'utf8');
      const { version, dependencies } = parse(text) as {
        version: string;
        dependencies: readonly { name: string; alias?: string; version: string }[];
      };
      expect(version).toBe('0.38.0');
      expect(dependencies.find(({ name }) => name === 'gateway')).toMatchObject({
        alias: 'muster',
        version: '5.13.0',
      });
      const deployment = objects.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'demo-gateway',
      );
      expect(JSON.stringify(deployment)).toContain('registry.gateway.internal/gateway:5.13.0');
    });
  });

  requirement('2.3/standalone-presets', () => {
    it('passes the two platform presets to the gateway', () => {
      expect(configOf(objects)['toolsetPresets']).toEqual(PRESETS);
    });
  });

  requirement('9.2/standalone-0.36.0', () => {
    it('labels its cluster-management server as infrastructure', () => {
      const server = serversOf(objects).find(({ metadata }) => metadata.name === 'mcp-kubernetes');
      expect(server?.metadata.labels).toMatchObject({
        'gateway.internal/tool-group': 'infrastructure',
        'gateway.internal/type': 'mcp-kubernetes',
      });
      expect(server?.['spec']).toEqual({
        autoStart: true,
        type: 'streamable-http',
        url: 'http://demo-mcp-kubernetes.demo-ns.svc.cluster.local:8080/mcp',
        description: 'Reads the objects of this cluster.',
      });
    });
  });

  it('registers no server whose Service it does not render', () => {
    const addresses = addressesOf(objects);
    expect(addresses.toSorted()).toEqual([
      'http://demo-agent-manager.demo-ns.svc.cluster.local:8080/mcp',
      'http://demo-gateway.demo-ns.svc.cluster.local:8090/mcp',
      'http://demo-mcp-kubernetes.demo-ns.svc.cluster.local:8080/mcp',
    ]);
    const registered = serversOf(objects).map(urlOf);
    expect(registered).toHaveLength(2);
    expect(addresses).toEqual(expect.arrayContaining(registered));
  });

  it('registers model-manager where it is enabled', async () => {
    const withModels = await parseManifestObjects({
      components: { 'model-manager': { enabled: true } },
    });
    expect(serversOf(withModels).map(urlOf)).toContain(
      'http://model-manager.demo-ns.svc.cluster.local:8080/mcp',
    );
  });

  it('stays in the namespace of the release, and has only kinds of Kubernetes and of the gateway', () => {
    const namespaces = objects.map(({ metadata }) => metadata.namespace ?? 'demo-ns');
    expect(new Set(namespaces)).toEqual(new Set(['demo-ns']));
    const groups = objects
      .map(({ apiVersion }) => apiVersion)
      .filter((group) => /\w\.\w/u.test(group));
    expect(new Set(groups)).toEqual(
      new Set(['gateway.internal/v1alpha1', 'rbac.authorization.k8s.io/v1']),
    );
  });

  it('creates the resource for agents where the cluster has the agent runtime', async () => {
    const args = ['--api-versions', 'kagent.dev/v1alpha2'];
    const withAgents = await renderedObjects('standalone', {}, { args });
    const remote = withAgents.filter(({ kind }) => kind === 'RemoteMCPServer');
    expect(idsOf(remote)).toEqual(['kagent.dev/v1alpha2 RemoteMCPServer demo-ns gateway']);
    expect(remote.map(urlOf)).toEqual(['http://demo-gateway.demo-ns.svc.cluster.local:8090/mcp']);
  });

  it.each(['gateway', 'agent-manager', 'm'.repeat(53)])(
    'has unique object names in the release %s',
    async (release) => {
      const ids = idsOf(await renderedObjects('standalone', {}, { release }));
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    },
  );

  it('selects the pods of each Deployment by unique labels', () => {
    const selectors = objects
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => JSON.stringify((spec as { selector: unknown }).selector));
    expect(selectors).toHaveLength(3);
    expect(new Set(selectors).size).toBe(3);
  });
});

it.each([
  ['demo', 'demo-gateway'],
  ['my-gateway', 'my-gateway'],
])('the portal of the release %s calls its gateway, where it is enabled', async (release, name) => {
  const values = { components: { portal: { enabled: true } } };
  const objects = await renderedObjects('standalone', values, { release });
  const portal = objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-portal'),
  );
  expect(JSON.stringify(portal)).toContain(`"http://${name}.demo-ns.svc.cluster.local:8090/mcp"`);
  expect(objects.some(({ kind, metadata }) => kind === 'Service' && metadata.name === name)).toBe(
    true,
  );
  const plain = await renderedObjects('standalone', {}, { release });
  expect(plain.filter(({ metadata }) => metadata.name.endsWith('-portal'))).toEqual([]);
});

describe('an installation', async () => {
  const objects = await parseManifestObjects(
    {
      global: { apiGroup: 'tools.example.org', labelDomain: 'example.org' },
      components: { 'model-manager': { enabled: false } },
      muster: {
        muster: {
          toolsetPresets: {
            infrastructure: { include: [{ label: 'example.org/tool-group=infrastructure' }] },
            'agent-platform': null,
            support: { include: [{ preset: 'infrastructure' }, { server: 'github' }] },
          },
        },
      },
      'agent-platform-mcps': {
        mcpServers: [{ cluster: 'beta', group: 'kubernetes', url: 'http://beta.example.org/mcp' }],
      },
      'mcp-kubernetes': { mcpServer: { managementCluster: 'alpha', labels: { team: 'sre' } } },
    },
    'tools.example.org',
  );

  requirement('2.2/forwarding-chart-path', () => {
    it('has its presets under muster.muster.toolsetPresets, merged with the shipped ones, without removed ones', () => {
      expect(configOf(objects)).toMatchObject({
        apiGroup: 'tools.example.org',
        labelDomain: 'example.org',
        toolsetPresets: {
          infrastructure: {
            description: PRESETS.infrastructure.description,
            include: [{ label: 'example.org/tool-group=infrastructure' }],
          },
          support: { include: [{ preset: 'infrastructure' }, { server: 'github' }] },
        },
      });
      expect(configOf(objects)['toolsetPresets']).not.toHaveProperty('agent-platform');
    });
  });

  requirement('2.3/stamping-standalone', () => {
    it('adds the cluster-management server to the family with a management cluster', () => {
      const [alpha, beta] = ['alpha-mcp-kubernetes', 'beta-mcp-kubernetes'].map((name) =>
        serversOf(objects).find(({ metadata }) => metadata.name === name),
      );
      expect(alpha?.metadata.labels).toMatchObject({
        team: 'sre',
        'example.org/tool-group': 'infrastructure',
        'tools.example.org/management-cluster': 'alpha',
        'tools.example.org/type': 'mcp-kubernetes',
      });
      const family = { name: 'kubernetes', instanceArg: 'management_cluster' };
      expect(alpha?.['spec']).toMatchObject({
        url: 'http://demo-mcp-kubernetes.demo-ns.svc.cluster.local:8080/mcp',
        family,
      });
      expect(beta?.['spec']).toMatchObject({ family });
    });
  });

  it('installs enabled parts only, and passes its names to them', () => {
    expect(
      serversOf(objects)
        .map(({ apiVersion, metadata }) => `${apiVersion} ${metadata.name}`)
        .toSorted(),
    ).toEqual([
      'tools.example.org/v1alpha1 agent-manager',
      'tools.example.org/v1alpha1 alpha-mcp-kubernetes',
      'tools.example.org/v1alpha1 beta-mcp-kubernetes',
    ]);
  });
});

describe('the hosts that tokens go to over plain HTTP', () => {
  const hostsOf = async (values: unknown) => {
    const { servers } = configOf(await parseManifestObjects(values)) as {
      servers: { plainHttpTokenHosts: readonly string[] };
    };
    return servers.plainHttpTokenHosts;
  };

  it('are the Services that the parts register, by their exact names', async () => {
    expect(await hostsOf({})).toEqual([
      'demo-agent-manager.demo-ns.svc.cluster.local',
      'model-manager.demo-ns.svc.cluster.local',
    ]);
  });

  it('are in the domain of the cluster, and can be named by the installation', async () => {
    const muster = (servers: object) => ({ muster: { muster: { servers } } });
    expect(await hostsOf({ muster: { clusterDomain: 'corp.local' } })).toContain(
      'demo-agent-manager.demo-ns.svc.corp.local',
    );
    expect(await hostsOf(muster({ plainHttpTokenHosts: ['tools.example'] }))).toEqual([
      'tools.example',
    ]);
  });
});
