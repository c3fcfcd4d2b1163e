import { repeated, checkCondition, type Rule } from './rendered.ts';
import type { Problem } from '../shape-problems.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u;
const SERVICE = /^[a-z]([-a-z0-9]*[a-z0-9])?$/u;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const QUALIFIED = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/u;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/u;
const ROLES: ReadonlySet<string> = new Set([
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
]);

/** Kinds without a namespace. */
const CLUSTER_WIDE: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'Namespace',
]);

const isName = (kind: string, name: string): boolean => {
  if (ROLES.has(kind)) return name !== '' && !/[/%]/u.test(name);
  if (kind === 'Service') return name.length <= 63 && SERVICE.test(name);
  return name.length <= 253 && SUBDOMAIN.test(name);
};

/** Returns whether a text is a valid key of a label or annotation. */
const isQualifiedName = (key: string): boolean => {
  const [name = '', ...prefix] = key.split('/').reverse();
  return (
    QUALIFIED.test(name) &&
    prefix.length <= 1 &&
    prefix.every((domain) => domain.length <= 253 && SUBDOMAIN.test(domain))
  );
};

/** Returns the problems of labels. */
export const labelProblems = (
  labels: Readonly<Record<string, string>> | undefined,
  path: Problem['path'],
): readonly Problem[] =>
  Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...checkCondition(isQualifiedName(key), [...path, key], 'is no key of a label'),
    ...checkCondition(LABEL_VALUE.test(value), [...path, key], `is no value of a label: ${value}`),
  ]);

/** Names, labels and annotations are valid for the API server. */
export const metadataRule: Rule = ({ kind, metadata }) => {
  const { name, namespace, labels, annotations = {} } = metadata;
  return [
    ...checkCondition(isName(kind, name), ['metadata', 'name'], `is no name of a ${kind}`),
    ...checkCondition(
      namespace === undefined || (namespace.length <= 63 && LABEL.test(namespace)),
      ['metadata', 'namespace'],
      'is no name of a namespace',
    ),
    ...checkCondition(
      namespace === undefined || !CLUSTER_WIDE.has(kind),
      ['metadata', 'namespace'],
      `is set, but a ${kind} stands in none`,
    ),
    ...labelProblems(labels, ['metadata', 'labels']),
    ...Object.keys(annotations)
      .filter((key) => !isQualifiedName(key))
      .map((key) => ({
        path: ['metadata', 'annotations', key],
        message: 'is no key of an annotation',
      })),
  ];
};

/** Returns duplicate texts of `keys` as problems. */
export const repeatedProblems = (
  keys: readonly string[],
  path: Problem['path'],
): readonly Problem[] => repeated(keys).map((key) => ({ path, message: `names ${key} twice` }));
