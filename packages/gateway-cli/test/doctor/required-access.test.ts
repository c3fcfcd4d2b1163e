import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { listRequiredAccess, type Access } from '../../src/doctor/check-access.ts';

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
const readGrants = async (golden: string): Promise<readonly Access[]> => {
  const text = await readFile(new URL(`${GOLDEN}/${golden}.yaml`, import.meta.url), 'utf8');
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Role | null)
    .filter((role) => role !== null && /^(?:Cluster)?Role$/u.test(role.kind))
    .filter((role) => role?.metadata.name.endsWith('-references') === false)
    .flatMap((role) =>
      (role?.rules ?? []).flatMap(
        ({ apiGroups: [group = ''], resources, resourceNames, verbs }) => {
          const { namespace } = role?.metadata ?? {};
          const [name] = resourceNames ?? [];
          return resources.map(
            (resource) => ({ group, resource, verbs, namespace, name }) as Access,
          );
        },
      ),
    );
};

/** Returns each permission once, as text. */
const formatPermissions = (accesses: readonly Access[]): readonly string[] => {
  const permissions = accesses.flatMap(({ group, resource, verbs, namespace = '*', name = '*' }) =>
    verbs.map((verb) => `${namespace}: ${verb} ${resource}.${group} ${name}`),
  );
  return [...new Set(permissions.toSorted())];
};

const IN_NAMESPACES = { namespace: 'agent-platform', namespaces: ['agent-platform', '007'] };
const IN_ALL = { namespace: 'demo-ns', namespaces: [] };

it.each([
  ['cluster', 'workflows', { ...IN_NAMESPACES, lease: '1e3' }],
  ['cluster-wide', 'all', { ...IN_ALL, lease: 'demo-gateway' }],
] as const)(
  'the required permissions are those that the chart renders in the case %s',
  async (golden, writes, place) => {
    const needs = { apiGroup: 'gateway.internal', storesRuns: true, writes, ...place };
    const required = listRequiredAccess(needs);
    expect(formatPermissions(required)).toEqual(formatPermissions(await readGrants(golden)));
  },
);
