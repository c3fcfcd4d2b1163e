import { fieldsOf, type ApiConnection, type ApiFailure } from '@gateway/kube-client';
import type { Access, ClusterFinding } from './cluster-finding.ts';

/** The number of reviews at a time. */
const AT_ONCE = 8;

/** The names of users that the API gives are shown up to this length. */
const MAX_ACCOUNT_CHARS = 300;

const reviewOf = ({ group, resource: path, namespace, name }: Access, verb: string): object => {
  const [resource, subresource] = path.split('/');
  const attributes = { group, resource, subresource, verb, namespace, name };
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    // Absent values are no part of the JSON.
    spec: { resourceAttributes: attributes },
  };
};

type Review = { readonly allowed: boolean } | { readonly failure: ApiFailure };

const review = async (connection: ApiConnection, access: Access, verb: string): Promise<Review> => {
  const answer = await connection.send({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: reviewOf(access, verb),
  });
  if (!answer.ok) return { failure: answer.failure };
  return { allowed: fieldsOf(answer.value['status'])['allowed'] === true };
};

/** Returns the name of the user that the API sees, or a description where the API does not say it. */
const readAccount = async (connection: ApiConnection): Promise<string> => {
  const answer = await connection.send({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  const status = answer.ok ? fieldsOf(answer.value['status']) : {};
  const name = fieldsOf(status['userInfo'])['username'];
  return typeof name === 'string'
    ? name.slice(0, MAX_ACCOUNT_CHARS)
    : 'the account of this program';
};

/** Asks the API whether its caller has each of the permissions. Returns one finding for each resource and place where verbs are missing. */
export const checkAccess = async (
  connection: ApiConnection,
  required: readonly Access[],
): Promise<readonly ClusterFinding[]> => {
  const asked = required.flatMap((access) => access.verbs.map((verb) => ({ access, verb })));
  const missing = new Map<Access, string[]>();
  for (let start = 0; start < asked.length; start += AT_ONCE) {
    const batch = asked.slice(start, start + AT_ONCE);
    const reviews = await Promise.all(
      batch.map(({ access, verb }) => review(connection, access, verb)),
    );
    for (const [index, { access, verb }] of batch.entries()) {
      const answer = reviews[index];
      if (answer === undefined) continue;
      if ('failure' in answer) return [{ code: 'access-unchecked', failure: answer.failure }];
      if (!answer.allowed) missing.set(access, [...(missing.get(access) ?? []), verb]);
    }
  }
  if (missing.size === 0) return [];
  const account = await readAccount(connection);
  return [...missing].map(([access, verbs]) => ({
    ...{ code: 'access-missing', account, access: { ...access, verbs } },
  }));
};
