import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHARTS } from '../../src/assemble-charts.ts';
import { pageProblems } from '../harness/doc-problems.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');

const pages = [
  'packages/charts/README.md',
  'docs/sign-in.md',
  'docs/upgrading.md',
  ...(await readdir(join(REPOSITORY, 'docs/charts'))).map((name) => `docs/charts/${name}`),
];

const read = async (page: string): Promise<string> =>
  await readFile(join(REPOSITORY, page), 'utf8');

const findVersion = async (chart: string): Promise<readonly [string, string]> => {
  const { version } = parse(await read(`packages/charts/${chart}/Chart.yaml`)) as {
    version: string;
  };
  return [chart, version];
};

const brokenLinks = (page: string, text: string): readonly string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(REPOSITORY, dirname(page), target)));

describe('the pages of the charts', () => {
  it('contain each installable chart', () => {
    const missing = CHARTS.filter((chart) => chart !== 'library').filter(
      (chart) => !pages.includes(`docs/charts/${chart}.md`),
    );
    expect(missing).toEqual([]);
  });

  it('have every chart that is installed, with its version', async () => {
    const text = await read('docs/charts/README.md');
    const rows = text.matchAll(/^\| \[?`([a-z-]+)`[^|]*\| (\S+) +\|/gmu);
    const versions = [...rows].map(([, chart = '', version]) => [chart, version] as const);
    const installed = CHARTS.filter((chart) => chart !== 'library');
    expect(versions.filter(([chart]) => chart !== 'library').toSorted()).toEqual(
      (await Promise.all(installed.map(findVersion))).toSorted(),
    );
  });

  it.each(pages)('%s has valid commands, files, outputs and links', async (page) => {
    const text = await read(page);
    expect(brokenLinks(page, text)).toEqual([]);
    expect(await pageProblems(text)).toEqual([]);
  });
});
