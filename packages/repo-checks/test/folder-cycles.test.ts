import { describe, expect, it } from 'vitest';
import { findFolderCycles } from '../src/folder-cycles.ts';
import { findImports } from '../src/repository-files.ts';

const cyclesOf = (files: Readonly<Record<string, string>>): readonly string[] =>
  findFolderCycles(Object.entries(files).flatMap(([file, text]) => findImports({ file, text })));

const A_TO_B = { 'packages/p/src/a/one.ts': "import type { B } from '../b/two.ts';\n" };

describe('the folders of a package', () => {
  it('may import from each other in one direction', () => {
    expect(cyclesOf({ ...A_TO_B, 'packages/p/src/a/more.ts': "import '../c/x.ts';\n" })).toEqual(
      [],
    );
  });

  it('may use a file of the parent folder that uses them', () => {
    expect(
      cyclesOf({
        'packages/p/src/index.ts': "export { a } from './a/one.ts';\n",
        'packages/p/src/a/one.ts': "import '../limits.ts';\n",
      }),
    ).toEqual([]);
  });

  it('are refused when two import each other', () => {
    expect(
      cyclesOf({
        ...A_TO_B,
        'packages/p/src/b/two.ts': "export { x } from '../a/deep/three.ts';\n",
      }),
    ).toEqual([
      'the folders in packages/p/src import each other: a -> b (packages/p/src/a/one.ts imports packages/p/src/b/two.ts); b -> a (packages/p/src/b/two.ts imports packages/p/src/a/deep/three.ts)',
    ]);
  });

  it('are refused when three import each other in a ring, at any depth', () => {
    const files = {
      'packages/p/src/x/a/1.ts': "import '../b/2.ts';\n",
      'packages/p/src/x/b/2.ts': "const c = await import('../c/3.ts');\n",
      'packages/p/src/x/c/3.ts': "import {\n  one,\n} from '../a/1.ts';\n",
    };
    expect(cyclesOf(files)).toEqual([
      expect.stringContaining('the folders in packages/p/src/x import each other: a -> b'),
    ]);
  });
});
