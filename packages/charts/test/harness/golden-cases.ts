import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHARTS, type ChartName } from '../../src/assemble-charts.ts';

/** A pair of values and expected output. */
export interface GoldenCase {
  readonly chart: ChartName;
  readonly name: string;
  readonly valuesFile: string;
  readonly goldenFile: string;
  /** Further arguments of Helm, from a first line `# helm: --api-versions a/v1`. */
  readonly args: readonly string[];
}

/** The cases of a folder, and files without a pair. */
export interface GoldenCases {
  readonly cases: readonly GoldenCase[];
  readonly problems: readonly string[];
}

const VALUES = '.values.yaml';
const GOLDEN = '.yaml';

const isChart = (name: string): name is ChartName => (CHARTS as readonly string[]).includes(name);

const argsOf = (text: string): readonly string[] => {
  const line = /^# helm: (.*)$/mu.exec(text.split('\n', 1)[0] ?? '')?.[1];
  return line === undefined ? [] : line.trim().split(/ +/u);
};

const caseNames = (files: readonly string[], suffix: string): ReadonlySet<string> =>
  new Set(
    files
      .filter((file) => file.endsWith(suffix))
      .filter((file) => suffix === VALUES || !file.endsWith(VALUES))
      .map((file) => file.slice(0, -suffix.length)),
  );

const casesOf = async (folder: string, chart: ChartName): Promise<GoldenCases> => {
  const files = await readdir(join(folder, chart));
  const values = caseNames(files, VALUES);
  const golden = caseNames(files, GOLDEN);
  const cases = [...values].toSorted().map(async (name): Promise<GoldenCase> => {
    const valuesFile = join(folder, chart, name + VALUES);
    return {
      chart,
      name,
      valuesFile,
      goldenFile: join(folder, chart, name + GOLDEN),
      args: argsOf(await readFile(valuesFile, 'utf8')),
    };
  });
  const unexpected = files.filter((file) => !file.endsWith(GOLDEN));
  const alone = [...golden].filter((name) => !values.has(name)).map((name) => name + GOLDEN);
  return {
    cases: await Promise.all(cases),
    problems: [...unexpected, ...alone].map((file) => `${chart}/${file} has no values file`),
  };
};

/**
 * The golden pairs of a folder: `<chart>/<case>.values.yaml` and `<chart>/<case>.yaml`. A golden without values,
 * a folder of no chart and any other file is a problem.
 */
export async function goldenCases(folder: string): Promise<GoldenCases> {
  const names = await readdir(folder);
  const charts = names.filter(isChart).toSorted();
  const found = await Promise.all(charts.map((chart) => casesOf(folder, chart)));
  const unexpected = names.filter((name) => !isChart(name));
  return {
    cases: found.flatMap(({ cases }) => cases),
    problems: [
      ...unexpected.map((name) => `${name} is the folder of no chart`),
      ...found.flatMap(({ problems }) => problems),
    ],
  };
}
