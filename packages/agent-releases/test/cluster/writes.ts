import { expect, it } from 'vitest';
import { valueOf } from '../suite/agent-store-suite.ts';
import { toName, releaseOf, chartSource } from '../suite/sample-objects.ts';
import type { ClusterObject } from '@gateway/test-peers';
import type { SharedCluster } from '../support/real-cluster.ts';

/** Tests of writes. */
export const writeTests = ({ start }: SharedCluster): void => {
  it('are those of agent-manager, plain and once', async () => {
    const { cluster, proxy, open } = await start();
    const store = await open();
    const created = valueOf(await store.createRelease(releaseOf('sre')));
    const changed = { ...created.object, spec: { ...created.object.spec, interval: '5m' } };
    valueOf(await store.replaceRelease(changed, created.revision));
    valueOf(await store.createSource(chartSource('agent')));
    expect(
      proxy.requests.map(({ verb, query, headers }) => [
        verb,
        query.get('fieldManager'),
        headers['user-agent'],
      ]),
    ).toEqual([
      ['create', 'agent-manager', 'agent-manager'],
      ['update', 'agent-manager', 'agent-manager'],
      ['create', 'agent-manager', 'agent-manager'],
    ]);
    const stored = await cluster.admin.read(releaseOf('sre') as unknown as ClusterObject);
    expect(stored).toMatchObject({
      metadata: { generation: 2, managedFields: [{ manager: 'agent-manager' }] },
      spec: { interval: '5m' },
    });
  });

  it('leave the status alone, which controllers write and which changes the revision', async () => {
    const { apply, open } = await start();
    const store = await open();
    const created = valueOf(await store.createRelease(releaseOf('sre')));
    const { metadata } = await apply({ ...releaseOf('sre'), status: { observedGeneration: 1 } });
    expect(await store.replaceRelease(created.object, created.revision)).toEqual({
      ok: false,
      error: {
        code: 'conflict',
        message:
          'conflict: HelmRelease default/sre has changed since it was read; read the agent again and repeat the change',
      },
    });
    const revision = String(metadata['resourceVersion']);
    const again = valueOf(await store.replaceRelease(releaseOf('sre', { a: 1 }), revision));
    expect(again.object.status).toEqual({ observedGeneration: 1 });
  });

  it('are refused for a name that is taken, also by a release that is being deleted', async () => {
    const { apply, open } = await start();
    const store = await open();
    const finalizers = ['finalizers.fluxcd.io'];
    await apply({ ...releaseOf('sre'), metadata: { ...toName('sre'), finalizers } });
    expect(await store.deleteRelease(toName('sre'))).toEqual({ ok: true, value: true });
    const leaving = valueOf(await store.getRelease(toName('sre')))!;
    expect(leaving.object.metadata.deletionTimestamp).toMatch(/^20/);
    expect(await store.createRelease(releaseOf('sre'))).toEqual({
      ok: false,
      error: {
        code: 'conflict',
        message: 'conflict: HelmRelease default/sre already exists; use update_agent to change it',
      },
    });
    const done = { ...leaving.object, metadata: { ...leaving.object.metadata, finalizers: [] } };
    valueOf(await store.replaceRelease(done, leaving.revision));
    expect(await store.getRelease(toName('sre'))).toEqual({ ok: true, value: undefined });
  });

  it('report a schema that they violate, a source without interval, and a namespace that does not exist', async () => {
    const { open } = await start();
    const store = await open({ namespaces: ['default', 'missing'] });
    const { spec, ...rest } = releaseOf('sre');
    const invalid = { ...rest, spec: { ...spec, interval: 'often' } };
    const text = async (...given: Parameters<typeof store.createRelease>): Promise<string> => {
      const answer = await store.createRelease(...given);
      return answer.ok ? 'accepted' : `${answer.error.code}: ${answer.error.message}`;
    };
    expect(await text(invalid)).toContain(
      'backend_error: the Kubernetes API could not create HelmRelease default/sre: it answered 422: HelmRelease.helm.toolkit.fluxcd.io "sre" is invalid: spec.interval: Invalid value: "often"',
    );
    const withoutInterval = { url: 'oci://registry.gateway.internal/charts/agent' };
    const source = { ...chartSource('hourly'), spec: withoutInterval };
    expect(await store.createSource(source)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('422') as string },
    });
    expect(await text(releaseOf('sre', {}, 'missing'))).toBe(
      'backend_error: the Kubernetes API could not create HelmRelease missing/sre: it answered 404: namespaces "missing" not found',
    );
    expect(await store.listReleases('missing')).toEqual({ ok: true, value: [] });
  });
};
