import type { Binding, ModuleFacts } from './module-facts.ts';

/** The modules of one package, sources and tests. */
export interface Modules {
  /** Returns the facts of a module, or undefined for a file of another package. */
  readonly get: (file: string) => ModuleFacts | undefined;
  /** The test files that prove requirements. */
  readonly proofs: readonly string[];
}

const isSource = (file: string): boolean => file.includes('/src/');

/** Follows names through the tests to the sources that define them. */
class Search {
  readonly #modules: Modules;
  readonly #seen = new Set<string>();
  readonly found = new Set<string>();

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  useAll(file: string, names: Iterable<string>): void {
    for (const name of names) this.use({ file, name });
  }

  use({ file, name }: Binding): void {
    const key = `${file}#${name}`;
    const facts = this.#modules.get(file);
    if (facts === undefined || this.#seen.has(key)) return;
    this.#seen.add(key);
    const elsewhere = facts.reexports.get(name);
    if (elsewhere !== undefined) this.use(elsewhere);
    else if (isSource(file)) this.found.add(file);
    else this.#useInTest(facts, name);
  }

  #useInTest({ file, imports, declarations }: ModuleFacts, name: string): void {
    const imported = imports.get(name);
    if (imported !== undefined) this.use(imported);
    this.useAll(file, declarations.get(name) ?? []);
  }
}

/** Returns the files that the given ones import, directly or through others, and themselves. */
const closureOf = (modules: Modules, files: ReadonlySet<string>): ReadonlySet<string> => {
  const closure = new Set(files);
  for (const file of closure) {
    const { imports, reexports } = modules.get(file) ?? {};
    for (const { file: next } of [...(imports?.values() ?? []), ...(reexports?.values() ?? [])])
      if (modules.get(next) !== undefined) closure.add(next);
  }
  return closure;
};

/** The facts about a requirement that its sources are found by. */
export interface SourceQuery {
  readonly id: string;
  /** The files that cite the requirement itself: `@spec §7.1 7.1/empty`. */
  readonly citing: readonly string[];
  /** The files that cite its section: `@spec §7.1`. */
  readonly citingSection: ReadonlySet<string>;
}

/**
 * Returns the sources of a requirement: those that cite it; without any, those that the bodies of its proofs use and that cite its
 * section; without any, those below them that do; without any, all that the proofs use.
 */
export const requirementSources = (
  modules: Modules,
  { id, citing, citingSection }: SourceQuery,
): readonly string[] => {
  if (citing.length > 0) return citing;
  const search = new Search(modules);
  for (const file of modules.proofs)
    search.useAll(file, modules.get(file)?.requirements.get(id) ?? []);
  const used = [...search.found];
  const direct = used.filter((file) => citingSection.has(file));
  if (direct.length > 0) return direct.sort();
  const below = [...closureOf(modules, search.found)].filter((file) => citingSection.has(file));
  return (below.length > 0 ? below : used).sort();
};
