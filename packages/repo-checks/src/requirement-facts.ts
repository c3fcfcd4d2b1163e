import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProofs, type Proof } from './module-facts.ts';
import { listMembers, loadModule, readTexts, type Member } from './repository-files.ts';
import {
  findCitations,
  findRequirementSources,
  type Citation,
  type SourcesById,
} from './requirement-sources.ts';
import { parseNotShownSections, parseSpecSections, type SpecSection } from './spec-section.ts';

/** A requirement in the `spec.requirements.ts` of a package or app. */
export interface OwnedRequirement {
  readonly id: string;
  readonly text: string;
  readonly owner: Member;
}

/** The facts that the requirements gate checks and the traceability table shows. */
export interface RequirementFacts {
  readonly sections: readonly SpecSection[];
  readonly owned: readonly OwnedRequirement[];
  /** Ids of the sections that docs/spec/not-shown.md answers. */
  readonly notShown: readonly string[];
  readonly proofs: readonly Proof[];
  readonly citations: readonly Citation[];
  /** The source files of each owned requirement. */
  readonly sources: SourcesById;
}

const readOwned = async (root: string, owner: Member): Promise<readonly OwnedRequirement[]> => {
  const path = `${owner.folder}/spec.requirements.ts`;
  const loaded = await loadModule(root, path);
  if (loaded === undefined) return [];
  if (!('requirements' in loaded)) throw new Error(`${path} must export \`requirements\``);
  return Object.entries(loaded.requirements as Record<string, string>).map(([id, text]) => ({
    id,
    text,
    owner,
  }));
};

const readText = async (root: string, path: string): Promise<string> =>
  existsSync(join(root, path)) ? readFile(join(root, path), 'utf8') : '';

/** Reads the facts from a checkout. */
export const readRequirementFacts = async (root: string): Promise<RequirementFacts> => {
  const owners = await listMembers(root);
  const owned = (await Promise.all(owners.map((owner) => readOwned(root, owner)))).flat();
  const readAll = async (part: 'src' | 'test') =>
    (
      await Promise.all(owners.map(({ folder }) => readTexts(root, `${folder}/${part}`, /\.tsx?$/)))
    ).flat();
  const citations = (await readAll('src')).flatMap(({ file, text }) => findCitations(file, text));
  return {
    sections: parseSpecSections(await readText(root, 'docs/spec/spec.md')),
    owned,
    notShown: parseNotShownSections(await readText(root, 'docs/spec/not-shown.md')),
    proofs: (await readAll('test')).flatMap(({ file, text }) => findProofs(file, text)),
    citations,
    sources: await findRequirementSources(root, owned, citations),
  };
};
