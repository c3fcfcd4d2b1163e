import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIRE_BANNER } from '../src/bundled-program.ts';

const IMPORT =
  /^(?:import|export|\} from)[^;]*?"\.\/([\w-]+\.js)";$|\bimport\("\.\/([\w-]+\.js)"\)/gm;

/** Stands for `import.meta.url`. A variable of a source with this name would be taken instead. */
const URL_NAME = '__urlOfThisProgram';

/** In one CommonJS file, `require` is there already. */
const withoutBannerPlugin = {
  name: 'without-banner',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace(REQUIRE_BANNER, '');
      if (contents.includes(URL_NAME)) throw new Error(`${path} has a name ${URL_NAME}`);
      return { contents };
    });
  },
};

/** esbuild escapes strings, not regular expressions and comments. */
const escapeToAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the files of a build that the given ones load, themselves included. */
const reachable = (folder, names, seen = new Set()) => {
  for (const name of names.filter((each) => !seen.has(each))) {
    seen.add(name);
    const imports = readFileSync(join(folder, name), 'utf8').matchAll(IMPORT);
    reachable(
      folder,
      [...imports].map(([, statically, lazily]) => statically ?? lazily),
      seen,
    );
  }
  return seen;
};

/** Puts one entry of a build with everything that it loads into one CommonJS file of ASCII text, and removes files that only it loads. */
const writeOneFile = async ({ build }, folder, { entry, others }) => {
  const { outputFiles } = await build({
    entryPoints: [join(folder, `${entry}.js`)],
    outfile: join(folder, `${entry}.cjs`),
    ...{ bundle: true, format: 'cjs', platform: 'node', target: 'node20', charset: 'ascii' },
    ...{ sourcemap: true, sourcesContent: false, logLevel: 'error', write: false },
    define: { 'import.meta.url': URL_NAME },
    banner: { js: `const ${URL_NAME} = require('node:url').pathToFileURL(__filename).href;` },
    plugins: [withoutBannerPlugin],
  });
  for (const { path, text } of outputFiles) writeFileSync(path, escapeToAscii(text));
  const kept = reachable(
    folder,
    others.map((name) => `${name}.js`),
  );
  const files = readdirSync(folder).filter((name) => name.endsWith('.js') && !kept.has(name));
  for (const name of files) {
    rmSync(join(folder, name));
    if (existsSync(join(folder, `${name}.map`))) rmSync(join(folder, `${name}.map`));
  }
};

/**
 * Returns the settings of tsup that put one entry of a program into one CommonJS file, because the compiled code of such a file can be stored.
 * The ES modules of the build have no parts of libraries any more that nothing uses.
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
    ...{ ...settings, entry, esbuildPlugins: [...esbuildPlugins, capture] },
    onSuccess: () => writeOneFile(esbuild, 'dist', { entry: name, others }),
  };
};
