import {
  formatApiFailure,
  formatApiVersion,
  type ApiFailure,
  type ApiKind,
} from '@gateway/kube-client';

/** A request to the API, for sentences about its failure. */
export interface RequestFacts {
  /** Such as `list` or `write`. */
  readonly verb: string;
  readonly kind: ApiKind;
  /** Absent for all namespaces. */
  readonly namespace?: string;
  /** Absent for all objects. */
  readonly name?: string;
}

const toSubject = ({ kind, namespace, name }: RequestFacts): string => {
  if (name !== undefined) return `${kind.kind} ${namespace ?? ''}/${name}`;
  return namespace === undefined
    ? `${kind.resource} in all namespaces`
    : `${kind.resource} in namespace ${namespace}`;
};

/** A path that the API does not serve has a response without a message. */
const isUnknownKind = (failure: ApiFailure): boolean =>
  failure.kind === 'refused' && failure.status === 404 && failure.message === undefined;

/** Returns a sentence about a failed request, without addresses and credentials. */
export const formatFailureSentence = (failure: ApiFailure, request: RequestFacts): string => {
  const { kind, verb } = request;
  const reason = isUnknownKind(failure)
    ? `it does not serve ${kind.kind} of ${formatApiVersion(kind)}; install the CustomResourceDefinitions, which \`gateway crds\` prints`
    : formatApiFailure(failure);
  return `the Kubernetes API could not ${verb} ${toSubject(request)}: ${reason}`;
};
