import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORT =
  /^(?:import|export|\} from)[^;]*?"\.\/([\w-]+\.js)";$|\bimport\("\.\/([\w-]+\.js)"\)/gm;

/** Returns the files of a build that a file imports at once, and those that it imports when it needs them. */
const importsOf = (folder, name) => {
  const found = [...readFileSync(join(folder, name), 'utf8').matchAll(IMPORT)];
  return {
    statically: found.flatMap(([, file]) => file ?? []),
    lazily: found.flatMap(([, , file]) => file ?? []),
  };
};

const closure = (names, next, seen = new Set()) => {
  for (const name of names.filter((each) => !seen.has(each))) {
    seen.add(name);
    closure(next(name), next, seen);
  }
  return seen;
};

/** Returns the files of a build that the given ones load, themselves included. */
export const reachable = (folder, names) =>
  closure(names, (name) => {
    const { statically, lazily } = importsOf(folder, name);
    return [...statically, ...lazily];
  });

const listDuplicates = (sets) => {
  const seen = new Set();
  return sets.flatMap((set) => [...set].filter((name) => seen.size === seen.add(name).size));
};

/**
 * Divides what an entry loads.
 *
 * @returns `main`, the files that are loaded at once; `parts`, for each file that is imported later, or that two such files need, the files
 *   that only it needs, itself included; `common`, the parts of the second kind; and `shared`, the files of `main` that parts import
 */
export const divide = (folder, entry) => {
  const statically = (names) => closure(names, (name) => importsOf(folder, name).statically);
  const main = statically([entry]);
  const later = [...reachable(folder, [entry])]
    .flatMap((name) => importsOf(folder, name).lazily)
    .filter((name, index, all) => all.indexOf(name) === index && !main.has(name));
  const needed = (name) => [...statically([name])].filter((each) => !main.has(each));
  const common = new Set(listDuplicates(later.map(needed)));
  const own = (name) => needed(name).filter((each) => each === name || !common.has(each));
  const parts = new Map(
    [...new Set([...later, ...common])].map((name) => [
      name,
      common.has(name) ? new Set([name]) : new Set(own(name)),
    ]),
  );
  const imported = [...parts.values()].flatMap((files) =>
    [...files].flatMap((name) => Object.values(importsOf(folder, name)).flat()),
  );
  return { main, parts, common, shared: [...new Set(imported)].filter((name) => main.has(name)) };
};
