import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// tsup bundles its settings and preserves `import.meta.url` only.
const PACKAGES = fileURLToPath(new URL('../..', import.meta.url));
const WORKSPACE_SOURCE = /\/(?:packages|apps)\/[^/]+\/src\/.*\.ts$/;
const NAMED = /^(import|export) (type )?\{([^}]*)\} from '(\.\/[^']+|@gateway\/[\w-]+)';/gm;

const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Returns the file that defines each value that the `index.ts` of a package exports by name. */
const readExports = (name) => {
  const index = join(PACKAGES, name, 'src/index.ts');
  return new Map(
    [...readFileSync(index, 'utf8').matchAll(NAMED)].flatMap(([, , isType, list, from]) =>
      isType || !from.startsWith('.')
        ? []
        : namesIn(list)
            .filter((exported) => !/^type | as /.test(exported))
            .map((exported) => [exported, resolve(dirname(index), from)]),
    ),
  );
};

/** Replaces one import of a package by imports of the files behind its index, on as many lines as before. */
const direct = (statement, list, keyword, exportsOf) => {
  const names = namesIn(list).filter((name) => !name.startsWith('type '));
  const files = names.map((name) => exportsOf.get(name.split(' as ')[0]));
  if (files.includes(undefined)) return statement;
  const lines = names.map(
    (name, index) => `${keyword} { ${name} } from ${JSON.stringify(files[index])};`,
  );
  return lines.join(' ') + '\n'.repeat(statement.split('\n').length - 1);
};

/**
 * A plugin of esbuild that imports from the files behind the `index.ts` of a workspace package. esbuild puts everything that an index
 * names into the chunk of each of its importers, so that a constant would load the whole package.
 */
export const directImportsPlugin = {
  name: 'direct-imports',
  setup: (build) => {
    const known = new Map();
    const exportsOf = (name) => {
      if (!known.has(name)) known.set(name, readExports(name));
      return known.get(name);
    };
    build.onLoad({ filter: WORKSPACE_SOURCE }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replace(NAMED, (statement, ...groups) => {
        const [keyword, isType, list, from] = groups;
        return isType || from.startsWith('.')
          ? statement
          : direct(statement, list, keyword, exportsOf(from.slice('@gateway/'.length)));
      }),
    }));
  },
};
