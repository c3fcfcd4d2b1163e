import { builtinModules } from 'node:module';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIRE_BANNER } from '../src/bundled-program.ts';
import { divide, reachable } from './chunk-graph.mjs';

/** Stands for `import.meta.url`. A variable of a source with this name would be taken instead. */
const URL_NAME = '__urlOfThisProgram';

/** The longest line in characters, except for lines with longer strings. */
const LINE = 140;

const COMMON_SETTINGS = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  charset: 'ascii',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'error',
  write: false,
  // The text stays in memory. Names stay, so that a stack trace can be read without the source map.
  minifyWhitespace: true,
  lineLimit: LINE,
  legalComments: 'none',
  // `require` can use stored code, `import` cannot.
  // esbuild does not know all of them, for example `readline/promises`.
  external: builtinModules,
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': URL_NAME },
  banner: { js: `const ${URL_NAME} = require('node:url').pathToFileURL(__filename).href;` },
};

/** In a CommonJS file, `require` is there already. */
const withoutBannerPlugin = {
  name: 'without-banner',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace(REQUIRE_BANNER, '');
      if (contents.includes(URL_NAME)) throw new Error(`${path} has a name ${URL_NAME}`);
      return { contents };
    });
  },
};

const commonJsName = (name) => name.replace(/\.js$/, '.cjs');

/** Has the parts of a program loaded from files of their own, what two of them need too, and what they need of the first file from that one. */
const partsPlugin = ({ main, parts, common }, mainFile, part) => ({
  name: 'parts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\/[\w-]+\.c?js$/ }, ({ path, kind }) => {
      const name = path.slice('./'.length);
      if (name === mainFile) return { path, external: true };
      const isOtherPart = kind === 'dynamic-import' ? parts.has(name) : common.has(name);
      if (isOtherPart && name !== part && kind !== 'entry-point')
        return { path: commonJsName(path), external: true };
      return part !== undefined && main.has(name) ? { path: name, namespace: 'main' } : undefined;
    });
    onLoad({ filter: /^/, namespace: 'main' }, ({ path }) => ({
      contents: `module.exports = require('./${mainFile}').shared['${path}'];`,
      resolveDir: '/',
    }));
  },
});

/** The exports of an entry, and as `shared` those of the files that the parts need. */
const mainSource = (entry, shared) =>
  [
    `export * from './${entry}.js';`,
    ...shared.map((name, index) => `import * as shared${index} from './${name}';`),
    `export const shared = { ${shared.map((name, index) => `'${name}': shared${index}`).join(', ')} };`,
  ].join('\n');

/** esbuild escapes strings, not regular expressions and comments. */
const escapeToAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const writeOutput = async (building) => {
  const { outputFiles } = await building;
  for (const { path, text } of outputFiles) writeFileSync(path, escapeToAscii(text));
};

/** Removes the files of a build that none of some entries loads. */
const removeOthers = (folder, entries) => {
  const kept = reachable(
    folder,
    entries.map((name) => `${name}.js`),
  );
  const files = readdirSync(folder).filter((name) => name.endsWith('.js') && !kept.has(name));
  for (const name of files) {
    rmSync(join(folder, name));
    if (existsSync(join(folder, `${name}.map`))) rmSync(join(folder, `${name}.map`));
  }
};

/**
 * Puts what one entry of a build loads at once into one CommonJS file of ASCII text, and what it loads when it needs it into others. Removes
 * the files that only it loads.
 */
const writeOneFile = async ({ build }, folder, { entry, others }) => {
  const program = divide(folder, `${entry}.js`);
  const mainFile = `${entry}.cjs`;
  const settingsOf = (part) => ({
    ...COMMON_SETTINGS,
    plugins: [withoutBannerPlugin, partsPlugin(program, mainFile, part)],
  });
  await writeOutput(
    build({
      ...settingsOf(undefined),
      stdin: { contents: mainSource(entry, program.shared), resolveDir: folder },
      outfile: join(folder, mainFile),
    }),
  );
  for (const name of program.parts.keys())
    await writeOutput(
      build({
        ...settingsOf(name),
        entryPoints: [join(folder, name)],
        outfile: join(folder, commonJsName(name)),
      }),
    );
  removeOthers(folder, others);
};

/**
 * Returns the settings of tsup that put one entry of a program into one CommonJS file, with further files for what is not needed by every start,
 * because the compiled code of such files can be stored. The ES modules of the build have no parts of libraries any more that nothing uses.
 */
export const oneFile = ({ entry, esbuildPlugins, ...settings }, name) => {
  let esbuild;
  const capture = {
    name: 'capture',
    setup: (build) => {
      esbuild = build.esbuild;
    },
  };
  const others = Object.keys(entry).filter((other) => other !== name);
  return {
    ...settings,
    entry,
    esbuildPlugins: [...esbuildPlugins, capture],
    onSuccess: async () => {
      await writeOneFile(esbuild, 'dist', { entry: name, others });
      // The compiled code of earlier files.
      rmSync('.cache', { recursive: true, force: true });
    },
  };
};
