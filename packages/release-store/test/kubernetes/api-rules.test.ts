import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { API_RULES } from '../../src/kubernetes/api-rules.ts';
import { valueOf } from '../suite/agent-store-suite.ts';
import { at, releaseOf, sourceOf } from '../suite/sample-objects.ts';
import { startCluster } from '../support/cluster.ts';

const ROLE = '../../../charts/agent-manager/templates/role.yaml';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** `group/resource verb` of every permission, sorted. */
const permissionsOf = (rules: readonly Rule[]): readonly string[] =>
  rules
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    )
    .toSorted();

const needed = permissionsOf(
  API_RULES.map(({ apiGroup, resource, verbs }) => ({
    apiGroups: [apiGroup],
    resources: [resource],
    verbs,
  })),
);

/** Everything that the port offers, once. */
const useAll = async (): Promise<readonly string[]> => {
  const { api, open } = await startCluster();
  api.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { ...at('p'), labels: { kagent: 'sre' } } });
  const store = await open();
  const end = store.watch(['default'], () => undefined);
  const { object, revision } = valueOf(await store.createRelease(releaseOf('sre')));
  valueOf(await store.replaceRelease(object, revision));
  valueOf(await store.createSource(sourceOf('agent')));
  await Promise.all([
    store.check(),
    store.listReleases('default'),
    store.getRelease(at('sre')),
    store.listAgents('default'),
    store.getAgent(at('sre')),
    store.deleteAgent(at('sre')),
    store.getSource(at('agent')),
    store.modelConfigs('default'),
    store.workload(at('sre')),
  ]);
  valueOf(await store.deleteRelease(at('sre')));
  valueOf(await store.deleteSource(at('agent')));
  await expect.poll(() => api.watches.count, { timeout: 60_000 }).toBe(2);
  end();
  return api.requests.map(({ group, resource, verb }) => `${group}/${resource} ${verb}`);
};

describe('the permissions of agent-manager', () => {
  it('are exactly those that it requests', async () => {
    expect([...new Set(await useAll())].toSorted()).toEqual(needed);
  });

  it('are those of the role of its chart', async () => {
    const template = await readFile(new URL(ROLE, import.meta.url), 'utf8');
    const rules = /^rules:\n(?<rules>(?: .*\n)+)/m.exec(template)?.groups?.['rules'] ?? '';
    expect(permissionsOf(parse(rules) as readonly Rule[])).toEqual(needed);
  });
});
