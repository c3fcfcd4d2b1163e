import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { helm } from './helm.ts';

/** The charts of this package, each after the charts that it depends on. */
export const CHARTS = [
  'library',
  'agent',
  'gateway',
  'agent-manager',
  'model-manager',
  'agent-platform-mcps',
  'mcp-kubernetes',
  'agent-platform',
  'standalone',
] as const;

/** A chart by the name of its folder. */
export type ChartName = (typeof CHARTS)[number];

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/charts');

/** What Helm writes into a chart while it fetches dependencies; never a source. */
const isSource = (path: string): boolean => !/\/charts\/[^/]+\.tgz$|\/Chart\.lock$/u.test(path);

const sourceFiles = async (chart: ChartName): Promise<readonly string[]> => {
  const entries = await readdir(join(ROOT, chart), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isSource)
    .toSorted();
};

const contentHash = async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const chart of CHARTS)
    for (const file of await sourceFiles(chart))
      hash
        .update(`${file.slice(ROOT.length)}\0`)
        .update(await readFile(file))
        .update('\0');
  return hash.digest('hex').slice(0, 16);
};

const assembleInto = async (folder: string): Promise<void> => {
  for (const chart of CHARTS) {
    await cp(join(ROOT, chart), join(folder, chart), { recursive: true, filter: isSource });
    const { code, stderr } = await helm([
      'dependency',
      'update',
      '--skip-refresh',
      join(folder, chart),
    ]);
    if (code !== 0) throw new Error(`helm dependency update ${chart}: ${stderr}`);
  }
};

const exists = async (path: string): Promise<boolean> =>
  await stat(path).then(
    () => true,
    () => false,
  );

const assemble = async (): Promise<string> => {
  const folder = join(CACHE, await contentHash());
  if (await exists(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const temporary = await mkdtemp(join(CACHE, 'assembling-'));
  try {
    await assembleInto(temporary);
    // Another process may have assembled the same charts meanwhile: then that folder stands.
    await rename(temporary, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
};

let assembled: Promise<string> | undefined;

/** The folder that holds every chart with its dependencies in place, as `helm dependency update` puts them. */
export async function assembledCharts(): Promise<string> {
  assembled ??= assemble();
  return await assembled;
}
