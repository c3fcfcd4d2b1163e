import { referencedKeyOf, type McpServer } from '@gateway/crd-schemas';
import {
  hasStatus,
  listObjects,
  type ApiConnection,
  type VersionedObject,
} from '@gateway/kube-client';
import { composeObjects, NO_RESOURCES } from '../kubernetes/definition-state.ts';
import { definitionKinds, KINDS } from '../kubernetes/followed-definitions.ts';
import {
  interpretObject,
  sourceOf,
  STDIO_REFUSAL,
  type InterpretedObject,
} from '../kubernetes/interpret-object.ts';
import type { ResourceKind } from '../port/resources.ts';
import type { UsedSecret } from './check-secrets.ts';
import type { Access, ClusterFinding } from './cluster-finding.ts';
import { reportedOf, serverTroubles } from './server-trouble.ts';

/** The objects to check. */
export interface ObjectScope {
  readonly apiGroup: string;
  /** All namespaces when empty. */
  readonly namespaces: readonly string[];
  readonly allowStdio: boolean;
  /** Other namespaces whose Secrets a server may name. */
  readonly secretNamespaces: readonly string[];
}

/** The result of {@link checkObjects}. */
export interface CheckedObjects {
  readonly findings: readonly ClusterFinding[];
  /** The Secrets that servers name. */
  readonly secrets: readonly UsedSecret[];
  /** The permissions for the values of variables and headers of servers. */
  readonly references: readonly Access[];
}

interface Read {
  readonly kind: ResourceKind;
  readonly versioned: VersionedObject;
  readonly interpreted: InterpretedObject;
}

const isDeleted = ({ object }: VersionedObject): boolean =>
  object.metadata.deletionTimestamp !== undefined;

const refusalsOf = (objects: readonly Read[]): readonly ClusterFinding[] => {
  const { state, nameTaken } = composeObjects(
    objects.map(({ interpreted }) => interpreted),
    [],
    NO_RESOURCES,
  );
  const taken = new Set([...nameTaken.keys()].map(({ kind, key }) => `${kind}/${sourceOf(key)}`));
  return state.problems.flatMap(({ kind, source, message }) => {
    if (kind === 'Configuration') return [];
    const reason = taken.has(`${kind}/${source}`) ? 'name-taken' : 'invalid';
    const facts = { kind, source, message };
    return [
      { code: 'object-refused', ...facts, reason: message === STDIO_REFUSAL ? 'stdio' : reason },
    ] as const;
  });
};

const troublesOf = (
  { versioned: { object }, interpreted }: Read,
  nameTaken: ReadonlySet<string>,
): readonly ClusterFinding[] => {
  const { key, outcome } = interpreted;
  const server = sourceOf(key);
  if (outcome.kind !== 'server' || nameTaken.has(server)) return [];
  return serverTroubles(outcome.server.spec, reportedOf(object.status)).map((trouble) => ({
    ...{ code: 'server', server, trouble },
  }));
};

/** Returns the permissions for the objects with values of variables and headers, which are followed by name. */
const followedObjectsOf = ({ metadata: { namespace }, spec }: McpServer): readonly Access[] =>
  ((spec.type === 'stdio' ? spec.envFrom : spec.headersFrom) ?? []).map((reference) => {
    const { kind, name } = referencedKeyOf(reference);
    const resource = kind === 'Secret' ? 'secrets' : 'configmaps';
    return { group: '', resource, namespace, name, verbs: ['list', 'watch'] };
  });

const referencesOf = (objects: readonly Read[]): readonly Access[] => {
  const all = objects.flatMap(({ interpreted: { outcome } }) =>
    outcome.kind === 'server' ? followedObjectsOf(outcome.server) : [],
  );
  return [...new Map(all.map((access) => [JSON.stringify(access), access])).values()];
};

/** Returns the Secrets that servers name. */
const secretsOf = (objects: readonly Read[]): readonly UsedSecret[] =>
  objects.flatMap(({ interpreted: { key, outcome } }) => {
    if (outcome.kind !== 'server' || outcome.server.spec.type === 'stdio') return [];
    const { tokenExchange, authorizationServer } = outcome.server.spec.auth;
    return [tokenExchange, authorizationServer].flatMap((part) => {
      const reference = part?.clientCredentialsSecretRef;
      return reference === undefined ? [] : [{ server: sourceOf(key), reference }];
    });
  });

const readWith =
  (connection: ApiConnection, scope: ObjectScope) =>
  async (
    kind: ResourceKind,
    namespace: string | undefined,
  ): Promise<{
    readonly objects: readonly Read[];
    readonly findings: readonly ClusterFinding[];
  }> => {
    const place = namespace === undefined ? {} : { namespace };
    const apiKind = definitionKinds(scope.apiGroup)[kind];
    const list = await listObjects(connection, { kind: apiKind, ...place });
    if (!list.ok) {
      const { failure } = list;
      // Other checks report a missing permission and a missing definition.
      const isReported = hasStatus(failure, 403) || hasStatus(failure, 404);
      const finding = {
        code: 'objects-unread',
        kind,
        resource: apiKind.resource,
        ...place,
      } as const;
      return { objects: [], findings: isReported ? [] : [{ ...finding, failure }] };
    }
    const rules = { ...scope, now: Date.now() };
    const objects = list.value.objects.filter((object) => !isDeleted(object));
    return {
      findings: [],
      objects: objects.map((versioned) => ({
        ...{ kind, versioned, interpreted: interpretObject(kind, versioned, rules) },
      })),
    };
  };

/** Reads all definitions. Returns those that are not used with the reason, and the servers that do not work. */
export const checkObjects = async (
  connection: ApiConnection,
  scope: ObjectScope,
): Promise<CheckedObjects> => {
  const places = scope.namespaces.length === 0 ? [undefined] : scope.namespaces;
  const read = readWith(connection, scope);
  const parts = await Promise.all(
    KINDS.flatMap((kind) => places.map((place) => read(kind, place))),
  );
  const objects = parts.flatMap((part) => part.objects);
  const refused = refusalsOf(objects);
  const sources = new Set(
    refused.flatMap((finding) =>
      finding.code === 'object-refused' && finding.kind === 'MCPServer' ? [finding.source] : [],
    ),
  );
  return {
    findings: [
      ...parts.flatMap(({ findings }) => findings),
      ...refused,
      ...objects.flatMap((object) => troublesOf(object, sources)),
    ],
    secrets: secretsOf(objects),
    references: referencesOf(objects),
  };
};
