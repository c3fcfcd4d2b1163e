import { formatClearSecret, listClearSecrets } from '@gateway/client-config';
import {
  type ClientCredentialsSecretRef,
  type McpServer,
  resolveKeyReference,
} from '@gateway/crd-schemas';
import {
  type ApiConnection,
  formatApiFailure,
  toFields,
  hasStatus,
  listObjects,
  type VersionedObject,
} from '@gateway/kube-client';
import {
  createDefinitionKinds,
  type InspectedServer,
  inspectObjects,
  KINDS,
  openSecretObjects,
} from '@gateway/resource-store';
import type { Access } from './check-access.ts';
import { checkReportedServer, type ReportedServer } from './check-servers.ts';
import {
  type Check,
  createClusterNote,
  createClusterProblem,
  formatNamespaceScope,
} from './check.ts';

export interface ObjectScope {
  readonly apiGroup: string;
  /** All namespaces when empty. */
  readonly namespaces: readonly string[];
  readonly allowStdio: boolean;
  /** Other namespaces whose Secrets a server may name. */
  readonly secretNamespaces: readonly string[];
}

interface UsedSecret {
  /** `namespace/name`. */
  readonly server: string;
  readonly reference: ClientCredentialsSecretRef;
}

interface CheckedObjects {
  readonly checks: readonly Check[];
  readonly secrets: readonly UsedSecret[];
  /** The permissions for objects that servers name. */
  readonly references: readonly Access[];
}

const REFUSAL_REMEDIES = {
  invalid: 'Correct the object; gateway events shows when it is used.',
  stdio:
    'Run the server in a pod of its own and define it with its url, or set kubernetes.allowStdio: true.',
  'name-taken': 'Rename or delete one of both objects.',
} as const;

const findText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const readServerReport = (status: unknown): ReportedServer => {
  const { state, lastError, conditions } = toFields(status);
  const all = Array.isArray(conditions) ? conditions.map(toFields) : [];
  const condition = (type: string): string | undefined =>
    findText(all.find((one) => one['type'] === type && one['status'] === 'False')?.['message']);
  return {
    state: findText(state),
    reason: findText(lastError) ?? condition('Ready'),
    namesTaken: condition('NamesAccepted'),
  };
};

const listSecrets = ({ source, server: { spec } }: InspectedServer): readonly UsedSecret[] => {
  if (spec.type === 'stdio') return [];
  const { tokenExchange, authorizationServer } = spec.auth;
  return [tokenExchange, authorizationServer].flatMap((part) => {
    const reference = part?.clientCredentialsSecretRef;
    return reference === undefined ? [] : [{ server: source, reference }];
  });
};

/** Returns the permissions for the objects with values of variables, headers and arguments, which are followed by name. */
const listReferenceAccess = ({ metadata: { namespace }, spec }: McpServer): readonly Access[] =>
  [
    ...((spec.type === 'stdio' ? spec.envFrom : spec.headersFrom) ?? []),
    ...(spec.tools ?? []).flatMap(({ defaultsFrom }) => defaultsFrom ?? []),
  ].map((reference) => {
    const { kind, name } = resolveKeyReference(reference);
    const resource = kind === 'Secret' ? 'secrets' : 'configmaps';
    return { group: '', resource, namespace, name, verbs: ['list', 'watch'] };
  });

const withoutRepeated = (accesses: readonly Access[]): readonly Access[] => [
  ...new Map(accesses.map((access) => [JSON.stringify(access), access])).values(),
];

type ResourceKind = (typeof KINDS)[number];

interface ReadObjects {
  readonly objects: readonly { readonly kind: ResourceKind; readonly versioned: VersionedObject }[];
  readonly checks: readonly Check[];
}

const readObjects = async (
  connection: ApiConnection,
  { apiGroup }: ObjectScope,
  kind: ResourceKind,
  namespace: string | undefined,
): Promise<ReadObjects> => {
  const apiKind = createDefinitionKinds(apiGroup)[kind];
  const list = await listObjects(connection, {
    kind: apiKind,
    ...(namespace !== undefined && { namespace }),
  });
  if (list.ok)
    return { objects: list.value.objects.map((versioned) => ({ kind, versioned })), checks: [] };
  const { failure } = list;
  // Other checks report a missing permission and a missing definition.
  if (hasStatus(failure, 403) || hasStatus(failure, 404)) return { objects: [], checks: [] };
  const check = createClusterProblem(
    'objects-unread',
    `The ${apiKind.resource} of ${formatNamespaceScope(namespace)} could not be read: ${formatApiFailure(failure)}.`,
    'Repeat the command when the Kubernetes API answers.',
  );
  return { objects: [], checks: [check] };
};

/** Reads all definitions. Returns those that are not used with the reason, and the servers that do not work. */
export const checkObjects = async (
  connection: ApiConnection,
  scope: ObjectScope,
): Promise<CheckedObjects> => {
  const places = scope.namespaces.length === 0 ? [undefined] : scope.namespaces;
  const parts = await Promise.all(
    KINDS.flatMap((kind) => places.map((place) => readObjects(connection, scope, kind, place))),
  );
  const { servers, refused } = inspectObjects(
    parts.flatMap(({ objects }) => objects),
    scope,
  );
  const unused = new Set(
    refused.flatMap(({ kind, source }) => (kind === 'MCPServer' ? [source] : [])),
  );
  const secrets = servers.flatMap(listSecrets);
  const secretAccess = secrets.map(({ reference: { namespace, name } }): Access => ({
    group: '',
    resource: 'secrets',
    namespace,
    name,
    verbs: ['get'],
  }));
  return {
    checks: [
      ...parts.flatMap(({ checks }) => checks),
      ...refused.map(({ kind, source, message, reason }) =>
        createClusterProblem(
          'object-refused',
          `${kind} ${source} is not used: ${message}.`,
          REFUSAL_REMEDIES[reason],
          { facts: { kind, source, reason } },
        ),
      ),
      ...servers
        .filter(({ source }) => !unused.has(source))
        .flatMap(({ source, server, status }) => [
          ...checkReportedServer(source, server.spec, readServerReport(status)),
          ...listClearSecrets(server.spec).map((secret): Check => ({
            ...createClusterNote('clear-text', formatClearSecret(secret)),
            ...{ area: 'server', subject: source, facts: { field: secret.field } },
          })),
        ]),
    ],
    secrets,
    references: withoutRepeated([
      ...secretAccess,
      ...servers.flatMap(({ server }) => listReferenceAccess(server)),
    ]),
  };
};

export const createSecretProblem = (server: string, reason: string): Check =>
  createClusterProblem(
    'secret-unusable',
    `cannot use its client credentials: ${reason}.`,
    'Create or correct the Secret, or correct clientCredentialsSecretRef of the server.',
    { area: 'server', subject: server },
  );

/**
 * Returns the servers whose Secret does not have the values that the definition names. Secrets that the account may not read are left out;
 * values are no part of checks.
 */
export const checkSecrets = async (
  connection: ApiConnection,
  secrets: readonly UsedSecret[],
  missing: readonly Access[],
): Promise<readonly Check[]> => {
  const isUnreadable = ({ namespace, name }: ClientCredentialsSecretRef): boolean =>
    missing.some(
      (access) =>
        access.resource === 'secrets' && access.namespace === namespace && access.name === name,
    );
  const { read } = openSecretObjects(connection);
  const checks: Check[] = [];
  for (const { server, reference } of secrets) {
    if (isUnreadable(reference)) continue;
    const { name, namespace, clientIdKey, clientSecretKey } = reference;
    for (const key of [clientIdKey, clientSecretKey]) {
      const value = await read({ name, namespace, key });
      if (value.ok) continue;
      checks.push(createSecretProblem(server, value.reason));
      break;
    }
  }
  return checks;
};
