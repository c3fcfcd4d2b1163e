import type { KubernetesObject } from '../../src/helm/render.ts';
import { coreObjectProblems } from './core-objects.ts';
import { customObjectProblems } from './custom-objects.ts';
import { problemText, type Problem } from './shape-problems.ts';

const UNKNOWN_KIND: Problem = { path: [], message: 'nobody knows this apiVersion and kind' };

const objectProblems = (object: KubernetesObject, apiGroup?: string): readonly Problem[] =>
  coreObjectProblems(object) ?? customObjectProblems(object, apiGroup) ?? [UNKNOWN_KIND];

/** How the objects are judged. */
export interface JudgedBy {
  /** API group of the gateway's own kinds; `gateway.internal` when absent. */
  readonly apiGroup?: string;
}

/**
 * What a cluster would refuse about rendered objects, or accept and never get to work; empty when all is well. One line
 * each, such as `Deployment demo: spec.replicas: must be a number, is string`.
 */
export function kubernetesProblems(
  objects: readonly KubernetesObject[],
  { apiGroup }: JudgedBy = {},
): readonly string[] {
  return objects.flatMap((object) =>
    objectProblems(object, apiGroup).map(
      (problem) => `${object.kind} ${object.metadata.name}: ${problemText(problem)}`,
    ),
  );
}
