import type { Citation } from './citation.ts';
import { moduleFacts, type ModuleFacts } from './module-facts.ts';
import { textsBelow } from './repository-texts.ts';
import { requirementSources, type Modules } from './requirement-sources.ts';
import { loadModule, type Member } from './workspace.ts';

/** Source files by the id of the requirement that they fulfil. */
export type SourcesById = ReadonlyMap<string, readonly string[]>;

interface Owned {
  readonly id: string;
  readonly owner: Member;
}

const PROOF = 'requirement(';

/** Returns the modules of a package. Each is parsed when it is first read. */
const modulesOf = async (root: string, folder: string): Promise<Modules> => {
  const parts = ['src', 'test'].map((part) => textsBelow(root, `${folder}/${part}`, /\.ts$/));
  const texts = (await Promise.all(parts)).flat();
  const byFile = new Map(texts.map(({ file, text }) => [file, text]));
  const parsed = new Map<string, ModuleFacts>();
  const get = (file: string): ModuleFacts | undefined => {
    const text = byFile.get(file);
    if (text === undefined) return undefined;
    const facts = parsed.get(file) ?? moduleFacts(file, text);
    parsed.set(file, facts);
    return facts;
  };
  const proofs = texts.filter(
    ({ file, text }) => /\.test\.tsx?$/.test(file) && text.includes(PROOF),
  );
  return { get, proofs: proofs.map(({ file }) => file) };
};

/** Reads the sources that a package names itself, by `export const sources` in its `spec.requirements.ts`. */
const namedBy = async (root: string, folder: string): Promise<SourcesById> => {
  const loaded = await loadModule(root, `${folder}/spec.requirements.ts`);
  if (loaded === undefined || !('sources' in loaded)) return new Map();
  return new Map(Object.entries(loaded.sources as Record<string, readonly string[]>));
};

const sectionOf = (id: string): string => id.slice(0, id.indexOf('/'));

/** Returns the source files of each requirement: those that its owner names, else those that its proofs lead to. */
export const sourcesOfRequirements = async (
  root: string,
  owned: readonly Owned[],
  citations: readonly Citation[],
): Promise<SourcesById> => {
  const byFolder = Map.groupBy(owned, ({ owner }) => owner.folder);
  const found = [...byFolder].map(async ([folder, requirements]) => {
    const [modules, named] = await Promise.all([modulesOf(root, folder), namedBy(root, folder)]);
    return requirements.map(({ id }) => {
      const citing = citations.filter((citation) => citation.id === id).map(({ file }) => file);
      const ofSection = citations.filter(({ section }) => section === sectionOf(id));
      const citingSection = new Set(ofSection.map(({ file }) => file));
      const sources = named.get(id) ?? requirementSources(modules, { id, citing, citingSection });
      return [id, sources] as const;
    });
  });
  return new Map((await Promise.all(found)).flat());
};
