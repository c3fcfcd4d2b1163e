import { describe, expect, it } from 'vitest';
import { parseModule } from '../src/module-facts.ts';
import { selectRequirementSources } from '../src/requirement-sources.ts';

const FILES: Readonly<Record<string, string>> = {
  'packages/p/src/index.ts':
    "export { parse } from './parse.ts';\nexport { count } from './count.ts';\n",
  'packages/p/src/parse.ts':
    "import { LIMIT } from './limits.ts';\nexport const parse = () => LIMIT;\n",
  'packages/p/src/limits.ts': 'export const LIMIT = 32;\n',
  'packages/p/src/count.ts': 'export const count = 1;\n',
  'packages/p/test/harness.ts':
    "import { parse } from '../src/index.ts';\nexport const parsed = () => parse();\n",
  'packages/p/test/p.test.ts': `
    import { count } from '../src/index.ts';
    import { parsed } from './harness.ts';
    const refusal = () => parsed();
    requirement('7.1/empty', () => { it('is refused', () => refusal()); });
    requirement('8/count', () => { it('is one', () => count); });
    requirement('9/none', () => { it('is true', () => true); });
  `,
};

const modules = {
  get: (file: string) => {
    const text = FILES[file];
    return text === undefined ? undefined : parseModule(file, text);
  },
  proofs: ['packages/p/test/p.test.ts'],
};

const sourcesOf = (
  id: string,
  { citing = [], section = [] }: { citing?: readonly string[]; section?: readonly string[] } = {},
): readonly string[] =>
  selectRequirementSources(modules, { id, citing, citingSection: new Set(section) });

describe('the sources of a requirement', () => {
  it('are those that its proof uses, through the harness and the index', () => {
    expect(sourcesOf('7.1/empty')).toEqual(['packages/p/src/parse.ts']);
    expect(sourcesOf('8/count')).toEqual(['packages/p/src/count.ts']);
  });

  it('are those below them that cite its section', () => {
    const section = ['packages/p/src/limits.ts', 'packages/p/src/count.ts'];
    expect(sourcesOf('7.1/empty', { section })).toEqual(['packages/p/src/limits.ts']);
  });

  it('are those that cite the requirement itself, before all others', () => {
    const citing = ['packages/p/src/count.ts'];
    expect(sourcesOf('7.1/empty', { citing })).toEqual(citing);
  });

  it('are none when the proof uses no source', () => {
    expect(sourcesOf('9/none')).toEqual([]);
  });
});
