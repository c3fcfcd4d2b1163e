import type { AgentStore } from '../../src/store/agent-store.ts';
import { expect, it } from 'vitest';
import { valueOf } from '../suite/agent-store-suite.ts';
import { toName, modelConfig, releaseOf } from '../suite/sample-objects.ts';
import type { SharedCluster } from '../support/real-cluster.ts';

const POD_SPEC = { containers: [{ name: 'agent', image: 'agent' }] };

const podOf = (agent: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', spec: POD_SPEC },
  metadata: { ...toName(`${agent}-1`), labels: { kagent: agent } },
});

const eventOf = (name: string, kind: string, about: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Event', metadata: toName(name), reason: name },
  involvedObject: { kind, name: about, namespace: 'default' },
});

const deployment = (labels: object): object => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: toName('sre') },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: POD_SPEC } },
  status: { replicas: 1 },
});

const counts = async (store: AgentStore): Promise<number> =>
  valueOf(await store.listReleases('default')).length;

const absent = (message: string) => ({ ok: false, error: { code: 'backend_error', message } });

/** Tests of reads. */
export const readTests = ({ start }: SharedCluster): void => {
  it('share a list that has not begun, and no earlier one', async () => {
    const { proxy, apply, open } = await start();
    const store = await open();
    const first = counts(store);
    await apply(releaseOf('early'));
    const rest = Array.from({ length: 20 }, () => counts(store));
    await first;
    expect(new Set(await Promise.all(rest))).toEqual(new Set([1]));
    const lists = (): number => proxy.requests.length;
    // When the first list has ended by then, the second one begins at once, and the rest shares a third.
    expect(lists()).toBeLessThanOrEqual(3);
    const before = lists();
    expect(await counts(store)).toBe(1);
    expect(lists()).toBe(before + 1);
  });

  it('return an unchanged object as the same one, for every kind, until it was created again', async () => {
    const { apply, remove, open } = await start();
    await apply(releaseOf('sre'));
    await apply({
      apiVersion: 'kagent.dev/v1alpha2',
      kind: 'Agent',
      metadata: toName('sre'),
    });
    await apply(modelConfig('sonnet'));
    const store = await open();
    const [listed] = valueOf(await store.listReleases('default'));
    expect(Object.keys(listed?.object.metadata ?? {})).not.toContain('managedFields');
    expect(valueOf(await store.getRelease(toName('sre')))).toBe(listed);
    const [agent] = valueOf(await store.listAgents('default'));
    expect(valueOf(await store.listAgents('default'))[0]).toBe(agent);
    expect(valueOf(await store.getAgent(toName('sre')))).toBe(agent);
    const { listed: models } = valueOf(await store.modelConfigs('default'));
    expect(valueOf(await store.modelConfigs('default')).listed[0]).toBe(models[0]);
    await remove(releaseOf('sre'));
    await apply(releaseOf('sre'));
    expect(valueOf(await store.getRelease(toName('sre')))).not.toBe(listed);
  });

  it('have the workload of an agent: Deployment, pods and the events of these, the release and the agent', async () => {
    const { apply, open } = await start();
    await apply(deployment({ kagent: 'sre' }));
    await apply(podOf('sre'));
    await apply(podOf('other'));
    for (const kind of ['Agent', 'HelmRelease', 'Deployment', 'Secret'])
      await apply(eventOf(kind.toLowerCase(), kind, 'sre'));
    await apply(eventOf('pulled', 'Pod', 'sre-1'));
    await apply(eventOf('not-mine', 'Pod', 'other-1'));
    const workload = valueOf(await (await open()).workload(toName('sre')));
    expect(workload.deployment).toMatchObject({ kind: 'Deployment', status: { replicas: 1 } });
    expect(workload.pods.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['Pod', 'sre-1'],
    ]);
    const reasons = workload.events.map((event) => (event as { reason?: string }).reason);
    expect(reasons.toSorted()).toEqual(['agent', 'deployment', 'helmrelease', 'pulled']);
  });

  it('have no workload where nothing runs', async () => {
    const { open } = await start();
    const nothing = { deployment: undefined, pods: [], events: [] };
    expect(valueOf(await (await open()).workload(toName('sre')))).toEqual(nothing);
  });

  it('name a kind that is not served, where a missing object is just absent', async () => {
    const { cluster, open } = await start();
    const definition = {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: 'modelconfigs.kagent.dev' },
    };
    const { spec } = await cluster.admin.read(definition);
    await cluster.admin.remove(definition);
    const store = await open();
    expect(await store.getAgent(toName('sre'))).toEqual({ ok: true, value: undefined });
    await expect
      .poll(() => store.modelConfigs('default'), { timeout: 60_000 })
      .toEqual(
        absent(
          'the Kubernetes API could not list ModelConfigs in namespace default: it does not serve ModelConfig of kagent.dev/v1alpha2, which comes with the agent runtime',
        ),
      );
    await cluster.define({ ...definition, spec });
    expect((await store.modelConfigs('default')).ok).toBe(true);
  });
};
