import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { assembledCharts, CHARTS, type ChartName } from './assembled-charts.ts';
import { helm } from './helm.ts';

/** A packaged chart. */
export interface PackagedChart {
  readonly chart: ChartName;
  readonly file: string;
}

/** Installable charts; their packages contain the library. */
const INSTALLED = CHARTS.filter((chart) => chart !== 'library');

const packageChart = async (chart: ChartName, target: string): Promise<PackagedChart> => {
  const path = join(await assembledCharts(), chart);
  const { version } = parse(await readFile(join(path, 'Chart.yaml'), 'utf8')) as {
    readonly version: string;
  };
  const { code, stderr } = await helm(['package', path, '--destination', target]);
  if (code !== 0) throw new Error(`helm package ${chart}: ${stderr.trim()}`);
  return { chart, file: join(target, `${chart}-${version}.tgz`) };
};

/** Packages every installable chart with its dependencies into an empty folder. */
export async function packageCharts(target: string): Promise<readonly PackagedChart[]> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const packaged: PackagedChart[] = [];
  for (const chart of INSTALLED) packaged.push(await packageChart(chart, target));
  return packaged;
}
