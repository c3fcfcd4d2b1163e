import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { API_RULES } from '../../src/kubernetes/api-kinds.ts';

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

it('the permissions of agent-manager are those of the role of its chart', async () => {
  const template = await readFile(new URL(ROLE, import.meta.url), 'utf8');
  const rules = /^rules:\n(?<rules>(?: .*\n)+)/m.exec(template)?.groups?.['rules'] ?? '';
  const needed = API_RULES.map(({ apiGroup, resource, verbs }) => ({
    ...{ apiGroups: [apiGroup], resources: [resource], verbs },
  }));
  expect(permissionsOf(parse(rules) as readonly Rule[])).toEqual(permissionsOf(needed));
});
