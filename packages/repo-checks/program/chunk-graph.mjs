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

const repeated = (sets) => {
  const seen = new Set();
  return sets.flatMap((set) => [...set].filter((name) => seen.size === seen.add(name).size));
};

/**
 * Divides what an entry loads.
 *
 * @returns `main`, the files that are loaded at once; `parts`, for each file that is imported later the files that only it needs, itself
 *   included; and `shared`, the files of `main` that parts import. What two parts need is in `main`.
 */
export const divide = (folder, entry) => {
  const statically = (names) => closure(names, (name) => importsOf(folder, name).statically);
  const first = statically([entry]);
  const later = [...reachable(folder, [entry])]
    .flatMap((name) => importsOf(folder, name).lazily)
    .filter((name, index, all) => all.indexOf(name) === index && !first.has(name));
  const own = (main) => (name) => [...statically([name])].filter((each) => !main.has(each));
  const main = new Set([...first, ...repeated(later.map(own(first)))]);
  const parts = new Map(
    later.filter((name) => !main.has(name)).map((name) => [name, new Set(own(main)(name))]),
  );
  const imported = [...parts.values()].flatMap((files) =>
    [...files].flatMap((name) => Object.values(importsOf(folder, name)).flat()),
  );
  return { main, parts, shared: [...new Set(imported)].filter((name) => main.has(name)) };
};
