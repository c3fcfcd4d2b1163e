import { expect, it } from 'vitest';
import { API_RULES } from '../../src/kubernetes/api-kinds.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import { toName, releaseOf, chartSource } from '../suite/sample-objects.ts';
import { permittedToken, type ClusterOfTest, type SharedCluster } from '../support/real-cluster.ts';

/** Calls each operation of the port once. */
const useAll = async ({ proxy, apply, open }: ClusterOfTest): Promise<readonly string[]> => {
  await apply({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...toName('p'), labels: { kagent: 'sre' } },
    spec: { containers: [{ name: 'agent', image: 'agent' }] },
  });
  await apply({
    apiVersion: 'kagent.dev/v1alpha2',
    kind: 'Agent',
    metadata: toName('sre'),
  });
  const store = await open({ namespaces: ['default'] });
  const end = store.watch(['default'], () => undefined);
  const { object, revision } = valueOf(await store.createRelease(releaseOf('sre')));
  valueOf(await store.replaceRelease(object, revision));
  valueOf(await store.createSource(chartSource('agent')));
  const answers = [
    ...[await store.check(), await store.listReleases('default')],
    ...[await store.getRelease(toName('sre')), await store.listAgents('default')],
    ...[await store.getAgent(toName('sre')), await store.deleteAgent(toName('sre'))],
    ...[await store.getSource(toName('agent')), await store.modelConfigs('default')],
    ...[await store.workload(toName('sre')), await store.deleteRelease(toName('sre'))],
    await store.deleteSource(toName('agent')),
  ];
  expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  await expect.poll(() => proxy.watches.count, { timeout: 60_000 }).toBe(2);
  end();
  return proxy.requests.map(({ group, resource, verb }) => `${group}/${resource} ${verb}`);
};

/** Tests of the permissions of agent-manager. */
export const permissionTests = (shared: SharedCluster): void => {
  it('are exactly those that it uses', async () => {
    const rules = API_RULES.map(({ apiGroup, resource, verbs }) => ({
      ...{ apiGroups: [apiGroup], resources: [resource], verbs },
    }));
    const token = await permittedToken(shared.cluster(), 'agent-manager', rules);
    const used = await useAll(await shared.start({ token }));
    const needed = API_RULES.flatMap(({ apiGroup, resource, verbs }) =>
      verbs.map((verb) => `${apiGroup}/${resource} ${verb}`),
    );
    expect([...new Set(used)].toSorted()).toEqual(needed.toSorted());
  });

  it('are refused with the message of the API about user and permission', async () => {
    const group = 'helm.toolkit.fluxcd.io';
    const rules = [{ apiGroups: [group], resources: ['helmreleases'], verbs: ['get'] }];
    const token = await permittedToken(shared.cluster(), 'reader', rules);
    const store = await (await shared.start({ token })).open();
    const message =
      'forbidden: helmreleases.helm.toolkit.fluxcd.io is forbidden: User "system:serviceaccount:default:reader" cannot list resource "helmreleases" in API group "helm.toolkit.fluxcd.io" in the namespace "default"';
    const refused = { ok: false, error: { code: 'forbidden', message } };
    expect(await store.listReleases('default')).toEqual(refused);
    expect(await store.check()).toEqual(refused);
    expect(await store.getRelease(toName('sre'))).toEqual({ ok: true, value: undefined });
  });

  it('need credentials that the API accepts', async () => {
    const { open } = await shared.start({ token: 'unknown' });
    expect(await (await open()).check()).toEqual({
      ok: false,
      error: {
        code: 'unauthenticated',
        message:
          'unauthorized: the Kubernetes API does not accept the credentials of agent-manager',
      },
    });
  });
};
