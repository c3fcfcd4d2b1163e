import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { runHelm } from './helm.ts';

/** Charts to assemble, and the cache folder. */
export interface Assembly {
  /** Folder of the charts. */
  readonly root: string;
  /** Folders of the charts, in order of their dependencies. */
  readonly charts: readonly string[];
  readonly cache: string;
}

/** Age after which an unused assembly is removed. */
const UNUSED_AFTER_MS = 60 * 60 * 1000;
const UNFINISHED = 'assembling-';

/** Files that Helm writes while it fetches dependencies; not sources. */
const isSource = (path: string): boolean => !/\/charts\/[^/]+\.tgz$|\/Chart\.lock$/u.test(path);

const listSourceFiles = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isSource)
    .toSorted();
};

const computeContentHash = async ({ root, charts }: Assembly): Promise<string> => {
  const hash = createHash('sha256');
  for (const chart of charts)
    for (const file of await listSourceFiles(join(root, chart)))
      hash
        .update(`${file.slice(root.length)}\0`)
        .update(await readFile(file))
        .update('\0');
  return hash.digest('hex').slice(0, 16);
};

const hasDependencies = async (chart: string): Promise<boolean> =>
  /^dependencies:/mu.test(await readFile(join(chart, 'Chart.yaml'), 'utf8'));

const assembleInto = async (folder: string, { root, charts }: Assembly): Promise<void> => {
  for (const chart of charts) {
    const path = join(folder, chart);
    await cp(join(root, chart), path, { recursive: true, filter: isSource });
    if (!(await hasDependencies(path))) continue;
    const { code, stderr } = await runHelm(['dependency', 'update', '--skip-refresh', path]);
    if (code !== 0) throw new Error(`helm dependency update ${chart}: ${stderr.trim()}`);
  }
};

const isPresent = async (path: string): Promise<boolean> =>
  await stat(path).then(
    () => true,
    () => false,
  );

const isUnused = async (path: string): Promise<boolean> => {
  // Another process can clean at the same time.
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < Date.now() - UNUSED_AFTER_MS;
};

const removeUnused = async (cache: string): Promise<void> => {
  for (const name of await readdir(cache))
    if (await isUnused(join(cache, name)))
      await rm(join(cache, name), { recursive: true, force: true });
};

const assembleAs = async (folder: string, assembly: Assembly): Promise<void> => {
  await mkdir(assembly.cache, { recursive: true });
  await removeUnused(assembly.cache);
  const temporary = await mkdtemp(join(assembly.cache, UNFINISHED));
  try {
    await assembleInto(temporary, assembly);
    // Another process can have assembled the same charts; its folder is used.
    await rename(temporary, folder).catch(async (error: unknown) => {
      if (!(await isPresent(folder))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

/**
 * Copies charts into a cache folder that is named after their content, and adds their dependencies with `helm dependency update`. Safe for concurrent processes. Removes assemblies that were unused for an hour.
 *
 * @returns the folder, which holds each chart under its name
 * @throws when Helm refuses a dependency; the message names the chart
 */
export async function assembleCharts(assembly: Assembly): Promise<string> {
  const folder = join(assembly.cache, await computeContentHash(assembly));
  if (!(await isPresent(folder))) await assembleAs(folder, assembly);
  const now = new Date();
  await utimes(folder, now, now);
  return folder;
}

/** The charts of this package, in order of their dependencies. */
export const CHARTS = [
  'library',
  'agent',
  'gateway',
  'agent-manager',
  'portal',
  'model-manager',
  'agent-platform-mcps',
  'mcp-kubernetes',
  'agent-platform',
  'standalone',
] as const;

/** A chart by the name of its folder. */
export type ChartName = (typeof CHARTS)[number];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/charts');

let assembled: Promise<string> | undefined;

/** Returns the folder with every chart and its dependencies, as `helm dependency update` creates it. */
export async function prepareCharts(): Promise<string> {
  assembled ??= assembleCharts({ root: ROOT, charts: CHARTS, cache: CACHE });
  return await assembled;
}

export interface PackagedChart {
  readonly chart: ChartName;
  readonly file: string;
}

/** Installable charts; their packages contain the library. */
const INSTALLED = CHARTS.filter((chart) => chart !== 'library');

const packageChart = async (chart: ChartName, target: string): Promise<PackagedChart> => {
  const path = join(await prepareCharts(), chart);
  const { version } = parse(await readFile(join(path, 'Chart.yaml'), 'utf8')) as {
    readonly version: string;
  };
  const { code, stderr } = await runHelm(['package', path, '--destination', target]);
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
