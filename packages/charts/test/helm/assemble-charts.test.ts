import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleCharts } from '../../src/assemble-charts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assemble-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const chart = async (root: string, name: string, needs: readonly string[] = []): Promise<void> => {
  const dependencies = needs.map(
    (need) => `  - {name: ${need}, version: 1.0.0, repository: 'file://../${need}'}`,
  );
  await mkdir(join(folder, root, name, 'templates'), { recursive: true });
  await writeFile(
    join(folder, root, name, 'Chart.yaml'),
    [
      'apiVersion: v2',
      `name: ${name}`,
      'version: 1.0.0',
      ...(needs.length > 0 ? ['dependencies:'] : []),
      ...dependencies,
      '',
    ].join('\n'),
  );
};

const assembly = (root: string, charts: readonly string[]) => ({
  root: join(folder, root),
  charts,
  cache: join(folder, root, 'cache'),
});

describe('assembled charts', () => {
  it('carry their dependencies, are named after their content, and leave the sources alone', async () => {
    await chart('plain', 'base');
    await chart('plain', 'top', ['base']);
    const both = assembly('plain', ['base', 'top']);
    const first = await assembleCharts(both);
    expect(await readdir(join(first, 'top/charts'))).toEqual(['base-1.0.0.tgz']);
    expect(await readdir(join(folder, 'plain/top'))).toEqual(['Chart.yaml', 'templates']);
    expect(await assembleCharts(both)).toBe(first);
    await writeFile(join(folder, 'plain/base/templates/a.yaml'), 'a: 1\n');
    const second = await assembleCharts(both);
    expect(second).not.toBe(first);
    expect(await readFile(join(second, 'base/templates/a.yaml'), 'utf8')).toBe('a: 1\n');
  });

  it('are assembled concurrently without incomplete results', async () => {
    await chart('race', 'base');
    await chart('race', 'top', ['base']);
    const all = assembly('race', ['base', 'top']);
    const folders = await Promise.all([1, 2, 3, 4].map(async () => await assembleCharts(all)));
    expect(new Set(folders).size).toBe(1);
    expect(await readdir(all.cache)).toEqual([basename(folders[0] ?? '')]);
    expect(await readdir(join(all.cache, basename(folders[0] ?? ''), 'top/charts'))).toEqual([
      'base-1.0.0.tgz',
    ]);
  });

  it('name the chart whose dependency is not there, and leave nothing behind', async () => {
    await chart('missing', 'top', ['gone']);
    const one = assembly('missing', ['top']);
    await expect(assembleCharts(one)).rejects.toThrow(
      /^helm dependency update top: Error: .*gone/u,
    );
    expect(await readdir(one.cache)).toEqual([]);
  });

  it('are removed an hour after their last use, those in use are not', async () => {
    await chart('old', 'base');
    const one = assembly('old', ['base']);
    for (const name of ['unused', 'assembling-unfinished', 'recent'])
      await mkdir(join(one.cache, name), { recursive: true });
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of ['unused', 'assembling-unfinished'])
      await utimes(join(one.cache, name), twoHoursAgo, twoHoursAgo);
    const used = basename(await assembleCharts(one));
    expect((await readdir(one.cache)).toSorted()).toEqual([used, 'recent'].toSorted());
  });
});
