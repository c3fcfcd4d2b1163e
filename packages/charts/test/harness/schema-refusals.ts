import type { ChartName } from '../../src/assemble-charts.ts';
import { render } from '../../src/render.ts';

/**
 * Returns the refusals of the schema of a chart, one line each, in alphabetical order.
 *
 * @param args further arguments of Helm, such as `--set replicas=null`
 */
export async function schemaRefusals(
  chart: ChartName,
  values: unknown,
  args: readonly string[] = [],
): Promise<readonly string[]> {
  const result = await render(chart, values, { args });
  if (result.ok) return [];
  return result.error
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice('- '.length))
    .toSorted();
}
