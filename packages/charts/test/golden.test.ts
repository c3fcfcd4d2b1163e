import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHARTS } from '../src/assemble-charts.ts';
import { render } from '../src/render.ts';
import { goldenCases, type GoldenCase } from './harness/golden-cases.ts';

const FOLDER = join(import.meta.dirname, 'golden');
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

/** A new or changed golden is read by a user before it is committed. */
const update = async (goldenFile: string, text: string): Promise<void> => {
  const current = existsSync(goldenFile) ? await readFile(goldenFile, 'utf8') : undefined;
  if (current !== text) await writeFile(goldenFile, text);
};

const textOf = async ({ chart, valuesFile, args }: GoldenCase): Promise<string> => {
  const rendered = await render(chart, {}, { args: ['--values', valuesFile, ...args] });
  if (!rendered.ok) throw new Error(rendered.error);
  return rendered.text;
};

const { cases, problems } = await goldenCases(FOLDER);

describe('golden renders', () => {
  it('are complete pairs without other files', () => expect(problems).toEqual([]));

  it('are there for every chart that is installed', () =>
    expect([...new Set(cases.map(({ chart }) => chart))].toSorted()).toEqual(
      CHARTS.filter((chart) => chart !== 'library').toSorted(),
    ));

  it.each(cases.map((golden) => [`${golden.chart}/${golden.name}`, golden] as const))(
    '%s is what the chart renders, byte for byte',
    async (_name, golden) => {
      const text = await textOf(golden);
      if (isUpdating) await update(golden.goldenFile, text);
      expect(text).toBe(await readFile(golden.goldenFile, 'utf8'));
    },
  );
});

describe('the folder of golden renders', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'golden-'));
    await mkdir(join(folder, 'agent'));
    await mkdir(join(folder, 'agents'));
    const files = ['a.values.yaml', 'a.yaml', 'b.values.yaml', 'c.yaml', 'notes.md'];
    for (const file of files)
      await writeFile(join(folder, 'agent', file), '# helm: --is x\na: 1\n');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('reports goldens without values, other files and unknown folders', async () =>
    expect((await goldenCases(folder)).problems).toEqual([
      'agents is the folder of no chart',
      'agent/notes.md has no values file',
      'agent/c.yaml has no values file',
    ]));

  it('has a case for each values file, with the arguments of its first line', async () => {
    const found = (await goldenCases(folder)).cases;
    expect(found.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: 'a', args: ['--is', 'x'] },
      { name: 'b', args: ['--is', 'x'] },
    ]);
  });
});
