import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  listRequiredAccess,
  type Access,
  type AccessNeeds,
} from '../../src/doctor/check-access.ts';

const GOLDEN = '../../../charts/test/golden/gateway';

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

/** Returns the permissions of the rendered roles, except those of referenced Secrets and ConfigMaps. */
const grantedIn = async (golden: string): Promise<readonly Access[]> => {
  const text = await readFile(new URL(`${GOLDEN}/${golden}.yaml`, import.meta.url), 'utf8');
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Role | null)
    .filter((role) => role !== null && /^(Cluster)?Role$/u.test(role.kind))
    .filter((role) => role?.metadata.name.endsWith('-references') === false)
    .flatMap((role) =>
      (role?.rules ?? []).flatMap(({ apiGroups, resources, resourceNames = [], verbs }) =>
        resources.map((resource) => ({
          group: apiGroups[0] ?? '',
          resource,
          verbs,
          ...(role?.metadata.namespace === undefined ? {} : { namespace: role.metadata.namespace }),
          ...(resourceNames[0] === undefined ? {} : { name: resourceNames[0] }),
        })),
      ),
    );
};

/** Returns each permission once, as text. */
const permissionsOf = (accesses: readonly Access[]): readonly string[] => [
  ...new Set(
    accesses
      .flatMap(({ group, resource, verbs, namespace = '*', name = '*' }) =>
        verbs.map((verb) => `${namespace}: ${verb} ${resource}.${group} ${name}`),
      )
      .toSorted(),
  ),
];

const CASES: readonly (readonly [string, AccessNeeds])[] = [
  [
    'cluster',
    {
      apiGroup: 'gateway.internal',
      writes: 'workflows',
      namespace: 'agent-platform',
      namespaces: ['agent-platform', '007'],
      lease: '1e3',
      storesRuns: true,
    },
  ],
  [
    'cluster-wide',
    {
      apiGroup: 'gateway.internal',
      writes: 'all',
      namespace: 'demo-ns',
      namespaces: [],
      lease: 'demo-gateway',
      storesRuns: true,
    },
  ],
];

it.each(CASES)(
  'the required permissions are those that the chart renders in the case %s',
  async (golden, needs) => {
    expect(permissionsOf(listRequiredAccess(needs))).toEqual(
      permissionsOf(await grantedIn(golden)),
    );
  },
);
