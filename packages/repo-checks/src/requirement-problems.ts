import { hasOmission } from './spec-section.ts';
import type { RequirementFacts } from './requirement-facts.ts';

/** The section of a requirement id: `2.1` of `2.1/max-inline`. */
export const toSection = (id: string): string => id.slice(0, id.indexOf('/'));

const listDuplicates = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.filter((id, at) => ids.indexOf(id) !== at)),
];

const listDuplicateOwners = ({ owned }: RequirementFacts): readonly string[] =>
  listDuplicates(owned.map(({ id }) => id)).map((id) => {
    const owners = owned.filter((requirement) => requirement.id === id);
    return `${id} is owned by ${owners.map(({ owner }) => owner.folder).join(' and ')}: keep one`;
  });

const listAppOwners = ({ owned }: RequirementFacts): readonly string[] =>
  owned
    .filter(({ owner }) => owner.kind === 'apps')
    .map(({ id, owner }) => `${owner.folder} owns ${id}: apps compose and own no requirement`);

const isIn = (folder: string, file: string): boolean => file.startsWith(`${folder}/`);

const listProofGaps = ({ owned, proofs }: RequirementFacts): readonly string[] =>
  owned
    .filter(
      ({ id, owner }) => !proofs.some((proof) => proof.id === id && isIn(owner.folder, proof.file)),
    )
    .map(
      ({ id, owner }) =>
        `${owner.folder} owns ${id}, and no test of it calls requirement('${id}', ...)`,
    );

const withoutSource = ({ owned, sources }: RequirementFacts): readonly string[] =>
  owned
    .filter(({ id }) => (sources.get(id) ?? []).length === 0)
    .map(
      ({ id, owner }) =>
        `${owner.folder} owns ${id}, and its proofs use no source: cite it by \`@spec §${toSection(id)} ${id}\``,
    );

const listUnknownIds = ({ citations, owned }: RequirementFacts): readonly string[] => {
  const known = new Set(owned.map(({ id }) => id));
  return citations.flatMap(({ id, file }) =>
    id === undefined || known.has(id) ? [] : [`${file} cites ${id}, which no package owns`],
  );
};

const listForeignProofs = ({ owned, proofs }: RequirementFacts): readonly string[] =>
  proofs
    .filter(({ id, file }) => !owned.some((own) => own.id === id && isIn(own.owner.folder, file)))
    .map(({ id, file }) => `${file} proves ${id}, which its package does not own`);

const listUnknownSections = ({ sections, owned }: RequirementFacts): readonly string[] => {
  const known = new Set(sections.map(({ id }) => id));
  return owned
    .filter(({ id }) => !known.has(toSection(id)))
    .map(({ id }) => `${id} names §${toSection(id)}, which the spec does not have`);
};

const listUnknownCitations = ({ sections, citations }: RequirementFacts): readonly string[] =>
  citations
    .filter(
      ({ section }) => !sections.some(({ id }) => id === section || id.startsWith(`${section}.`)),
    )
    .map(({ section, file }) => `${file} cites §${section}, which the spec does not have`);

const listSectionGaps = ({ sections, owned, notShown }: RequirementFacts): readonly string[] => {
  const covered = new Set([...notShown, ...owned.map(({ id }) => toSection(id))]);
  return sections.filter(({ id }) => !covered.has(id)).map(({ id }) => `§${id} has no requirement`);
};

const listOpenGaps = ({ sections, notShown }: RequirementFacts): readonly string[] =>
  sections
    .filter(({ id, text }) => hasOmission(text) && !notShown.includes(id))
    .map(
      ({ id }) =>
        `§${id} leaves something out, and docs/spec/not-shown.md does not say what was chosen`,
    );

const RULES = [
  listDuplicateOwners,
  listAppOwners,
  listProofGaps,
  withoutSource,
  listUnknownIds,
  listForeignProofs,
  listUnknownSections,
  listUnknownCitations,
  listSectionGaps,
  listOpenGaps,
];

/** Returns the problems in the ownership and the proofs of requirements, one sentence each. */
export const findRequirementProblems = (facts: RequirementFacts): readonly string[] =>
  RULES.flatMap((rule) => rule(facts));
