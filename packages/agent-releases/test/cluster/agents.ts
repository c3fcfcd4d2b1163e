import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { expect, it } from 'vitest';
import { toName, modelConfig } from '../suite/sample-objects.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import type { SharedCluster } from '../support/real-cluster.ts';
import { createService } from '../support/service-parts.ts';

const setUpWith = (shared: SharedCluster) => async () => {
  const { proxy, open, apply } = await shared.start();
  const service = createService({ store: await open(), namespaces: ['default', 'tenant'] });
  return { proxy, service, apply };
};

const NEW = { name: 'sre', modelConfig: 'small', toolset: ['preset:read-only', 'tool:a'] };

/** An Agent that reaches the gateway with this header. */
const bareAgent = (name: string, value: string): KubernetesObject => {
  const headersFrom = [{ name: 'X-Gateway-Toolset', value }];
  const tools = [{ type: 'McpServer', mcpServer: { name: 'gateway' }, headersFrom }];
  return {
    ...{ apiVersion: 'kagent.dev/v1alpha2', kind: 'Agent', metadata: { ...toName(name) } },
    spec: { declarative: { tools } },
  };
};

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

  it('without a release is shown by its header, and only deleted, with force', async () => {
    const { service, apply } = await setUp();
    await apply(bareAgent('bare', 'tool:a, tool:b'));
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
};
