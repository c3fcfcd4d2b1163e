import {
  type ApiConnection,
  type ApiFailure,
  formatApiFailure,
  toFields,
} from '@gateway/kube-client';
import {
  type Check,
  createClusterNote,
  createClusterProblem,
  formatNamespaceScope,
} from './check.ts';

/** Verbs of the Kubernetes API on one resource in one place. */
export interface Access {
  /** Empty for the core group. */
  readonly group: string;
  /** The plural name, with a subresource after a slash. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The name of the only object; any when absent. */
  readonly name?: string;
  /** All namespaces when absent. */
  readonly namespace?: string;
}

/** The parts of a configuration that decide which permissions a gateway needs. */
export interface AccessNeeds {
  readonly apiGroup: string;
  readonly writes: 'all' | 'workflows' | 'none';
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  readonly namespace: string;
  readonly lease: string;
  /** True if records of runs are objects. */
  readonly storesRuns: boolean;
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'patch', 'delete'];
const WRITTEN = { all: ['mcpservers', 'workflows'], workflows: ['workflows'], none: [] } as const;

/** Events are written by server-side apply, which creates or changes. */
const EVENTS = { group: 'events.k8s.io', resource: 'events', verbs: ['list', 'create', 'patch'] };

/** Returns the permissions that a gateway needs. They are those that its chart grants. */
export const listRequiredAccess = (needs: AccessNeeds): readonly Access[] => {
  const { apiGroup: group, writes, namespaces, namespace, lease, storesRuns } = needs;
  const definitions: readonly Access[] = [
    { group, resource: 'mcpservers', verbs: READ },
    { group, resource: 'workflows', verbs: READ },
    ...WRITTEN[writes].map((resource) => ({ group, resource, verbs: WRITE })),
    { group, resource: 'mcpservers/status', verbs: ['patch'] },
    { group, resource: 'workflows/status', verbs: ['patch'] },
    EVENTS,
  ];
  const leases = { group: 'coordination.k8s.io', resource: 'leases', namespace };
  // Events of the configuration are in the namespace of the gateway.
  const hasOwnEvents = namespaces.length === 0 || namespaces.includes(namespace);
  return [
    ...(namespaces.length === 0
      ? definitions
      : namespaces.flatMap((place) =>
          definitions.map((access) => ({ ...access, namespace: place })),
        )),
    ...(hasOwnEvents ? [] : [{ ...EVENTS, namespace }]),
    ...(storesRuns
      ? [{ group, resource: 'workflowexecutions', verbs: [...READ, ...WRITE], namespace }]
      : []),
    // A Lease cannot be named before it exists.
    { ...leases, verbs: ['create'] },
    { ...leases, verbs: ['get', 'update', 'watch'], name: lease },
  ];
};

const AT_ONCE = 8;

const MAX_ACCOUNT_CHARS = 300;

type Review = { readonly allowed: boolean } | { readonly failure: ApiFailure };

const requestReview = async (
  connection: ApiConnection,
  { group, resource: path, namespace, name }: Access,
  verb: string,
): Promise<Review> => {
  const [resource, subresource] = path.split('/');
  const answer = await connection.send({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      // Absent values are no part of the JSON.
      spec: { resourceAttributes: { group, resource, subresource, verb, namespace, name } },
    },
  });
  if (!answer.ok) return { failure: answer.failure };
  return { allowed: toFields(answer.value['status'])['allowed'] === true };
};

/** Returns the name of the user that the API sees, or a description where the API does not say it. */
const readAccount = async (connection: ApiConnection): Promise<string> => {
  const answer = await connection.send({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  const status = answer.ok ? toFields(answer.value['status']) : {};
  const name = toFields(status['userInfo'])['username'];
  return typeof name === 'string'
    ? name.slice(0, MAX_ACCOUNT_CHARS)
    : 'the account of this program';
};

export const createAccessProblem = (account: string, access: Access): Check => {
  const { group, resource, verbs, name, namespace } = access;
  const subject = `${resource}${group === '' ? '' : ` of ${group}`}`;
  const named = name === undefined ? '' : ` with the name ${name}`;
  const names = name === undefined ? '' : `, resourceNames: [${name}]`;
  const role = namespace === undefined ? 'a ClusterRole' : `a Role in namespace ${namespace}`;
  const rule = `{apiGroups: ["${group}"], resources: [${resource}]${names}, verbs: [${verbs.join(', ')}]}`;
  return createClusterProblem(
    'access-missing',
    `${account} may not ${verbs.join(', ')} ${subject}${named} in ${formatNamespaceScope(namespace)}.`,
    `Add this rule to ${role} that is bound to it: ${rule}`,
    { facts: { account, access } },
  );
};

/** The permissions that an account does not have. */
interface CheckedAccess {
  readonly missing: readonly Access[];
  readonly checks: readonly Check[];
}

/** Asks the API whether its caller has each of the permissions. Returns one check for each resource and place where verbs are missing. */
export const checkAccess = async (
  connection: ApiConnection,
  required: readonly Access[],
): Promise<CheckedAccess> => {
  const asked = required.flatMap((access) => access.verbs.map((verb) => ({ access, verb })));
  const refused = new Map<Access, string[]>();
  for (let start = 0; start < asked.length; start += AT_ONCE) {
    const batch = asked.slice(start, start + AT_ONCE);
    const reviews = await Promise.all(
      batch.map(({ access, verb }) => requestReview(connection, access, verb)),
    );
    for (const [index, { access, verb }] of batch.entries()) {
      const answer = reviews[index];
      if (answer === undefined) continue;
      if ('failure' in answer) return { missing: [], checks: [createAccessNote(answer.failure)] };
      if (!answer.allowed) refused.set(access, [...(refused.get(access) ?? []), verb]);
    }
  }
  const missing = [...refused].map(([access, verbs]) => ({ ...access, verbs }));
  if (missing.length === 0) return { missing, checks: [] };
  const account = await readAccount(connection);
  return { missing, checks: missing.map((access) => createAccessProblem(account, access)) };
};

const createAccessNote = (failure: ApiFailure): Check =>
  createClusterNote(
    'access-unchecked',
    `The permissions could not be checked: ${formatApiFailure(failure)}.`,
    'Bind the ClusterRole system:basic-user to the account.',
  );
