import { refused, type Answer } from '@gateway/agent-manager-client';
import { apiVersionOf, type ApiFailure } from '@gateway/kube-client';
import type { AgentApiKind } from './api-kinds.ts';
import { MAX_MESSAGE_CHARS } from './limits.ts';

type RefusedByApi = Extract<ApiFailure, { kind: 'refused' }>;

/** A request, for messages about its failure. */
export interface RequestFacts {
  /** Such as `read` or `list`. */
  readonly verb: string;
  readonly kind: AgentApiKind;
  readonly namespace: string;
  /** Absent for a request about all objects of the kind. */
  readonly name?: string;
}

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;

const objectText = ({ kind, namespace, name }: RequestFacts): string =>
  name === undefined
    ? `${kind.plural} in namespace ${namespace}`
    : `${kind.kind} ${namespace}/${name}`;

const refusedText = ({ status, message, name }: RefusedByApi, { kind }: RequestFacts): string => {
  if (status === 404 && name === undefined)
    return `it does not serve ${kind.kind} of ${apiVersionOf(kind)}, which comes with ${kind.installedBy}`;
  return message === undefined
    ? `it answered ${status}`
    : `it answered ${status}: ${shortened(message)}`;
};

const failureText = (failure: ApiFailure, request: RequestFacts): string => {
  switch (failure.kind) {
    case 'refused':
      return refusedText(failure, request);
    case 'broken':
      return `the connection failed (${failure.code})`;
    case 'late':
      return `it did not answer within ${failure.afterMs} ms`;
    case 'too-large':
      return `its answer is larger than ${failure.maxBytes} bytes`;
    case 'too-many':
      return `there are more than ${failure.max}`;
    case 'unreadable':
      return 'its answer is not what was asked for';
    case 'no-credentials':
      return `there are no credentials for it${failure.code === undefined ? '' : ` (${failure.code})`}`;
    case 'closed':
      return 'the store is closed';
  }
};

/** Returns a sentence about a failure that names the request, without addresses and credentials. */
export const failureSentence = (failure: ApiFailure, request: RequestFacts): string =>
  `the Kubernetes API could not ${request.verb} ${objectText(request)}: ${failureText(failure, request)}`;

/** Who the requests act as: agent-manager with its own credentials, or the caller. */
export type Actor = 'agent-manager' | 'caller';

/** The refusals that callers of agent-manager get. */
export type RefuseRequest = (
  failure: ApiFailure,
  request: RequestFacts,
) => Extract<Answer<never>, { ok: false }>;

const NOT_ACCEPTED: Readonly<Record<Actor, string>> = {
  'agent-manager': 'the Kubernetes API does not accept the credentials of agent-manager',
  caller: 'the Kubernetes API does not accept your identity token',
};

const FORBIDDEN: Readonly<Record<Actor, string>> = {
  'agent-manager': 'agent-manager may not',
  caller: 'you may not',
};

/** Returns the function that turns a failure into a refusal. */
export const refusalsFor =
  (actor: Actor): RefuseRequest =>
  (failure, request) => {
    if (failure.kind !== 'refused')
      return refused('backend_error', failureSentence(failure, request));
    if (failure.status === 401) return refused('unauthenticated', NOT_ACCEPTED[actor]);
    if (failure.status !== 403) return refused('backend_error', failureSentence(failure, request));
    const sentence = `${FORBIDDEN[actor]} ${request.verb} ${objectText(request)}`;
    return refused('forbidden', shortened(failure.message ?? sentence));
  };
