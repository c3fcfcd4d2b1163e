import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ManifestObject } from '../../../src/render.ts';
import type { Problem } from '../shape-problems.ts';

/** A rendered object that runs pods, with the template of its pods. */
export interface Workload {
  readonly object: ManifestObject;
  readonly template: PodTemplateSpec;
  readonly labels: Readonly<Record<string, string>>;
}

/** All objects of a render, for rules. */
export interface RenderedChart {
  readonly workloads: readonly Workload[];
  /** The object of a kind with a name, in the namespace of another one. */
  find(kind: string, name: string, beside: ManifestObject): ManifestObject | undefined;
  ofKind(kind: string): readonly ManifestObject[];
}

/** Returns the problems of an object with a valid shape. */
export type Rule = (object: ManifestObject, rendered: RenderedChart) => readonly Problem[];

/** Casts a validated object to the interface of its kind. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names the interface that was checked
export const as = <T>(object: ManifestObject): T => object as unknown as T;

const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job']);

const workloadOf = (object: ManifestObject): Workload => {
  const { template } = as<{ readonly spec: { readonly template: PodTemplateSpec } }>(object).spec;
  return { object, template, labels: template.metadata?.labels ?? {} };
};

/** Returns whether two objects have the same namespace. */
export const isInSameNamespace = (object: ManifestObject, other: ManifestObject): boolean =>
  object.metadata.namespace === other.metadata.namespace;

/** The objects of a render, for rules. */
export const renderedOf = (objects: readonly ManifestObject[]): RenderedChart => ({
  workloads: objects.filter(({ kind }) => WORKLOADS.has(kind)).map(workloadOf),
  find: (kind, name, beside) =>
    objects.find(
      (object) =>
        object.kind === kind && object.metadata.name === name && isInSameNamespace(object, beside),
    ),
  ofKind: (kind) => objects.filter((object) => object.kind === kind),
});

/** One problem when a condition does not hold. */
export const checkCondition = (
  holds: boolean,
  path: Problem['path'],
  message: string,
): readonly Problem[] => (holds ? [] : [{ path, message }]);

/** The values that stand in a list more than once. */
export const repeated = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at)),
];

/** Returns whether labels match a selector. */
export const isSelected = (
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([key, value]) => labels[key] === value);
