import { createAgentChart } from '../../src/chart/agent-chart.ts';
import { createAgentService } from '../../src/service/create-agent-service.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { expect, it } from 'vitest';
import { toName, modelConfig } from '../suite/sample-objects.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import type { SharedCluster } from '../support/real-cluster.ts';

const setUpWith = (shared: SharedCluster) => async () => {
  const { proxy, open, apply } = await shared.start();
  const service = createAgentService({
    store: await open(),
    chart: createAgentChart({
      ociUrl: 'oci://registry.gateway.internal/charts/agent',
      semver: 'x.x.x',
    }),
    namespaces: ['default', 'tenant'],
    version: '0.4.0',
    flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
  });
  return { proxy, service, apply };
};

const NEW = { name: 'sre', modelConfig: 'small', toolset: ['preset:read-only', 'tool:a'] };

const wayToGateway = (headersFrom: readonly object[]) => ({
  declarative: { tools: [{ type: 'McpServer', mcpServer: { name: 'gateway' }, headersFrom }] },
});

/** The Agent as Flux has it from a release. */
const rendered = (name: string, spec: object = {}): KubernetesObject => ({
  apiVersion: 'kagent.dev/v1alpha2',
  kind: 'Agent',
  metadata: {
    ...toName(name),
    labels: {
      'helm.toolkit.fluxcd.io/name': name,
      'helm.toolkit.fluxcd.io/namespace': 'default',
    },
  },
  spec: { ...spec },
});

/** Tests of agents through the service over this adapter. */
export const agentTests = (shared: SharedCluster): void => {
  const setUp = setUpWith(shared);

  it('is created as a release and its source when its model exists', async () => {
    const { proxy, service, apply } = await setUp();
    expect(await service.create_agent(NEW)).toEqual({
      ok: false,
      error: {
        code: 'invalid_request',
        message:
          'invalid request: modelConfig "small" does not exist in namespace default (no ModelConfigs there; a platform admin provisions them)',
      },
    });
    await apply(modelConfig('small'));
    const before = proxy.requests.length;
    expect(await service.create_agent(NEW)).toMatchObject({
      value: { created: { ociRepository: true, helmRelease: true } },
    });
    const writes = proxy.requests.slice(before).filter(({ verb }) => verb === 'create');
    expect(writes.map(({ resource }) => resource)).toEqual([
      'ocirepositories',
      'helmreleases',
      'ocirepositories',
    ]);
    expect(await service.create_agent({ ...NEW, name: 'other' })).toMatchObject({
      value: { created: { ociRepository: false, helmRelease: true } },
    });
  });

  it('has the toolset of its release before and after Flux has made the Agent', async () => {
    const { service, apply } = await setUp();
    await apply(modelConfig('small'));
    valueOf(await service.create_agent(NEW));
    const { toolset } = NEW;
    expect(valueOf(await service.get_agent({ name: 'sre' }))).toMatchObject({
      exists: false,
      toolset,
    });
    await apply(
      rendered('sre', wayToGateway([{ name: 'X-Gateway-Toolset', value: 'tool:older' }])),
    );
    expect(valueOf(await service.list_agents({})).agents).toMatchObject([
      { name: 'sre', exists: true, managed: 'helmrelease', toolset },
    ]);
    const change = { name: 'sre', toolset: ['preset:none'] };
    expect(valueOf(await service.update_agent(change))).toMatchObject({
      changed: ['toolset'],
      agent: { exists: true, toolset: ['preset:none'] },
    });
  });

  it('that declares no toolset has implicit full access, independent of the Agent', async () => {
    const { service, apply } = await setUp();
    await apply({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { ...toName('old') },
      spec: { interval: '10m', chartRef: { kind: 'OCIRepository', name: 'agent' }, values: {} },
    });
    const before = valueOf(await service.get_agent({ name: 'old' }));
    expect(before).toMatchObject({ exists: false, implicitFullAccess: true });
    await apply(rendered('old', wayToGateway([{ name: 'X-Gateway-Toolset', value: 'tool:a' }])));
    const after = valueOf(await service.get_agent({ name: 'old' }));
    expect(after).toMatchObject({ exists: true, implicitFullAccess: true });
    expect(after).not.toHaveProperty('toolset');
    const toolset = ['preset:none'];
    expect(valueOf(await service.update_agent({ name: 'old', toolset })).agent).toMatchObject({
      toolset,
    });
    expect(valueOf(await service.get_agent({ name: 'old' }))).not.toHaveProperty(
      'implicitFullAccess',
    );
  });

  it('without a release is shown by its header, and only deleted, with force', async () => {
    const { service, apply } = await setUp();
    const { metadata, ...bare } = rendered(
      'bare',
      wayToGateway([{ name: 'X-Gateway-Toolset', value: 'tool:a, tool:b' }]),
    );
    await apply({ ...bare, metadata: { name: metadata.name, namespace: metadata.namespace } });
    expect(valueOf(await service.get_agent({ name: 'bare' }))).toMatchObject({
      managed: 'none',
      toolset: ['tool:a', 'tool:b'],
    });
    const message =
      'conflict: Agent default/bare is a bare CR with no HelmRelease behind it; agent-manager only writes HelmRelease values (recreate it with create_agent, or delete it with force)';
    const refused = { ok: false, error: { code: 'conflict', message } };
    expect(await service.update_agent({ name: 'bare', force: true })).toEqual(refused);
    expect(await service.delete_agent({ name: 'bare' })).toEqual(refused);
    expect(valueOf(await service.delete_agent({ name: 'bare', force: true }))).toMatchObject({
      helmReleaseDeleted: false,
      agentDeleted: true,
    });
    expect(await service.get_agent({ name: 'bare' })).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  it('has a verdict from its workload', async () => {
    const { service, apply } = await setUp();
    await apply(modelConfig('small'));
    valueOf(await service.create_agent(NEW));
    await apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...toName('sre-0'), labels: { kagent: 'sre' } },
      spec: { containers: [{ name: 'agent', image: 'agent' }] },
      status: {
        containerStatuses: [
          {
            ...{ name: 'agent', image: 'agent', imageID: '', ready: false, restartCount: 0 },
            state: { waiting: { reason: 'ErrImagePull', message: 'no\nimage' } },
          },
        ],
      },
    });
    expect(valueOf(await service.get_agent_status({ name: 'sre' }))).toMatchObject({
      verdict: 'failed',
      summary: 'pod sre-0 container agent is ErrImagePull: no',
    });
  });

  it('is deleted with a source that no other release uses', async () => {
    const { proxy, service, apply } = await setUp();
    await apply(modelConfig('small'));
    valueOf(await service.create_agent(NEW));
    valueOf(await service.create_agent({ ...NEW, name: 'other' }));
    expect(valueOf(await service.delete_agent({ name: 'sre' }))).toMatchObject({
      helmReleaseDeleted: true,
      ociRepositoryDeleted: false,
      ociRepositoryKept: 'still referenced by 1 other HelmRelease(s): other',
    });
    expect(valueOf(await service.delete_agent({ name: 'other' }))).toMatchObject({
      helmReleaseDeleted: true,
      ociRepositoryDeleted: true,
    });
    const deleted = proxy.requests.filter(({ verb }) => verb === 'delete');
    expect(deleted.map(({ resource, name = '' }) => `${resource}/${name}`)).toEqual([
      'helmreleases/sre',
      'helmreleases/other',
      'ocirepositories/agent',
    ]);
  });

  it('that is only tried is written nowhere', async () => {
    const { proxy, service, apply } = await setUp();
    await apply(modelConfig('small'));
    expect(valueOf(await service.validate_agent(NEW))).toMatchObject({ valid: true });
    valueOf(await service.create_agent(NEW));
    const before = proxy.requests.length;
    const change = { name: 'sre', update: true, toolset: ['preset:none'] };
    expect(valueOf(await service.validate_agent(change))).toMatchObject({
      valid: true,
      mode: 'update',
      manifests: { values: { toolset: ['preset:none'] } },
    });
    const verbs = new Set(proxy.requests.slice(before).map(({ verb }) => verb));
    expect([...verbs].filter((verb) => !['get', 'list', 'watch'].includes(verb))).toEqual([]);
    expect(verbs.size).toBeGreaterThan(0);
  });
};
