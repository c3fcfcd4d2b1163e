import type { IncomingMessage } from 'node:http';

/** A Kubernetes object as the server stores it. Fields that it does not read are preserved. */
export interface StoredObject {
  readonly [field: string]: unknown;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly [field: string]: unknown;
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly generation?: number;
  };
}

export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

/** The kinds of a cluster with Flux and the agent runtime. */
export const SERVED_KINDS: readonly ServedKind[] = [
  { group: 'helm.toolkit.fluxcd.io', version: 'v2', kind: 'HelmRelease', resource: 'helmreleases' },
  {
    group: 'source.toolkit.fluxcd.io',
    version: 'v1',
    kind: 'OCIRepository',
    resource: 'ocirepositories',
  },
  { group: 'kagent.dev', version: 'v1alpha2', kind: 'Agent', resource: 'agents' },
  { group: 'kagent.dev', version: 'v1alpha2', kind: 'ModelConfig', resource: 'modelconfigs' },
  { group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments' },
  { group: '', version: 'v1', kind: 'Pod', resource: 'pods' },
  { group: '', version: 'v1', kind: 'Event', resource: 'events' },
];

/** Returns the name of a resource as in messages of the API: `helmreleases.helm.toolkit.fluxcd.io`. */
const formatResource = ({ group, resource }: ServedKind): string =>
  group === '' ? resource : `${resource}.${group}`;

export const formatListVersion = ({ group, version }: ServedKind): string =>
  group === '' ? version : `${group}/${version}`;

export interface ApiServerRequest {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'apply' | 'delete';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for a request for all namespaces. */
  readonly namespace: string;
  /** The name of the object; absent for requests for the collection. */
  readonly name?: string;
  readonly isStatus: boolean;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?<status>\/status)?$/;

interface PathParts {
  readonly group?: string;
  readonly version: string;
  readonly namespace?: string;
  readonly resource: string;
  readonly name?: string;
  readonly status?: string;
}

const NAMED: Readonly<Record<string, ApiServerRequest['verb']>> = {
  GET: 'get',
  PUT: 'update',
  PATCH: 'apply',
  DELETE: 'delete',
};

const toVerb = (
  method: string,
  isNamed: boolean,
  isWatch: boolean,
): ApiServerRequest['verb'] | undefined => {
  if (isNamed) return NAMED[method];
  if (method === 'POST') return 'create';
  if (method !== 'GET') return undefined;
  return isWatch ? 'watch' : 'list';
};

/** Parses a request; undefined when its path or method is not of the API. */
export const parseApiRequest = ({
  url,
  method,
  headers,
}: IncomingMessage): ApiServerRequest | undefined => {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://api.invalid');
  const parts = PATH.exec(pathname)?.groups as PathParts | undefined;
  if (parts === undefined) return undefined;
  const { group = '', version, namespace = '', resource, name, status } = parts;
  const verb = toVerb(method ?? '', name !== undefined, searchParams.get('watch') === 'true');
  if (verb === undefined) return undefined;
  return {
    verb,
    group,
    version,
    resource,
    namespace: decodeURIComponent(namespace),
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
    isStatus: status !== undefined,
    query: searchParams,
    headers,
  };
};

export interface ApiStatus {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly code: number;
}

interface Failure {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const createFailureStatus = ({ code, reason, message, details }: Failure): ApiStatus => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  ...(details === undefined ? {} : { details }),
  code,
});

const describeObject = (kind: ServedKind, name: string) => ({
  ...(name === '' ? {} : { name }),
  ...(kind.group === '' ? {} : { group: kind.group }),
  kind: kind.resource,
});

/** The statuses of the Kubernetes API, with its texts. */
export const STATUSES = {
  unauthorized: () =>
    createFailureStatus({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),
  forbidden: (
    kind: ServedKind,
    what: {
      readonly user: string;
      readonly verb: string;
      readonly namespace: string;
      readonly name?: string;
    },
  ) =>
    createFailureStatus({
      code: 403,
      reason: 'Forbidden',
      message: `${formatResource(kind)}${what.name === undefined ? '' : ` "${what.name}"`} is forbidden: User "${what.user}" cannot ${what.verb} resource "${kind.resource}" in API group "${kind.group}" in the namespace "${what.namespace}"`,
      details: describeObject(kind, what.name ?? ''),
    }),
  notFound: (kind: ServedKind, name: string) =>
    createFailureStatus({
      code: 404,
      reason: 'NotFound',
      message: `${formatResource(kind)} "${name}" not found`,
      details: describeObject(kind, name),
    }),
  noNamespace: (namespace: string) =>
    createFailureStatus({
      code: 404,
      reason: 'NotFound',
      message: `namespaces "${namespace}" not found`,
      details: { name: namespace, kind: 'namespaces' },
    }),
  alreadyExists: (kind: ServedKind, name: string) =>
    createFailureStatus({
      code: 409,
      reason: 'AlreadyExists',
      message: `${formatResource(kind)} "${name}" already exists`,
      details: describeObject(kind, name),
    }),
  modified: (kind: ServedKind, name: string) =>
    createFailureStatus({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${formatResource(kind)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      details: describeObject(kind, name),
    }),
  otherUid: (
    kind: ServedKind,
    name: string,
    { given, live }: { readonly given: string; readonly live: string | undefined },
  ) =>
    createFailureStatus({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${formatResource({ ...kind, resource: kind.kind })} "${name}": the UID in the precondition (${given}) does not match the UID in record (${live ?? ''}). The object might have been deleted and then recreated`,
      details: { ...describeObject(kind, name), kind: kind.kind },
    }),
  applyConflict: (manager: string, fields: readonly string[]) => {
    const [one, ...more] = fields;
    const about =
      more.length === 0
        ? `1 conflict: conflict with "${manager}": ${one ?? ''}`
        : `${fields.length} conflicts: conflicts with "${manager}":${fields.map((field) => `\n- ${field}`).join('')}`;
    return createFailureStatus({
      code: 409,
      reason: 'Conflict',
      message: `Apply failed with ${about}`,
      details: {
        causes: fields.map((field) => ({
          reason: 'FieldManagerConflict',
          message: `conflict with "${manager}"`,
          field,
        })),
      },
    });
  },
  versionMissing: (kind: ServedKind, name: string) => {
    const field = 'metadata.resourceVersion';
    const message = 'Invalid value: 0: must be specified for an update';
    return createFailureStatus({
      code: 422,
      reason: 'Invalid',
      message: `${formatResource(kind)} "${name}" is invalid: ${field}: ${message}`,
      details: {
        ...describeObject(kind, name),
        causes: [{ reason: 'FieldValueInvalid', message, field }],
      },
    });
  },
  deleted: (kind: ServedKind, name: string, uid: string | undefined) => ({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...describeObject(kind, name), uid },
  }),
  badRequest: (message: string) =>
    createFailureStatus({ code: 400, reason: 'BadRequest', message }),
} as const;

const readValue = (object: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);

const splitPairs = (selector: string): readonly (readonly [string, string])[] =>
  selector.split(',').map((part) => {
    const [key = '', value = ''] = part.split('=');
    return [key, value];
  });

/** Returns true when an object has these labels and these fields (`key=value`, joined by commas). */
export const isSelected = (object: StoredObject, query: URLSearchParams): boolean => {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  return (
    (labels === null ||
      splitPairs(labels).every(([key, value]) => object.metadata.labels?.[key] === value)) &&
    (fields === null ||
      splitPairs(fields).every(([path, value]) => readValue(object, path) === value))
  );
};
