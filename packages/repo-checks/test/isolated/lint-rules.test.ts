import { resolve } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/** The rules that fire on each of some texts when they stand in place of one file, below one another. */
let rulesOn: (filePath: string, texts: readonly string[]) => Promise<ReadonlySet<string>[]>;

beforeAll(() => {
  const typed = new ESLint({ cwd: root });
  // Most rules need no types, and to compute those of a package takes seconds.
  const overrideConfig = [tseslint.configs.disableTypeChecked];
  const untyped = new ESLint({ cwd: root, overrideConfig });
  rulesOn = async (filePath, texts) => {
    const eslint = filePath === TYPED ? typed : untyped;
    const results = await eslint.lintText(texts.join(''), { filePath: resolve(root, filePath) });
    const messages = results.flatMap((result) => result.messages);
    let end = 0;
    return texts.map((text) => {
      const start = end;
      end += text.split('\n').length - 1;
      const own = messages.filter(({ line }) => line > start && line <= end);
      return new Set(own.map(({ ruleId }) => ruleId ?? 'parse error'));
    });
  };
});

/** A file of a package that depends on none, for the rules that need types. */
const TYPED = 'packages/toolset-grammar/src/index.ts';
const PURE = 'packages/workflow-engine/src/index.ts';
const SOURCE = 'packages/repo-checks/src/index.ts';
const TEST = 'packages/repo-checks/test/surface.test.ts';

const DOC = '/** Counts what is left. */\n';

describe('the lint rules', () => {
  const refused: readonly (readonly [what: string, file: string, text: string, rule: string])[] = [
    ['export *', SOURCE, "export * from '../requirement.ts';\n", 'no-restricted-syntax'],
    ['a default export', SOURCE, 'export default 1;\n', 'no-restricted-syntax'],
    [
      'a docstring that restates the name',
      SOURCE,
      '/** The left. */\nexport const left = 1;\n',
      'jsdoc/informative-docs',
    ],
    [
      'a promise that is not awaited',
      TYPED,
      `${DOC}export const left = (p: Promise<void>): void => { p; };\n`,
      '@typescript-eslint/no-floating-promises',
    ],
    [
      'a switch that misses a member',
      TYPED,
      `${DOC}export const left = (k: 'a' | 'b'): void => { switch (k) { case 'a': } };\n`,
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
    [
      'a value import for a type',
      SOURCE,
      `import { Requirements } from '../requirement.ts';\n${DOC}export type Left = Requirements;\n`,
      '@typescript-eslint/consistent-type-imports',
    ],
    [
      'a function named by a noun',
      SOURCE,
      'export const thingList = (): number => 1;\n',
      'no-restricted-syntax',
    ],
    ['a name that ends in Of', SOURCE, 'export type ThingOf = string;\n', 'no-restricted-syntax'],
    ['eval', SOURCE, `${DOC}export const left: unknown = eval('1');\n`, 'no-eval'],
    [
      'new Function',
      SOURCE,
      `${DOC}export const left: unknown = new Function('1');\n`,
      'no-new-func',
    ],
    [
      'five parameters',
      SOURCE,
      `${DOC}export const left = (a: 1, b: 1, c: 1, d: 1, e: 1): unknown => [a, b, c, d, e];\n`,
      'max-params',
    ],
    [
      'a clock in a pure package',
      PURE,
      `${DOC}export const left = Date.now();\n`,
      'no-restricted-properties',
    ],
    [
      'a timer in a pure package',
      PURE,
      `${DOC}export const left: unknown = setTimeout;\n`,
      'no-restricted-globals',
    ],
    [
      'a virtual machine',
      PURE,
      `import vm from 'node:vm';\n${DOC}export const left: unknown = vm;\n`,
      'no-restricted-imports',
    ],
    [
      'a module that the oldest supported Node does not have',
      SOURCE,
      `import { zstdCompress } from 'node:zlib';\n${DOC}export const left: unknown = zstdCompress;\n`,
      'n/no-unsupported-features/node-builtins',
    ],
    [
      'it.skip',
      TEST,
      "import { it } from 'vitest';\nit.skip('x', () => {});\n",
      'no-restricted-syntax',
    ],
    [
      'it.only under a modifier',
      TEST,
      "import { it } from 'vitest';\nit.concurrent.only('x', () => {});\n",
      'no-restricted-syntax',
    ],
    [
      'vi.waitFor without a limit',
      TEST,
      "import { vi } from 'vitest';\nawait vi.waitFor(() => {});\n",
      'no-restricted-syntax',
    ],
  ];

  const files = [...new Set(refused.map(([, file]) => file))];

  it.each(files)('refuse each of these in %s', async (file) => {
    const rows = refused.filter(([, its]) => its === file);
    const found = await rulesOn(
      file,
      rows.map(([, , text]) => text),
    );
    const missed = rows.filter(([, , , rule], row) => found[row]?.has(rule) !== true);
    expect(missed.map(([what]) => what)).toEqual([]);
  });

  it('refuse a source of 501 lines, comments among them, and accept one of 500', async () => {
    const rules = (lines: number) => rulesOn(SOURCE, ['//\n'.repeat(lines)]);
    expect(await rules(501)).toEqual([new Set(['max-lines'])]);
    expect(await rules(500)).toEqual([new Set()]);
  });

  it('accept a function named by a verb, and a type whose name only begins with Of', async () => {
    const text = 'export const listThings = (): number => 1;\nexport type Offer = string;\n';
    expect(await rulesOn(SOURCE, [text])).toEqual([new Set()]);
  });

  it('accept a documented export and a timer in a package that is not pure', async () => {
    const none = [new Set()];
    expect(await rulesOn(SOURCE, [`${DOC}export const left: unknown = setTimeout;\n`])).toEqual(
      none,
    );
    expect(await rulesOn(TEST, ["import { it } from 'vitest';\nit('x', () => {});\n"])).toEqual(
      none,
    );
  });
});
