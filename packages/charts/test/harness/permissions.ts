import type { AuditedRequest } from '@gateway/test-peers';
import type { ManifestObject } from '../../src/render.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Binding {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly name: string; readonly namespace: string }[];
}

/** Returns a permission or a request as `verb resource.group`. */
const named = (verb: string, resource: string, group: string): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}`;

const rolesOf = (objects: readonly ManifestObject[], account: string): readonly ManifestObject[] =>
  objects.filter(({ kind, metadata }) =>
    objects.some((object) => {
      if (object.kind !== `${kind}Binding`) return false;
      const { roleRef, subjects } = object as unknown as Binding;
      return (
        roleRef.name === metadata.name &&
        object.metadata.namespace === metadata.namespace &&
        subjects.some(({ namespace, name }) => `${namespace}:${name}` === account)
      );
    }),
  );

/** Returns the permissions that rendered roles give an account, each once. @param account as `namespace:name` */
export const grantedTo = (
  objects: readonly ManifestObject[],
  account: string,
): readonly string[] => {
  const rules = rolesOf(objects, account).flatMap(({ rules }) => rules as readonly Rule[]);
  const granted = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => named(verb, resource, group))),
    ),
  );
  return [...new Set(granted)].toSorted();
};

/** What an account asked of resources. */
export interface Asked {
  /** Requests that were permitted, each once. */
  readonly permitted: readonly string[];
  readonly forbidden: readonly string[];
}

/** Returns the permissions that a request needs: a server-side apply that creates an object needs two. */
const namesOf = ({ verb, resource, group, status }: AuditedRequest): readonly string[] => {
  if (resource === undefined) return [];
  const verbs = verb === 'patch' && status === 201 ? [verb, 'create'] : [verb];
  return verbs.map((one) => named(one, resource, group));
};

/** Returns the requests of an account. @param account as `namespace:name` */
export const askedBy = (requests: readonly AuditedRequest[], account: string): Asked => {
  const own = requests.filter(({ user }) => user === `system:serviceaccount:${account}`);
  const names = (isForbidden: boolean): readonly string[] => [
    ...new Set(own.filter(({ status }) => (status === 403) === isForbidden).flatMap(namesOf)),
  ];
  return { permitted: names(false).toSorted(), forbidden: names(true).toSorted() };
};
