import { parsePresets } from '@gateway/preset-resolver';
import { describe, expect, it } from 'vitest';
import type { ManifestObject } from '../../src/render.ts';
import { renderedObjects, validObjects } from '../harness/rendered-objects.ts';
import { requirement } from '../requirement.ts';

interface HelmRelease extends ManifestObject {
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly values: Readonly<Record<string, unknown>>;
  };
}

const parseManifestObjects = (values: unknown) => validObjects('agent-platform', values);

const find = (
  objects: readonly ManifestObject[],
  kind: string,
  name: string,
): HelmRelease | undefined =>
  objects.find((object) => object.kind === kind && object.metadata.name === name) as
    HelmRelease | undefined;

const release = (objects: readonly ManifestObject[], name: string): HelmRelease['spec'] => {
  const found = find(objects, 'HelmRelease', name);
  if (found === undefined) throw new Error(`no release ${name}`);
  return found.spec;
};

const presetsOf = (objects: readonly ManifestObject[]): unknown =>
  (release(objects, 'muster').values['muster'] as Record<string, unknown>)['toolsetPresets'];

describe('the fleet chart with its defaults', async () => {
  const objects = await parseManifestObjects({});

  requirement('2.3/platform-presets-shipped', () => {
    it('passes the two platform presets to the gateway', () => {
      expect(presetsOf(objects)).toEqual({
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
      });
    });
  });

  requirement('2.2/forwarding-chart-path', () => {
    it('forwards its block muster with the inner key muster to the gateway release', () => {
      expect(release(objects, 'muster').values).toEqual({
        global: { apiGroup: 'gateway.internal', labelDomain: 'gateway.internal' },
        remoteMCPServer: { enabled: true },
        muster: { kubernetes: { enabled: true }, toolsetPresets: presetsOf(objects) },
      });
    });
  });

  requirement('9.2/fleet-3.11.0', () => {
    it('follows the gateway from 5.12.0 on', () => {
      expect(find(objects, 'OCIRepository', 'muster')?.spec).toMatchObject({
        url: 'oci://registry.gateway.internal/charts/gateway',
        ref: { semver: '>=5.12.0 <6.0.0' },
      });
    });

    it('renders presets that gateway 5.12.0 accepts and older ones refuse', () => {
      const isRead = (gatewayVersion: string): boolean =>
        parsePresets(presetsOf(objects), { gatewayVersion }).ok;
      expect(['5.12.0', '5.12.0-rc.1', '5.11.9'].map(isRead)).toEqual([true, false, false]);
    });
  });

  it('installs four parts, each from a chart source of Flux', () => {
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      ...['HelmRelease agent-manager', 'HelmRelease agent-platform-mcps'],
      ...['HelmRelease model-manager', 'HelmRelease muster', 'OCIRepository agent-manager'],
      ...['OCIRepository agent-platform-mcps', 'OCIRepository model-manager'],
      'OCIRepository muster',
    ]);
    for (const name of ['agent-manager', 'model-manager'])
      expect(release(objects, name)).toMatchObject({
        dependsOn: [{ name: 'muster' }],
        values: { muster: { mcpServer: { enabled: true } } },
      });
  });
});

it('installs the portal when it is enabled, with the pages of agents', async () => {
  const objects = await parseManifestObjects({ components: { portal: { enabled: true } } });
  expect(find(objects, 'OCIRepository', 'portal')?.spec).toMatchObject({
    url: 'oci://registry.gateway.internal/charts/portal',
    ref: { semver: '>=0.239.0 <1.0.0' },
  });
  expect(release(objects, 'portal')).toMatchObject({
    dependsOn: [{ name: 'muster' }],
    values: { agentManager: { url: 'http://agent-manager:8080' } },
  });
});

it('names the gateway as agents expect by default', async () => {
  const { values, releaseName, targetNamespace } = release(
    await parseManifestObjects({}),
    'muster',
  );
  const place = { release: String(releaseName), namespace: String(targetNamespace) };
  const gateway = await renderedObjects('gateway', values, place);
  const server = find(gateway, 'RemoteMCPServer', 'gateway');
  expect(server?.metadata.namespace).toBe('agent-platform');
  expect(server?.spec).toMatchObject({
    url: 'http://gateway.agent-platform.svc.cluster.local:8090/mcp',
    allowedNamespaces: { from: 'All' },
  });
  expect(server?.spec).not.toHaveProperty('headersFrom');
  expect(find(gateway, 'Service', 'gateway')).toMatchObject({
    metadata: { namespace: 'agent-platform' },
    spec: { ports: [{ port: 8090 }] },
  });
  const [agent] = await renderedObjects('agent');
  expect(agent).toMatchObject({
    spec: {
      declarative: {
        tools: [{ mcpServer: { name: 'gateway', namespace: 'agent-platform' } }],
      },
    },
  });
});

const HOSTILE = { '1e3': 'true', text: '{{ .Values }}\n🦉 "quoted" # no comment', on: '0x10' };

describe('an installation', async () => {
  const objects = await parseManifestObjects({
    global: { team: 'platform' },
    apiGroup: 'tools.example.org',
    namespace: 'platform',
    chartRepository: 'oci://registry.example.org:5000/mirror',
    flux: {
      interval: '1h',
      retries: -1,
      serviceAccountName: 'flux-deploy',
      registrySecret: 'pull',
    },
    components: {
      muster: { releaseName: 'tool-gateway', timeout: '10m', crds: 'Skip', retries: 0 },
      'model-manager': { enabled: false },
      'agent-platform-mcps': null,
      '1e3': { chart: '0x10', versionRange: '1.10', dependsOn: ['true'] },
      true: { chart: 'null', versionRange: '1', releaseName: 'on', namespace: '7' },
      kagent: {
        chart: 'kagent/helm/kagent',
        repository: 'oci://registry.example.org/charts',
        versionRange: '0.9.x',
        valuesFrom: 'kagent',
        namespace: 'kagent',
        injectGlobal: false,
        dependsOn: ['muster'],
        verify: { provider: 'cosign', secretRef: { name: 'cosign' } },
        suspend: true,
      },
    },
    kagent: HOSTILE,
    muster: {
      global: { team: 'gateway' },
      resources: { limits: { memory: '1Gi' } },
      muster: {
        http: { maxBodyBytes: 8_388_608 },
        toolsetPresets: {
          'agent-platform': null,
          infrastructure: { description: 'Clusters.' },
          support: { include: [{ preset: 'infrastructure' }, { server: 'github' }] },
        },
      },
    },
  });

  it('has its presets merged with the shipped ones, without removed ones', () => {
    expect(presetsOf(objects)).toEqual({
      infrastructure: {
        description: 'Clusters.',
        include: [{ label: 'gateway.internal/tool-group=infrastructure' }],
      },
      support: { include: [{ preset: 'infrastructure' }, { server: 'github' }] },
    });
  });

  it('adds a component, changes one, disables one and removes one', () => {
    expect(
      objects.filter(({ kind }) => kind === 'HelmRelease').map(({ metadata }) => metadata.name),
    ).toEqual(['1e3', 'agent-manager', 'kagent', 'muster', 'true']);
    expect(release(objects, '1e3')).toMatchObject({
      releaseName: '1e3',
      chartRef: { kind: 'OCIRepository', name: '1e3' },
      dependsOn: [{ name: 'true' }],
    });
    expect(release(objects, 'true')).toMatchObject({ releaseName: 'on', targetNamespace: '7' });
    expect(find(objects, 'OCIRepository', '1e3')?.spec).toMatchObject({ ref: { semver: '1.10' } });
    expect(find(objects, 'OCIRepository', 'kagent')?.spec).toEqual({
      url: 'oci://registry.example.org/charts/kagent/helm/kagent',
      interval: '1h',
      ref: { semver: '0.9.x' },
      layerSelector: {
        mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
        operation: 'copy',
      },
      secretRef: { name: 'pull' },
      verify: { provider: 'cosign', secretRef: { name: 'cosign' } },
      suspend: true,
    });
    expect(release(objects, 'kagent')).toEqual({
      releaseName: 'kagent',
      targetNamespace: 'kagent',
      storageNamespace: 'kagent',
      chartRef: { kind: 'OCIRepository', name: 'kagent' },
      interval: '1h',
      timeout: '5m',
      serviceAccountName: 'flux-deploy',
      suspend: true,
      dependsOn: [{ name: 'muster' }],
      install: { createNamespace: true, crds: 'CreateReplace', remediation: { retries: -1 } },
      upgrade: { crds: 'CreateReplace', remediation: { retries: -1, remediateLastFailure: true } },
      values: HOSTILE,
    });
    expect(find(objects, 'OCIRepository', 'muster')?.spec).toMatchObject({
      url: 'oci://registry.example.org:5000/mirror/gateway',
      ref: { semver: '>=5.12.0 <6.0.0' },
    });
    expect(release(objects, 'muster')).toMatchObject({
      releaseName: 'tool-gateway',
      targetNamespace: 'platform',
      timeout: '10m',
      install: { crds: 'Skip', remediation: { retries: 0 } },
      upgrade: { crds: 'Skip', remediation: { retries: 0 } },
    });
  });

  it('passes its names to all parts; values of a block take precedence', () => {
    expect(release(objects, 'agent-manager').values).toEqual({
      global: { team: 'platform', apiGroup: 'tools.example.org', labelDomain: 'gateway.internal' },
      muster: { mcpServer: { enabled: true } },
    });
    expect(release(objects, 'muster').values).toMatchObject({
      global: { team: 'gateway', apiGroup: 'tools.example.org', labelDomain: 'gateway.internal' },
      remoteMCPServer: { enabled: true },
      resources: { limits: { memory: '1Gi' } },
      muster: { http: { maxBodyBytes: 8_388_608 } },
    });
  });
});
