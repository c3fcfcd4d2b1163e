import type { ManifestObject } from '../../src/render.ts';
import { declarationOf } from './interface-fields.ts';
import { shapeProblems, type Problem } from './shape-problems.ts';

/** The API versions that every cluster has, and where `kubernetes-types` keeps their interfaces. */
const MODULES = new Map([
  ['v1', 'core/v1'],
  ['apps/v1', 'apps/v1'],
  ['autoscaling/v2', 'autoscaling/v2'],
  ['batch/v1', 'batch/v1'],
  ['policy/v1', 'policy/v1'],
  ['networking.k8s.io/v1', 'networking/v1'],
  ['rbac.authorization.k8s.io/v1', 'rbac/v1'],
  ['apiextensions.k8s.io/v1', 'apiextensions/v1'],
]);

/**
 * Returns the problems of a Kubernetes object: unknown fields, missing fields, wrong types. Undefined when `kubernetes-types` does not have the kind in this version.
 */
export function coreObjectProblems(object: ManifestObject): readonly Problem[] | undefined {
  const module = MODULES.get(object.apiVersion);
  if (module === undefined) return undefined;
  const declaration = declarationOf(module, object.kind);
  if (declaration?.type !== 'fields') return undefined;
  const version = declaration.fields.get('apiVersion')?.shape;
  if (version?.type !== 'literal' || version.value !== object.apiVersion) return undefined;
  return shapeProblems(object, { type: 'named', module, name: object.kind });
}
