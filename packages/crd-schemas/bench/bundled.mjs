import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Lets each case be an entry of one build, so that every module is read once. */
const importing = (cases, library) => ({
  name: 'importing',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^case:/ }, ({ path }) => ({ path, namespace: 'case' }));
    onLoad({ filter: /^case:/, namespace: 'case' }, ({ path }) => {
      const names = cases[Number(path.slice('case:'.length))];
      const what = names === '*' ? '*' : `{ ${names} }`;
      return {
        contents: `export ${what} from '${library}';`,
        resolveDir: import.meta.dirname,
      };
    });
  },
});

/**
 * Bundles some exports of a package as a browser would load them.
 *
 * @param {readonly string[]} cases what is imported each time, as it stands between the braces; `*` for everything
 * @param {readonly string[]} conditions further export conditions, by which the package is found
 * @param {string} library the package that is imported
 * @returns for each case the minified size, gzipped too, and which modules are in it
 */
export const bundled = async (cases, conditions = [], library = '@gateway/crd-schemas') => {
  const { outputFiles, metafile } = await build({
    entryPoints: cases.map((_names, at) => ({ in: `case:${at}`, out: `case-${at}` })),
    plugins: [importing(cases, library)],
    outdir: '/bundled',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: [...conditions],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const outputs = Object.entries(metafile.outputs);
  return cases.map((names, at) => {
    const { contents } = outputFiles.find(({ path }) => path.endsWith(`case-${at}.js`));
    const [, { inputs }] = outputs.find(([path]) => path.endsWith(`case-${at}.js`));
    const modules = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
    return {
      names,
      bytes: contents.length,
      gzip: gzipSync(contents, { level: 9 }).length,
      modules,
    };
  });
};
