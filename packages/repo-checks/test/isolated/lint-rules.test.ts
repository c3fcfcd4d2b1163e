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

/** The left side of an exported constant with a docstring. */
const LEFT = '/** Counts what is left. */\nexport const left';
const IMPORT_IT = "import { it, vi } from 'vitest';\n";

/** Texts that are refused in a file, by what they are, each with the rule. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  [SOURCE]: {
    'export *': ["export * from '../requirement.ts';", 'no-restricted-syntax'],
    'a default export': ['export default 1;', 'no-restricted-syntax'],
    'a docstring that restates the name': [
      '/** The left. */\nexport const left = 1;',
      'jsdoc/informative-docs',
    ],
    'a value import for a type': [
      "import { Requirements } from '../requirement.ts';\n/** Counts. */\nexport type Left = Requirements;",
      '@typescript-eslint/consistent-type-imports',
    ],
    'a function named by a noun': [
      'export const thingList = (): number => 1;',
      'no-restricted-syntax',
    ],
    'a name that ends in Of': ['export type ThingOf = string;', 'no-restricted-syntax'],
    eval: [`${LEFT}: unknown = eval('1');`, 'no-eval'],
    'new Function': [`${LEFT}: unknown = new Function('1');`, 'no-new-func'],
    'five parameters': [
      `${LEFT} = (a: 1, b: 1, c: 1, d: 1, e: 1): unknown => [a, b, c, d, e];`,
      'max-params',
    ],
    'a module that the oldest supported Node does not have': [
      `import { zstdCompress } from 'node:zlib';\n${LEFT}: unknown = zstdCompress;`,
      'n/no-unsupported-features/node-builtins',
    ],
  },
  [TYPED]: {
    'a promise that is not awaited': [
      `${LEFT} = (p: Promise<void>): void => { p; };`,
      '@typescript-eslint/no-floating-promises',
    ],
    'a switch that misses a member': [
      `${LEFT} = (k: 'a' | 'b'): void => { switch (k) { case 'a': } };`,
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
  },
  [PURE]: {
    'a clock in a pure package': [`${LEFT} = Date.now();`, 'no-restricted-properties'],
    'a timer in a pure package': [`${LEFT}: unknown = setTimeout;`, 'no-restricted-globals'],
    'a virtual machine': [
      `import vm from 'node:vm';\n${LEFT}: unknown = vm;`,
      'no-restricted-imports',
    ],
  },
  [TEST]: {
    'it.skip': [`${IMPORT_IT}it.skip('x', () => {});`, 'no-restricted-syntax'],
    'it.only under a modifier': [
      `${IMPORT_IT}it.concurrent.only('x', () => {});`,
      'no-restricted-syntax',
    ],
    'vi.waitFor without a limit': [
      `${IMPORT_IT}await vi.waitFor(() => {});`,
      'no-restricted-syntax',
    ],
  },
};

describe('the lint rules', () => {
  it.each(Object.entries(REFUSED))('refuse each of these in %s', async (file, rows) => {
    const texts = Object.values(rows).map(([text]) => `${text}\n`);
    const found = await rulesOn(file, texts);
    const missed = Object.entries(rows).filter(([, [, rule]], at) => !found[at]?.has(rule));
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
    expect(await rulesOn(SOURCE, [`${LEFT}: unknown = setTimeout;\n`])).toEqual(none);
    const test = "import { it } from 'vitest';\nit('x', () => {});\n";
    expect(await rulesOn(TEST, [test])).toEqual(none);
  });
});
