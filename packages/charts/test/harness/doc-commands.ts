import { join } from 'node:path';
import { parse } from 'yaml';
import { prepareCharts, CHARTS } from '../../src/assemble-charts.ts';
import { runHelm } from '../../src/helm.ts';
import { chartFiles } from './chart-files.ts';

const REGISTRY = 'oci://registry.gateway.internal/charts/';

/** Options that require a cluster and do not affect the output. */
const CLUSTER_FLAGS = new Set([
  ...['--install', '--create-namespace', '--wait', '--atomic', '--dry-run'],
]);
const CLUSTER_OPTIONS = new Set(['--timeout', '--version']);

/** Output or failure of a command. */
export interface CommandRun {
  readonly ok: boolean;
  readonly output: string;
}

const withoutCluster = (words: readonly string[]): readonly string[] =>
  words.filter(
    (word, at) =>
      !CLUSTER_FLAGS.has(word) &&
      !CLUSTER_OPTIONS.has(word) &&
      !CLUSTER_OPTIONS.has(words[at - 1] ?? ''),
  );

/** A chart that a command names: in the registry, or as the package that this repository makes. */
interface NamedChart {
  readonly chart: string;
  readonly version: string | undefined;
}

const PACKAGE = /^packages\/charts\/dist\/(.+)-(\d+\.\d+\.\d+)\.tgz$/u;

const namedChart = (word: string, version?: string): NamedChart | undefined => {
  if (word.startsWith(REGISTRY)) return { chart: word.slice(REGISTRY.length), version };
  const [, chart, packaged] = PACKAGE.exec(word) ?? [];
  return chart === undefined ? undefined : { chart, version: packaged };
};

const chartOf = (words: readonly string[]): NamedChart | undefined => {
  const at = words.indexOf('--version');
  const version = at === -1 ? undefined : words[at + 1];
  return words.map((word) => namedChart(word, version)).find((named) => named !== undefined);
};

const findVersion = async (chart: string): Promise<string | undefined> => {
  const known = CHARTS.find((name) => name === chart);
  if (known === undefined) return undefined;
  const facts = (await chartFiles(known)).find(({ path }) => path === 'Chart.yaml');
  return (parse(facts?.text ?? '') as { readonly version: string }).version;
};

const misnamed = async (words: readonly string[]): Promise<string | undefined> => {
  const named = chartOf(words);
  if (named === undefined) return `names no chart of ${REGISTRY}`;
  const { chart, version } = named;
  const current = await findVersion(chart);
  if (current === undefined) return `names the chart ${chart}, which there is not`;
  return version === undefined || version === current
    ? undefined
    : `names version ${version} of ${chart}, which is at ${current}`;
};

/**
 * Runs a command of a page in a folder, against the charts of this repository. `install` and `upgrade` are run as `template`.
 */
export const runCommand = async (words: readonly string[], folder: string): Promise<CommandRun> => {
  const problem = await misnamed(words);
  if (problem !== undefined) return { ok: false, output: problem };
  const charts = await prepareCharts();
  const [verb = '', ...args] = withoutCluster(words).map((word) => {
    const named = namedChart(word);
    return named === undefined ? word : join(charts, named.chart);
  });
  const run = verb === 'install' || verb === 'upgrade' ? 'template' : verb;
  const { code, stdout, stderr } = await runHelm([run, ...args], folder);
  return code === 0 ? { ok: true, output: stdout } : { ok: false, output: `${stdout}${stderr}` };
};
