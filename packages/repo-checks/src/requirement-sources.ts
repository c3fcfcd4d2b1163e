import { parseModule, type ExportBinding, type ModuleFacts } from './module-facts.ts';
import { loadModule, readTexts, type Member } from './repository-files.ts';

/** A source file that cites a section of the spec, or one requirement of it. */
export interface Citation {
  readonly section: string;
  /** The requirement, where the tag has its id after the section: `@spec §7.1 7.1/empty`. */
  readonly id?: string;
  readonly file: string;
}

const TAG = /@spec (?<places>.*)/g;
const BETWEEN_PLACES = /[,;]| and /;
const OWN_SECTION = /^§(?<section>\d+(?:\.\d+)?)(?: (?<id>\d+(?:\.\d+)?\/[\w.-]+))?/;

/**
 * Returns the citations in the `@spec` tags of one file, each once. A place that begins with the name of another document
 * (`RFC 8693 §2.1`) is not of this spec.
 */
export const findCitations = (file: string, text: string): readonly Citation[] => {
  const places = [...text.matchAll(TAG)]
    .flatMap((tag) => (tag.groups?.['places'] ?? '').split(BETWEEN_PLACES))
    .map((place) => OWN_SECTION.exec(place.trim())?.groups);
  const cited = places.flatMap((groups) => {
    const { section, id } = groups ?? {};
    return section === undefined ? [] : [{ section, ...(id !== undefined && { id }), file }];
  });
  const key = ({ section, id = '' }: Citation): string => `${section} ${id}`;
  return [...new Map(cited.map((citation) => [key(citation), citation])).values()];
};

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

  use({ file, name }: ExportBinding): void {
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
const findImportClosure = (modules: Modules, files: ReadonlySet<string>): ReadonlySet<string> => {
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
export const selectRequirementSources = (
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
  const below = [...findImportClosure(modules, search.found)].filter((file) =>
    citingSection.has(file),
  );
  return (below.length > 0 ? below : used).sort();
};

/** Source files by the id of the requirement that they fulfil. */
export type SourcesById = ReadonlyMap<string, readonly string[]>;

interface Owned {
  readonly id: string;
  readonly owner: Member;
}

const PROOF = 'requirement(';

/** Returns the modules of a package. Each is parsed when it is first read. */
const readModules = async (root: string, folder: string): Promise<Modules> => {
  const parts = ['src', 'test'].map((part) => readTexts(root, `${folder}/${part}`, /\.ts$/));
  const texts = (await Promise.all(parts)).flat();
  const byFile = new Map(texts.map(({ file, text }) => [file, text]));
  const parsed = new Map<string, ModuleFacts>();
  const get = (file: string): ModuleFacts | undefined => {
    const text = byFile.get(file);
    if (text === undefined) return undefined;
    const facts = parsed.get(file) ?? parseModule(file, text);
    parsed.set(file, facts);
    return facts;
  };
  const proofs = texts.filter(
    ({ file, text }) => /\.test\.tsx?$/.test(file) && text.includes(PROOF),
  );
  return { get, proofs: proofs.map(({ file }) => file) };
};

/** Reads the sources that a package names itself, by `export const sources` in its `spec.requirements.ts`. */
const readNamedSources = async (root: string, folder: string): Promise<SourcesById> => {
  const loaded = await loadModule(root, `${folder}/spec.requirements.ts`);
  if (loaded === undefined || !('sources' in loaded)) return new Map();
  return new Map(Object.entries(loaded.sources as Record<string, readonly string[]>));
};

const toSection = (id: string): string => id.slice(0, id.indexOf('/'));

/** Returns the source files of each requirement: those that its owner names, else those that its proofs lead to. */
export const findRequirementSources = async (
  root: string,
  owned: readonly Owned[],
  citations: readonly Citation[],
): Promise<SourcesById> => {
  const byFolder = Map.groupBy(owned, ({ owner }) => owner.folder);
  const found = [...byFolder].map(async ([folder, requirements]) => {
    const [modules, named] = await Promise.all([
      readModules(root, folder),
      readNamedSources(root, folder),
    ]);
    return requirements.map(({ id }) => {
      const citing = citations.filter((citation) => citation.id === id).map(({ file }) => file);
      const ofSection = citations.filter(({ section }) => section === toSection(id));
      const citingSection = new Set(ofSection.map(({ file }) => file));
      const sources =
        named.get(id) ?? selectRequirementSources(modules, { id, citing, citingSection });
      return [id, sources] as const;
    });
  });
  return new Map((await Promise.all(found)).flat());
};
