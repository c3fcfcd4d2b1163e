import { expect, it } from 'vitest';
import { bundled } from '../bench/bundled.mjs';

/** What is imported, the most bytes of its bundle (gzip), and the libraries in it. */
const CASES: readonly (readonly [string, number, readonly string[]])[] = [
  ['*', 65_536, ['cel-js', 'zod']],
  ['formatError', 512, []],
  ['listCelRules', 2_048, []],
  ['createJsonSchema', 26_624, ['zod']],
  ['createCustomResourceDefinition', 27_648, ['zod']],
  ['evaluateRules', 28_672, ['cel-js']],
  ['parseMcpServer', 40_960, ['cel-js', 'zod']],
];

const librariesIn = (modules: readonly string[]): readonly string[] =>
  ['cel-js', 'zod'].filter((name) =>
    modules.some((path) => path.includes('node_modules/') && path.includes(`/${name}/`)),
  );

it('is bundled for browsers, each export with no more than it needs', async () => {
  // A module of Node would fail the build.
  const bundles = await bundled(
    CASES.map(([names]) => names),
    ['@gateway/source'],
  );
  expect(bundles.map(({ names, modules }) => [names, librariesIn(modules)])).toEqual(
    CASES.map(([names, , libraries]) => [names, libraries]),
  );
  const tooLarge = bundles.filter(({ gzip }, at) => gzip > (CASES[at]?.[1] ?? 0));
  expect(tooLarge.map(({ names, gzip }) => [names, gzip])).toEqual([]);
});

it('leaves the functions of templates out where only the parser is used', async () => {
  const bundles = await bundled(
    ['parsePath', 'parseTemplate'],
    ['@gateway/source'],
    '@gateway/go-template',
  );
  const [path, template] = bundles;
  expect(path?.gzip).toBeLessThan(2_560);
  expect(template?.gzip).toBeLessThan(8_192);
  const functions = bundles
    .flatMap(({ modules }) => modules)
    .filter((file) => /\/functions\//.test(file));
  expect(functions).toEqual([]);
});
