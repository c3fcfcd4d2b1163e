import { describe, expect, it } from 'vitest';
import { findUnusedExports } from '../src/unused-exports.ts';

const toy = {
  name: '@gateway/toy',
  folder: 'packages/toy',
  index: "export { a, type B } from './a.ts';\nexport type { C } from './c.ts';\n",
};

const unused = (...texts: readonly string[]): readonly string[] =>
  findUnusedExports(
    [toy],
    texts.map((text) => ({ file: 'apps/x/src/y.ts', text })),
  );

describe('an export of a private package', () => {
  it('may be imported by another package, in any form', () => {
    expect(
      unused(
        "import {\n  a as other,\n  type B,\n} from '@gateway/toy';\n",
        "const { C: renamed } = await import('@gateway/toy');\n",
      ),
    ).toEqual([]);
  });

  it('is refused when no package imports it', () => {
    expect(
      unused("import { a } from '@gateway/toy';\n", "export type { B } from '@gateway/toy';\n"),
    ).toEqual(['@gateway/toy exports C, which no other package imports']);
  });

  it('is refused when only its own tests import it', () => {
    const text = "import { a, type B, type C } from '@gateway/toy';\n";
    expect(findUnusedExports([toy], [{ file: 'packages/toy/test/a.test.ts', text }])).toEqual([
      '@gateway/toy exports a, which no other package imports',
      '@gateway/toy exports B, which no other package imports',
      '@gateway/toy exports C, which no other package imports',
    ]);
  });

  it('is refused when the index does not list its name', () => {
    const index = "export * from './a.ts';\nexport const b = 1;\n";
    expect(findUnusedExports([{ ...toy, index }], [])).toEqual([
      "@gateway/toy exports without a list of names: export * from './a.ts';",
      '@gateway/toy exports without a list of names: export const b = 1;',
    ]);
  });
});
