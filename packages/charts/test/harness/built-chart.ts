import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCharts, type ChartName } from '../../src/assemble-charts.ts';
import type { ManifestObject } from '../../src/render.ts';
import { renderedObjects } from './rendered-objects.ts';

/**
 * Renders a chart that is packaged with another version, as builds do.
 *
 * @param version of the chart and of its app
 */
export async function objectsOfBuild(
  chart: ChartName,
  version: string,
): Promise<readonly ManifestObject[]> {
  const folder = (await mkdtemp(join(tmpdir(), 'built-chart-'))) as `/${string}`;
  try {
    await cp(join(await prepareCharts(), chart), folder, { recursive: true });
    const file = join(folder, 'Chart.yaml');
    const facts = await readFile(file, 'utf8');
    await writeFile(file, facts.replaceAll(/^(version|appVersion): .*$/gmu, `$1: ${version}`));
    return await renderedObjects(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
