import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { citationsIn, type Citation } from './citation.ts';
import { notShownSections } from './not-shown.ts';
import type { OpenRequirement } from './open-requirement.ts';
import { openRequirements } from './open-requirements.ts';
import { proofsIn, type Proof } from './proof.ts';
import { specSections, type SpecSection } from './spec-section.ts';
import { sourcesOfRequirements, type SourcesById } from './sources-by-id.ts';
import { loadModule, members, typescriptFiles, type Member } from './workspace.ts';

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
  readonly open: readonly OpenRequirement[];
  /** Ids of the sections that docs/spec/not-shown.md answers. */
  readonly notShown: readonly string[];
  readonly proofs: readonly Proof[];
  readonly citations: readonly Citation[];
  /** The source files of each owned requirement. */
  readonly sources: SourcesById;
}

const ownedBy = async (root: string, owner: Member): Promise<readonly OwnedRequirement[]> => {
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

const scan = async <T>(
  root: string,
  files: readonly string[],
  find: (file: string, text: string) => readonly T[],
): Promise<readonly T[]> => {
  const found = await Promise.all(
    files.map(async (file) => find(file, await readFile(join(root, file), 'utf8'))),
  );
  return found.flat();
};

const filesOf = async (
  root: string,
  owners: readonly Member[],
  part: 'src' | 'test',
): Promise<readonly string[]> => {
  const files = owners.map(({ folder }) => typescriptFiles(root, `${folder}/${part}`));
  return (await Promise.all(files)).flat();
};

const textOf = async (root: string, path: string): Promise<string> =>
  existsSync(join(root, path)) ? readFile(join(root, path), 'utf8') : '';

/** Reads the facts from a checkout. */
export const requirementFacts = async (root: string): Promise<RequirementFacts> => {
  const owners = await members(root);
  const owned = (await Promise.all(owners.map((owner) => ownedBy(root, owner)))).flat();
  const citations = await scan(root, await filesOf(root, owners, 'src'), citationsIn);
  return {
    sections: specSections(await textOf(root, 'docs/spec/spec.md')),
    owned,
    open: openRequirements,
    notShown: notShownSections(await textOf(root, 'docs/spec/not-shown.md')),
    proofs: await scan(root, await filesOf(root, owners, 'test'), proofsIn),
    citations,
    sources: await sourcesOfRequirements(root, owned, citations),
  };
};
