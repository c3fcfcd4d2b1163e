import type { Operation } from '../operations/operation.ts';
import { HTTP_REFUSALS } from '../refusals/http-refusals.ts';
import { REFUSALS } from '../refusals/refusals.ts';
import { REFUSAL_STATUS, refusal, type Refusal, type RefusalCode } from '../refusals/refusal.ts';
import type { JsonSchema } from '../operations/operation-schemas.ts';
import { ERROR_REFERENCE } from './component-schemas.ts';

/** One way of being refused, as the document and the page show it. */
export interface RefusalKind {
  /** In `components.responses`. */
  readonly name: string;
  readonly status: number;
  readonly description: string;
  readonly example: Refusal;
}

/** The meaning of each code, with an example. */
const REFUSAL_KINDS: Readonly<Record<RefusalCode, RefusalKind>> = {
  invalid_request: {
    name: 'InvalidRequest',
    status: REFUSAL_STATUS.invalid_request,
    description: 'An argument is invalid; the message names it and the reason.',
    example: refusal('invalid_request', 'name is required'),
  },
  unauthenticated: {
    name: 'Unauthenticated',
    status: REFUSAL_STATUS.unauthenticated,
    description:
      'The request has no valid token, or the Kubernetes API does not accept it. Without a valid token, `WWW-Authenticate` has the URL of the metadata.',
    example: refusal('unauthenticated', 'the Kubernetes API does not know the caller'),
  },
  forbidden: {
    name: 'Forbidden',
    status: REFUSAL_STATUS.forbidden,
    description:
      'Kubernetes does not permit the operation, or the request is for another host or from a page of another origin.',
    example: HTTP_REFUSALS.foreignHost('elsewhere.example').refusal,
  },
  not_found: {
    name: 'NotFound',
    status: REFUSAL_STATUS.not_found,
    description: 'The object does not exist.',
    example: REFUSALS.noAgentToRead({ namespace: 'default', name: 'sre' }),
  },
  conflict: {
    name: 'Conflict',
    status: REFUSAL_STATUS.conflict,
    description: 'The object already exists, has another owner, or has changed since it was read.',
    example: REFUSALS.releaseExists({ namespace: 'default', name: 'sre' }),
  },
  unsupported: {
    name: 'Unsupported',
    status: REFUSAL_STATUS.unsupported,
    description:
      'This agent-manager is not configured for the operation; `get_info` returns its capabilities.',
    example: REFUSALS.noSkillRepositories(),
  },
  backend_error: {
    name: 'BackendError',
    status: REFUSAL_STATUS.backend_error,
    description: 'A backend of agent-manager failed: the directory, the cluster or a Git host.',
    example: refusal('backend_error', 'the store did not answer within 10 s'),
  },
};

const TOO_LARGE = HTTP_REFUSALS.bodyTooLarge();
const NOT_JSON = HTTP_REFUSALS.notJson();

/** Additional refusals of requests with a body. */
const BODY_KINDS: readonly RefusalKind[] = [
  {
    name: 'BodyTooLarge',
    status: TOO_LARGE.status,
    description: 'The body is too long.',
    example: TOO_LARGE.refusal,
  },
  {
    name: 'NotJson',
    status: NOT_JSON.status,
    description: 'The body is not declared as JSON.',
    example: NOT_JSON.refusal,
  },
];

const byStatus = (kinds: readonly RefusalKind[]): readonly RefusalKind[] =>
  kinds.toSorted((a, b) => a.status - b.status);

/** Returns the refusals of an operation by status: those of the table and those of every request. */
export const refusalsOf = ({ method, refusals }: Operation): readonly RefusalKind[] => {
  const codes = new Set<RefusalCode>([...refusals, 'forbidden']);
  const hasBody = method === 'POST' || method === 'PATCH';
  return byStatus([
    ...[...codes].map((code) => REFUSAL_KINDS[code]),
    ...(hasBody ? BODY_KINDS : []),
  ]);
};

/** All of them, by status. */
export const ALL_REFUSAL_KINDS: readonly RefusalKind[] = byStatus([
  ...Object.values(REFUSAL_KINDS),
  ...BODY_KINDS,
]);

/** The responses that operations refer to. */
export const refusalResponses = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    ALL_REFUSAL_KINDS.map(({ name, description, example }) => [
      name,
      {
        description,
        content: { 'application/json': { schema: ERROR_REFERENCE, example: { error: example } } },
      },
    ]),
  );
