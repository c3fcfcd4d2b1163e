import type { Member } from './repository-files.ts';
import type { RequirementFacts } from './requirement-facts.ts';
import { toSection } from './requirement-problems.ts';
import type { SpecSection } from './spec-section.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly owner: Member;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const toRows = ({ owned, proofs, sources }: RequirementFacts): readonly Row[] => [
  ...owned.map(({ id, text, owner }): Row => {
    const tests = proofs
      .filter((proof) => proof.id === id && proof.file.startsWith(`${owner.folder}/`))
      .map(({ file }) => file);
    return { id, text, owner, sources: sources.get(id) ?? [], tests };
  }),
];

const escapeText = (text: string): string => text.replaceAll('<', '&lt;');

/** A file of the owner by its path in the package, another one with its package. */
const formatLinks = (files: readonly string[], { folder }: Member): string =>
  files
    .map((file) => {
      const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
      return `[${name.replace(/^(?:packages|apps)\//u, '')}](../../${file})`;
    })
    .join(', ');

/** The line before requirements with the same owner, sources and tests. */
const formatEvidence = ({ owner, sources, tests }: Row): string => {
  const proof = tests.length === 0 ? '**no test**' : `tests ${formatLinks(tests, owner)}`;
  return [`**${owner.name}**`, formatLinks(sources, owner), proof]
    .filter((part) => part !== '')
    .join('; ');
};

const formatGroups = (rows: readonly Row[]): readonly string[] =>
  [...Map.groupBy(rows, formatEvidence)].flatMap(([evidence, same]) => [
    `${evidence}:`,
    '',
    ...same.map(({ id, text }) => `- ${escapeText(text)} \`${id}\``),
    '',
  ]);

const formatSection = (
  facts: RequirementFacts,
  rows: readonly Row[],
  section: SpecSection,
): string => {
  const answered = facts.notShown.includes(section.id);
  return [
    `## §${section.id} ${section.title}`,
    '',
    ...formatGroups(rows.filter(({ id }) => toSection(id) === section.id)),
    ...(answered ? ['Left out, and decided in [not-shown.md](not-shown.md).', ''] : []),
  ].join('\n');
};

/** The page that leads from each section of the spec to its requirements, owners, sources and tests. */
export const formatTraceability = (facts: RequirementFacts): string => {
  const rows = toRows(facts);
  const unproven = rows.filter(({ tests }) => tests.length === 0).length;
  const head = [
    '# Traceability',
    '',
    'Generated from `packages/*/spec.requirements.ts`, the tests, and the sources that they use. Each group has its package, sources and tests.',
    '',
    `${String(rows.length)} requirements: ${String(rows.length - unproven)} proven, ${String(unproven)} without a test.`,
    '',
    '',
  ].join('\n');
  return head + facts.sections.map((section) => formatSection(facts, rows, section)).join('\n');
};
