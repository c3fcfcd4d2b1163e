import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChartName } from '../../src/assemble-charts.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A text file of a chart; `path` is relative to the chart. */
export interface ChartFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the source files of a chart by path, without fetched dependencies. */
export const chartFiles = async (chart: ChartName): Promise<readonly ChartFile[]> => {
  const entries = await readdir(join(ROOT, chart), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !/\.tgz$|^Chart\.lock$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return await Promise.all(
    paths.map(async (path) => ({
      path: path.slice(join(ROOT, chart).length + 1),
      text: await readFile(path, 'utf8'),
    })),
  );
};

/** The templates of a chart as one text. */
export const templatesOf = async (chart: ChartName): Promise<string> =>
  (await chartFiles(chart))
    .filter(({ path }) => path.startsWith('templates/'))
    .map(({ text }) => text)
    .join('\n');
