import { refused, type Answer } from '@gateway/agent-manager-client';
import type { ObjectName } from '@gateway/agent-releases';
import { apiVersionOf, type ApiKind } from './api-kind.ts';
import { MAX_TOLD_CHARS } from './limits.ts';

/** Why a request has no answer that could be used. */
export type ApiFailure =
  /** The API says no, or something that stands before it. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** In the words of the API. */
      readonly message?: string;
      readonly reason?: string;
      /** What the refusal is about, where the API says so: the resource and the name. */
      readonly resource?: string;
      readonly name?: string;
    }
  /** The connection failed; the code is that of Node. */
  | { readonly kind: 'broken'; readonly code: string }
  | { readonly kind: 'late'; readonly afterMs: number }
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  | { readonly kind: 'too-many'; readonly max: number }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'no-credentials'; readonly code?: string }
  | { readonly kind: 'closed' };

/** What came of a request. */
export type ApiResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiFailure };

type Refused = Extract<ApiFailure, { kind: 'refused' }>;

/** A failure as a result. */
export const failed = (
  failure: ApiFailure,
): { readonly ok: false; readonly failure: ApiFailure } => ({ ok: false, failure });

/** Whether the API refused with this status. */
export const hasStatus = (failure: ApiFailure, status: number): boolean =>
  failure.kind === 'refused' && failure.status === status;

/** Whether exactly this object is absent; the kind or the namespace missing is another matter. */
export const isAbsent = (failure: ApiFailure, kind: ApiKind, { name }: ObjectName): boolean =>
  failure.kind === 'refused' &&
  failure.status === 404 &&
  failure.resource === kind.resource &&
  failure.name === name;

/** What was asked for, to say what could not be done. */
export interface Asked {
  /** Such as `read` or `list`. */
  readonly verb: string;
  readonly kind: ApiKind;
  readonly namespace: string;
  /** Left out: all of the kind. */
  readonly name?: string;
}

const told = (text: string): string =>
  text.length > MAX_TOLD_CHARS ? `${text.slice(0, MAX_TOLD_CHARS)}…` : text;

const objectText = ({ kind, namespace, name }: Asked): string =>
  name === undefined
    ? `${kind.several} in namespace ${namespace}`
    : `${kind.kind} ${namespace}/${name}`;

const refusedText = ({ status, message, name }: Refused, { kind }: Asked): string => {
  if (status === 404 && name === undefined)
    return `it does not serve ${kind.kind} of ${apiVersionOf(kind)}, which comes with ${kind.broughtBy}`;
  return message === undefined
    ? `it answered ${status}`
    : `it answered ${status}: ${told(message)}`;
};

const failureText = (failure: ApiFailure, asked: Asked): string => {
  switch (failure.kind) {
    case 'refused':
      return refusedText(failure, asked);
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

/** A failure as a sentence that names what was asked, without addresses and credentials. */
export const failureSentence = (failure: ApiFailure, asked: Asked): string =>
  `the Kubernetes API could not ${asked.verb} ${objectText(asked)}: ${failureText(failure, asked)}`;

/** A failure as the refusal that callers of agent-manager get. */
export const refusalOf = (
  failure: ApiFailure,
  asked: Asked,
): Extract<Answer<never>, { ok: false }> => {
  if (failure.kind !== 'refused') return refused('backend_error', failureSentence(failure, asked));
  if (failure.status === 401)
    return refused(
      'unauthenticated',
      'the Kubernetes API does not accept the credentials of agent-manager',
    );
  if (failure.status === 403)
    return refused(
      'forbidden',
      told(failure.message ?? `agent-manager may not ${asked.verb} ${objectText(asked)}`),
    );
  return refused('backend_error', failureSentence(failure, asked));
};
