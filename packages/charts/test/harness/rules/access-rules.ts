import type { Role, RoleBinding } from 'kubernetes-types/rbac/v1.js';
import { as, checkCondition, type Rule } from './rendered.ts';

/** Roles that every cluster has. */
const BUILT_IN = /^(admin|cluster-admin|edit|view|system:.+)$/u;

/** Each rule of a role has verbs and resources. */
export const roleRule: Rule = (object) =>
  (as<Role>(object).rules ?? []).flatMap((rule, at) => {
    const { verbs, apiGroups = [], resources = [], nonResourceURLs = [] } = rule;
    const isOfResources = apiGroups.length > 0 && resources.length > 0;
    return [
      ...checkCondition(verbs.length > 0, ['rules', at, 'verbs'], 'must not be empty'),
      ...checkCondition(
        isOfResources !== nonResourceURLs.length > 0,
        ['rules', at],
        'must have apiGroups and resources, or nonResourceURLs',
      ),
    ];
  });

/** A binding refers to an existing role and existing accounts. */
export const bindingRule: Rule = (object, rendered) => {
  const { roleRef, subjects = [] } = as<RoleBinding>(object);
  const role = rendered
    .ofKind(roleRef.kind)
    .find(
      ({ kind, metadata }) =>
        metadata.name === roleRef.name &&
        (kind === 'ClusterRole' || metadata.namespace === object.metadata.namespace),
    );
  const isBuiltIn = roleRef.kind === 'ClusterRole' && BUILT_IN.test(roleRef.name);
  const accounts = subjects.filter(({ kind }) => kind === 'ServiceAccount');
  const known = rendered.ofKind('ServiceAccount').map(({ metadata }) => metadata);
  return [
    ...checkCondition(
      role !== undefined || isBuiltIn,
      ['roleRef'],
      `there is no ${roleRef.kind} ${roleRef.name}`,
    ),
    ...checkCondition(subjects.length > 0, ['subjects'], 'must not be empty'),
    ...accounts.flatMap(({ name, namespace }) => [
      ...checkCondition(namespace !== undefined, ['subjects'], `${name} must have a namespace`),
      ...checkCondition(
        known.some((account) => account.name === name && account.namespace === namespace),
        ['subjects'],
        `there is no ServiceAccount ${name} in ${String(namespace)}`,
      ),
    ]),
  ];
};
