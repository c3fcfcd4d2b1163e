import { resourceText, type ServedKind } from './api-object.ts';

/** The body of a refusal: a `Status`, whose code is also the HTTP status. */
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

/** Returns a failure as a `Status`. */
const failureStatus = ({ code, reason, message, details }: Failure): ApiStatus => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  ...(details === undefined ? {} : { details }),
  code,
});

const about = (kind: ServedKind, name: string) => ({
  ...(name === '' ? {} : { name }),
  ...(kind.group === '' ? {} : { group: kind.group }),
  kind: kind.resource,
});

/** The statuses of the Kubernetes API, with its texts. */
export const STATUSES = {
  unauthorized: () => failureStatus({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),
  forbidden: (
    kind: ServedKind,
    what: {
      readonly user: string;
      readonly verb: string;
      readonly namespace: string;
      readonly name?: string;
    },
  ) =>
    failureStatus({
      code: 403,
      reason: 'Forbidden',
      message: `${resourceText(kind)}${what.name === undefined ? '' : ` "${what.name}"`} is forbidden: User "${what.user}" cannot ${what.verb} resource "${kind.resource}" in API group "${kind.group}" in the namespace "${what.namespace}"`,
      details: about(kind, what.name ?? ''),
    }),
  notFound: (kind: ServedKind, name: string) =>
    failureStatus({
      code: 404,
      reason: 'NotFound',
      message: `${resourceText(kind)} "${name}" not found`,
      details: about(kind, name),
    }),
  noNamespace: (namespace: string) =>
    failureStatus({
      code: 404,
      reason: 'NotFound',
      message: `namespaces "${namespace}" not found`,
      details: { name: namespace, kind: 'namespaces' },
    }),
  alreadyExists: (kind: ServedKind, name: string) =>
    failureStatus({
      code: 409,
      reason: 'AlreadyExists',
      message: `${resourceText(kind)} "${name}" already exists`,
      details: about(kind, name),
    }),
  modified: (kind: ServedKind, name: string) =>
    failureStatus({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${resourceText(kind)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      details: about(kind, name),
    }),
  otherUid: (
    kind: ServedKind,
    name: string,
    { given, live }: { readonly given: string; readonly live: string | undefined },
  ) =>
    failureStatus({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${resourceText({ ...kind, resource: kind.kind })} "${name}": the UID in the precondition (${given}) does not match the UID in record (${live ?? ''}). The object might have been deleted and then recreated`,
      details: { ...about(kind, name), kind: kind.kind },
    }),
  applyConflict: (manager: string, fields: readonly string[]) => {
    const [one, ...more] = fields;
    const about =
      more.length === 0
        ? `1 conflict: conflict with "${manager}": ${one ?? ''}`
        : `${fields.length} conflicts: conflicts with "${manager}":${fields.map((field) => `\n- ${field}`).join('')}`;
    return failureStatus({
      code: 409,
      reason: 'Conflict',
      message: `Apply failed with ${about}`,
      details: {
        causes: fields.map((field) => ({
          ...{ reason: 'FieldManagerConflict', message: `conflict with "${manager}"`, field },
        })),
      },
    });
  },
  versionMissing: (kind: ServedKind, name: string) => {
    const field = 'metadata.resourceVersion';
    const message = 'Invalid value: 0: must be specified for an update';
    return failureStatus({
      code: 422,
      reason: 'Invalid',
      message: `${resourceText(kind)} "${name}" is invalid: ${field}: ${message}`,
      details: {
        ...about(kind, name),
        causes: [{ reason: 'FieldValueInvalid', message, field }],
      },
    });
  },
  deleted: (kind: ServedKind, name: string, uid: string | undefined) => ({
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
    details: { ...about(kind, name), uid },
  }),
  badRequest: (message: string) => failureStatus({ code: 400, reason: 'BadRequest', message }),
} as const;
