import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goldenCases } from '../harness/golden-cases.ts';
import { problemsOf } from './broken-render.ts';

const { cases } = await goldenCases(join(import.meta.dirname, '../golden'));

describe('golden renders', () => {
  it.each(cases.map(({ chart, name, goldenFile }) => [`${chart}/${name}`, goldenFile] as const))(
    '%s has nothing that a cluster would refuse',
    async (_name, goldenFile) => {
      expect(problemsOf(await readFile(goldenFile, 'utf8'))).toEqual([]);
    },
  );
});
