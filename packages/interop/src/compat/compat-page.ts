import { type FeatureVerdict, FEATURES, SERVER_FEATURES } from './features.ts';
import type { Pinned } from './packages.ts';

export interface SubjectResult extends Pinned {
  readonly id: string;
  readonly title: string;
  readonly notRun?: string;
  /** The verdicts by the id of the feature; empty when it did not run. */
  readonly verdicts: Readonly<Record<string, FeatureVerdict>>;
}

export interface GuideResult {
  readonly title: string;
  readonly package?: string;
  readonly version?: string;
  readonly verdict: FeatureVerdict;
}

export interface CompatResults {
  readonly date: string;
  readonly clients: readonly SubjectResult[];
  readonly servers: readonly SubjectResult[];
  readonly guide: readonly GuideResult[];
}

export const listFailures = ({ clients, servers, guide }: CompatResults): readonly string[] => [
  ...[...clients, ...servers].flatMap(({ title, notRun, verdicts }) => [
    ...(notRun === undefined ? [] : [`${title}: not run: ${notRun}`]),
    ...Object.entries(verdicts).flatMap(([feature, verdict]) =>
      verdict.kind === 'fails' ? [`${title}: ${feature}: ${verdict.problem}`] : [],
    ),
  ]),
  ...guide.flatMap(({ title, verdict }) =>
    verdict.kind === 'fails' ? [`docs/clients.md, ${title}: ${verdict.problem}`] : [],
  ),
];

const INTRODUCTION = `# Compatibility

\`npm run compat -- --record\` writes this page. It runs clients and servers of other projects, at pinned versions. Each
client runs the same features against a gateway in front of all servers below. How to configure clients: [Clients](../clients.md).

A dash means that the client, or the server, does not have the feature, and \`no\` a failure; the reasons are below the table.
`;

const FEATURE_NOTES = `- \`initialize\` names the revision that client and gateway agree on.
- Cancel means that the server behind the gateway sees the cancellation.
- Native mode, resources, prompts and \`list_changed\` use a gateway in [native mode](../native-mode.md).
- Restart: the client calls a tool over the same connection object before and after a restart of the gateway.
`;

interface Column {
  readonly id: string;
  readonly title: string;
}

/** Returns the text of the page. */
export function renderPage({ date, clients, servers, guide }: CompatResults): string {
  return [
    INTRODUCTION,
    `Last run: ${date}.`,
    '',
    '## Clients',
    '',
    FEATURE_NOTES,
    ...formatTable('client', clients, FEATURES),
    ...listNotes(clients, FEATURES),
    '## Servers',
    '',
    'The numbers are those of the tools, resources and prompts in the catalog.',
    '',
    ...formatTable('server', servers, SERVER_FEATURES),
    ...listNotes(servers, SERVER_FEATURES),
    '## Guide',
    '',
    'The configurations and programs of [Clients](../clients.md) that were run:',
    '',
    ...formatGuide(guide),
    '',
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

const isPlain = (verdict: FeatureVerdict | undefined): boolean =>
  verdict?.kind === 'works' && verdict.detail === undefined;

/** The table without the columns that have only `yes`, which a sentence names. */
function formatTable(
  kind: string,
  subjects: readonly SubjectResult[],
  columns: readonly Column[],
): readonly string[] {
  const worksForAll = ({ id }: Column): boolean =>
    subjects.every(({ verdicts }) => isPlain(verdicts[id]));
  const shown = columns.filter((column) => !worksForAll(column));
  const plain = columns.filter(worksForAll).map(({ title }) => title);
  const titles = [kind, 'package', ...shown.map(({ title }) => title)];
  const rows = subjects.map((subject) => [
    subject.title,
    `${subject.registry} \`${subject.package}\` ${subject.version}`,
    ...shown.map(({ id }) => formatCell(subject.verdicts[id])),
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    ...(plain.length === 0 ? [] : [`With each of them this works: ${plain.join(', ')}.`, '']),
    line(titles),
    line(titles.map(() => '---')),
    ...rows.map(line),
    '',
  ];
}

function formatCell(verdict: FeatureVerdict | undefined): string {
  switch (verdict?.kind) {
    case undefined:
      return 'not run';
    case 'works':
      return verdict.detail ?? 'yes';
    case 'absent':
      return '–';
    case 'fails':
      return '**no**';
  }
}

/** One line for the sections with the same result of the library of their title. */
function formatGuide(guide: readonly GuideResult[]): readonly string[] {
  const lines = guide.map(({ title, package: name, version = '', verdict }) => {
    const by = name === undefined ? 'with the library' : `npm \`${name}\` ${version}`;
    return { title, result: `${by}: ${formatCell(verdict)}` };
  });
  return [...Map.groupBy(lines, ({ result }) => result)].map(
    ([result, same]) => `- ${same.map(({ title }) => title).join(', ')}, ${result}`,
  );
}

/** The reasons of the dashes, failures and rows that did not run. */
function listNotes(
  subjects: readonly SubjectResult[],
  columns: readonly Column[],
): readonly string[] {
  const notes = subjects.flatMap((subject) => [
    ...(subject.notRun === undefined ? [] : [`- ${subject.title} did not run: ${subject.notRun}`]),
    ...formatReasons(subject, columns),
  ]);
  return notes.length === 0 ? [] : [...notes, ''];
}

/** One line for the features that are absent for the same reason. */
function formatReasons(
  { title: subject, verdicts }: SubjectResult,
  columns: readonly Column[],
): readonly string[] {
  const reasons = columns.flatMap(({ id, title }) => {
    const reason = findReason(verdicts[id]);
    return reason === undefined ? [] : [{ title, reason }];
  });
  return [...Map.groupBy(reasons, ({ reason }) => reason)].map(
    ([reason, same]) => `- ${subject}, ${same.map(({ title }) => title).join(', ')}: ${reason}`,
  );
}

function findReason(verdict: FeatureVerdict | undefined): string | undefined {
  if (verdict?.kind === 'absent')
    return verdict.reason === 'the server has none' ? undefined : verdict.reason;
  return verdict?.kind === 'fails' ? verdict.problem.split('\n')[0] : undefined;
}
