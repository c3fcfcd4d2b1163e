import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareCharts, packageCharts, type PackagedChart } from '../../src/assemble-charts.ts';
import { render } from '../../src/render.ts';

const run = promisify(execFile);

let folder: string;
let packaged: readonly PackagedChart[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packaged-'));
  packaged = await packageCharts(join(folder, 'dist'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Returns the files of a package without its dependencies. */
const ownFiles = async (file: string): Promise<readonly string[]> => {
  const { stdout } = await run('tar', ['--list', '--gzip', '--file', file]);
  return stdout
    .split('\n')
    .map((path) => path.replace(/^[^/]+\//u, ''))
    .filter((path) => path !== '' && !path.startsWith('charts/') && path !== 'Chart.lock')
    .toSorted();
};

/** The files of a chart's folder, but for its dependencies. */
const filesOf = async (path: string): Promise<readonly string[]> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .filter((file) => !file.startsWith('charts/') && file !== 'Chart.lock');
};

describe('packaged charts', () => {
  it('have the names of chart and version', () =>
    expect(packaged.map(({ file }) => basename(file))).toEqual([
      ...['agent-0.6.0.tgz', 'gateway-5.13.0.tgz', 'agent-manager-0.4.0.tgz', 'portal-0.239.0.tgz'],
      ...['model-manager-0.18.0.tgz', 'agent-platform-mcps-0.9.0.tgz', 'mcp-kubernetes-0.1.0.tgz'],
      ...['agent-platform-3.11.0.tgz', 'standalone-0.38.0.tgz'],
    ]));

  it('contain the files of the chart, and no tests, sources or other files', async () => {
    for (const { chart, file } of packaged) {
      const files = await ownFiles(file);
      const written = await filesOf(join(await prepareCharts(), chart));
      expect([chart, files]).toEqual([
        chart,
        written.filter((path) => path !== '.helmignore').toSorted(),
      ]);
      expect(
        files.filter(
          (path) =>
            !/^(Chart|values)\.yaml$|^values\.schema\.json$|^README\.md$|^(templates|crds|files)\//u.test(
              path,
            ),
        ),
      ).toEqual([]);
    }
  });

  // With no dependency, with one, and with all.
  it.each(['agent', 'gateway', 'standalone'])('render as their folders do: %s', async (name) => {
    const found = packaged.find(({ chart }) => chart === name);
    if (found === undefined) throw new Error(`${name} is not packaged`);
    expect(await render(`/${found.file.slice(1)}`)).toEqual(await render(found.chart));
  });
});
