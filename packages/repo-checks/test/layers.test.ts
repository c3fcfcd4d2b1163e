import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { layers, may as table } from '../../../.dependency-cruiser.mjs';
import { withToyTree } from './toy-tree.ts';

const repository = resolve(import.meta.dirname, '../../..');
const cruiser = resolve(
  import.meta.dirname,
  '../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
);
const config = resolve(repository, '.dependency-cruiser.mjs');

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

const cruise = (cwd: string): Promise<string> =>
  new Promise((done) => {
    const args = [cruiser, 'packages', 'apps', '--config', config, '--output-type', 'json'];
    execFile(process.execPath, args, { cwd, maxBuffer: 64 << 20 }, (_error, stdout) =>
      done(stdout),
    );
  });

/** The findings on a toy tree, as sorted lines `rule: from -> to`. */
const findings = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const report = JSON.parse(await withToyTree(files, cruise)) as {
    summary: { violations: readonly Violation[] };
  };
  return report.summary.violations
    .map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
    .sort();
};

const may = table as Readonly<Record<string, readonly string[]>>;
const packages = Object.keys(may);

const toFile = (from: string, to: string): string => `${from}/src/to-${to.replace('/', '-')}.ts`;

/** A file in each package for each other package, which it imports. */
const EVERY_IMPORT = Object.fromEntries(
  packages.flatMap((from) => [
    [`${from}/src/index.ts`, 'export const entry = 1;\n'],
    ...packages
      .filter((to) => to !== from)
      .map((to) => [toFile(from, to), `import '../../../${to}/src/index.ts';\n`]),
  ]),
) as Readonly<Record<string, string>>;

const index = 'export const entry = 1;\n';

/** A tree that follows the rules; each test below adds one file that does not. */
const ACCEPTED = {
  'packages/catalog/src/index.ts': "export { deep } from './deep.ts';\n",
  'packages/catalog/src/deep.ts': 'export const deep = 1;\n',
  'packages/catalog/test/deep.test.ts':
    "import '../src/deep.ts';\nimport '../../repo-checks/src/index.ts';\n",
  'packages/crd-schemas/src/index.ts': index,
  'packages/downstream/src/index.ts':
    "import 'node:fs';\nimport '../../catalog/src/index.ts';\nimport 'real';\n",
  'packages/downstream/package.json':
    '{ "dependencies": { "real": "1.0.0" }, "devDependencies": { "toy": "1.0.0" } }',
  'packages/mcp-http/src/index.ts': index,
  'packages/meta-tools/src/index.ts': index,
  'packages/repo-checks/src/index.ts': index,
  'packages/toolset-grammar/src/index.ts': "import './limits.ts';\n",
  'packages/toolset-grammar/src/limits.ts': index,
  'packages/toolset-grammar/vectors/selectors.json': '[]',
  'packages/charts/test/vectors.test.ts':
    "import '../../toolset-grammar/vectors/selectors.json';\n",
  'packages/service-host/src/index.ts': index,
  'apps/gateway/src/cli.ts': "import '../../../packages/service-host/src/index.ts';\n",
  'node_modules/real/package.json': '{ "name": "real", "version": "1.0.0", "main": "index.js" }',
  'node_modules/real/index.js': 'module.exports = 1;\n',
  'node_modules/toy/package.json': '{ "name": "toy", "version": "1.0.0", "main": "index.js" }',
  'node_modules/toy/index.js': 'module.exports = 1;\n',
} as const;

/** Rules by what they refuse: files that a tree must not have, and the finding, `rule: from -> to`, `from` being the first of the files. */
const REFUSED: Readonly<
  Record<string, readonly [files: Record<string, string>, rule: string, to: string]>
> = {
  'a test sees no more than its sources': [
    { 'packages/catalog/test/up.test.ts': "import '../../meta-tools/src/index.ts';\n" },
    'layer-of-tests:packages/catalog',
    'packages/meta-tools/src/index.ts',
  ],
  'a package outside the table is refused': [
    { 'packages/novel/src/index.ts': "import './a.ts';\n", 'packages/novel/src/a.ts': index },
    'known-packages',
    'packages/novel/src/a.ts',
  ],
  'an app outside the table is refused': [
    { 'apps/novel/src/cli.ts': "import './a.ts';\n", 'apps/novel/src/a.ts': index },
    'known-apps',
    'apps/novel/src/a.ts',
  ],
  'two files that import each other are refused': [
    {
      'packages/mcp-http/src/need-a.ts': "import './need-b.ts';\nexport const a = 1;\n",
      'packages/mcp-http/src/need-b.ts': "import './need-a.ts';\nexport const b = 1;\n",
    },
    'no-cycle',
    'packages/mcp-http/src/need-b.ts',
  ],
  'a cycle of types alone is refused': [
    {
      'packages/mcp-http/src/type-a.ts':
        "import type { B } from './type-b.ts';\nexport type A = B | 1;\n",
      'packages/mcp-http/src/type-b.ts':
        "import type { A } from './type-a.ts';\nexport type B = A | 2;\n",
    },
    'no-cycle',
    'packages/mcp-http/src/type-b.ts',
  ],
  'a folder imports only from folders before it': [
    {
      'packages/workflow-engine/src/model/refused-12.ts': "import '../run/last.ts';\n",
      'packages/workflow-engine/src/run/last.ts': "import '../model/first.ts';\n",
      'packages/workflow-engine/src/model/first.ts': index,
    },
    'folders:packages/workflow-engine',
    'packages/workflow-engine/src/run/last.ts',
  ],
  'a package is imported through its index only': [
    { 'packages/downstream/src/refused-6.ts': "import '../../catalog/src/deep.ts';\n" },
    'public-entry-only',
    'packages/catalog/src/deep.ts',
  ],
  'a pure package imports no module of Node': [
    { 'packages/meta-tools/src/refused-7.ts': "import { rm } from 'node:fs';\nrm('x');\n" },
    'pure-core',
    'fs',
  ],
  'toolset-grammar has no dependency': [
    { 'packages/toolset-grammar/src/refused-8.ts': "import 'real';\n" },
    'no-dependency',
    'node_modules/real/index.js',
  ],
  'sources need no development dependency': [
    { 'packages/downstream/src/refused-9.ts': "import 'toy';\n" },
    'no-development-dependency',
    'node_modules/toy/index.js',
  ],
  'an import that cannot be resolved is refused': [
    { 'packages/downstream/src/refused-10.ts': "import 'absent';\n" },
    'no-unresolvable',
    'absent',
  ],
  'a junk drawer is refused when imported': [
    {
      'packages/mcp-http/src/refused-11.ts': "import './utils.ts';\n",
      'packages/mcp-http/src/utils.ts': index,
    },
    'no-junk-drawer:imported',
    'packages/mcp-http/src/utils.ts',
  ],
  'a junk folder is refused when it imports': [
    { 'packages/mcp-http/src/shared/refused.ts': "import '../index.ts';\n" },
    'no-junk-drawer:importing',
    'packages/mcp-http/src/index.ts',
  ],
  'a junk drawer is refused when nothing imports it': [
    { 'packages/mcp-http/src/manager.ts': index },
    'no-junk-drawer:alone',
    'packages/mcp-http/src/manager.ts',
  ],
};

/** All trees in one: the start of a run takes most of its time. */
let found: readonly string[];
beforeAll(async () => {
  found = await findings(
    Object.assign(
      {},
      EVERY_IMPORT,
      ACCEPTED,
      ...Object.values(REFUSED).map(([files]) => files),
    ) as typeof ACCEPTED,
  );
});

/** The findings in the files of a tree. */
const foundIn = (tree: object): readonly string[] =>
  found.filter((line) => Object.hasOwn(tree, /: (.*) -> /u.exec(line)?.[1] ?? ''));

describe('the layer table', () => {
  it('lets each package import the packages that it lists, and nothing else', () => {
    const expected = packages.flatMap((from) =>
      packages
        .filter((to) => to !== from && may[from]?.includes(to) !== true)
        .map((to) => `layer:${from}: ${toFile(from, to)} -> ${to}/src/index.ts`),
    );
    expect(foundIn(EVERY_IMPORT).filter((line) => line.startsWith('layer:'))).toEqual(
      expected.sort(),
    );
  });

  it('lists packages of the same layer and of lower ones', () => {
    const { dev, ...numbered } = layers;
    const order = Object.values(numbered).map((layer) => Object.keys(layer));
    const upward = order.flatMap((names, at) =>
      names.flatMap((from) => {
        const permitted = new Set(order.slice(0, at + 1).flat());
        return (may[from] ?? []).filter((to) => !permitted.has(to)).map((to) => `${from} -> ${to}`);
      }),
    );
    expect(upward).toEqual([]);
    expect(order.flat().filter((from) => may[from]?.some((to) => Object.hasOwn(dev, to)))).toEqual(
      [],
    );
  });
});

describe('the import rules', () => {
  it('find nothing in a tree that follows them', () => {
    expect(foundIn(ACCEPTED)).toEqual([]);
  });

  it.each(Object.entries(REFUSED))('%s', (_what, [files, rule, to]) => {
    expect(foundIn(files)).toEqual([`${rule}: ${Object.keys(files)[0]} -> ${to}`]);
  });
});
