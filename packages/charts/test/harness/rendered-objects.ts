import type { ChartName } from '../../src/assemble-charts.ts';
import { render, type ManifestObject, type ChartOptions } from '../../src/render.ts';
import { kubernetesProblems, type ValidationOptions } from './valid-objects.ts';

/**
 * The objects that a chart renders.
 *
 * @throws with its refusal
 */
export async function renderedObjects(
  chart: ChartName | `/${string}`,
  values?: unknown,
  options?: ChartOptions,
): Promise<readonly ManifestObject[]> {
  const rendered = await render(chart, values, options);
  if (!rendered.ok) throw new Error(`${chart}: ${rendered.error}`);
  return rendered.objects;
}

/**
 * The objects that a chart renders, when a cluster would take them.
 *
 * @throws with its refusal, or with what a cluster would not take
 */
export async function validObjects(
  chart: ChartName,
  values: unknown,
  judgedBy?: ValidationOptions,
): Promise<readonly ManifestObject[]> {
  const objects = await renderedObjects(chart, values);
  const problems = kubernetesProblems(objects, judgedBy);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return objects;
}

/** The one object of a kind; throws when there is none. */
export function objectOf(objects: readonly ManifestObject[], kind: string): ManifestObject {
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
}

/** The tested parts of the Deployment. */
export interface Deployment {
  readonly replicas?: number;
  readonly strategy: unknown;
  readonly template: {
    readonly metadata: {
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };
    readonly spec: {
      readonly containers: readonly (Readonly<Record<string, unknown>> & {
        readonly args: readonly string[];
      })[];
      readonly volumes: readonly Volume[];
      readonly [key: string]: unknown;
    };
  };
}

interface Volume {
  readonly name: string;
  readonly projected?: { readonly sources: readonly Source[] };
  readonly [key: string]: unknown;
}

interface Source {
  readonly configMap?: Files;
  readonly secret?: Files;
}

interface Files {
  readonly name: string;
  readonly items: readonly { readonly key: string; readonly path: string }[];
}

/** The spec of the Deployment. */
export const deploymentOf = (objects: readonly ManifestObject[]): Deployment =>
  objectOf(objects, 'Deployment')['spec'] as Deployment;
