import type { ManifestObject } from '../../src/render.ts';
import { coreObjectProblems } from './core-objects.ts';
import { customObjectProblems } from './custom-objects.ts';
import { repeated, renderedOf, type RenderedChart } from './rules/rendered.ts';
import { rulesOf } from './rules/rules.ts';
import { problemText, type Problem } from './shape-problems.ts';

/** Options of the validation. */
export interface ValidationOptions {
  /** API group of the gateway's own kinds; `gateway.internal` when absent. */
  readonly apiGroup?: string;
}

const UNKNOWN_KIND: Problem = { path: [], message: 'nobody knows this apiVersion and kind' };

const UNNAMED: Problem = { path: ['metadata', 'name'], message: 'is required' };

const shapeOf = (object: ManifestObject, apiGroup?: string): readonly Problem[] => {
  const name = (object.metadata as { readonly name?: unknown } | undefined)?.name;
  if (typeof name !== 'string') return [UNNAMED];
  return coreObjectProblems(object) ?? customObjectProblems(object, apiGroup) ?? [UNKNOWN_KIND];
};

const textOf = ({ kind, metadata }: ManifestObject, problem: Problem): string =>
  `${kind} ${(metadata as { readonly name?: string } | undefined)?.name ?? '?'}: ${problemText(problem)}`;

const identityOf = ({ apiVersion, kind, metadata }: ManifestObject): string =>
  `${kind} ${metadata.name} of ${apiVersion} in ${metadata.namespace ?? 'no namespace'}`;

const ruleTexts = (object: ManifestObject, rendered: RenderedChart): readonly string[] =>
  rulesOf(object.kind)
    .flatMap((rule) => rule(object, rendered))
    .map((problem) => textOf(object, problem));

/**
 * Returns problems of rendered objects that a cluster would refuse or that cannot work; empty without problems.
 * One line each, such as `Deployment demo: spec.replicas: must be a number, is string`.
 *
 * First the shapes: fields and types of every object, by the interfaces of Kubernetes or the schema of its custom kind.
 * Then rules that interfaces cannot express, also between objects: names, ports, mounts, selectors, references. Requires the complete render.
 */
export function kubernetesProblems(
  objects: readonly ManifestObject[],
  { apiGroup }: ValidationOptions = {},
): readonly string[] {
  const validated = objects.map((object) => ({ object, problems: shapeOf(object, apiGroup) }));
  const valid = validated
    .filter(({ problems }) => problems.length === 0)
    .map(({ object }) => object);
  const rendered = renderedOf(valid);
  return [
    ...validated.flatMap(({ object, problems }) =>
      problems.length === 0
        ? ruleTexts(object, rendered)
        : problems.map((problem) => textOf(object, problem)),
    ),
    ...repeated(valid.map(identityOf)).map((identity) => `${identity} is rendered twice`),
  ];
}
