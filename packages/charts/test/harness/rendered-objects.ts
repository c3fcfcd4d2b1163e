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
