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

\`npm run compat -- --record\` writes this page. The suite installs clients and servers of other
projects from their registries at pinned versions. Each client runs the same list of features against the built gateway in front of all
servers below. Each server is called through the gateway by the official TypeScript SDK. How to configure clients: [Clients](../clients.md).

A cell says \`yes\` when the feature works. A dash means that the client, or the server, does not have the feature; the reasons are below the
table. A failure is \`no\`, with its problem below the table.
`;

const FEATURE_NOTES = `What the columns mean:

- \`initialize\` names the revision that client and gateway agree on. The other columns use this revision.
- \`call_tool\`, structured output, images, progress, cancel and elicitation are calls of tools of real servers through the meta-tool
  \`call_tool\`. Cancel means that the server behind the gateway sees the cancellation.
- Native mode, resources, prompts and \`list_changed\` use a gateway in [native mode](../native-mode.md). For \`list_changed\`, a server is
  added while the client is connected.
- Restart: the client calls a tool, the gateway stops and starts again, and the client calls the tool again over the same connection object.
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
    '| section | run by | result |',
    '| --- | --- | --- |',
    ...guide.map(formatGuideRow),
    '',
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function formatTable(
  kind: string,
  subjects: readonly SubjectResult[],
  columns: readonly Column[],
): readonly string[] {
  const titles = [kind, 'package', ...columns.map(({ title }) => title)];
  const rows = subjects.map((subject) => [
    subject.title,
    `${subject.registry} \`${subject.package}\` ${subject.version}`,
    ...columns.map(({ id }) => formatCell(subject.verdicts[id])),
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line), ''];
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

function formatGuideRow({ title, package: name, version = '', verdict }: GuideResult): string {
  const by = name === undefined ? 'its library' : `npm \`${name}\` ${version}`;
  return `| ${title} | ${by} | ${formatCell(verdict)} |`;
}

/** The reasons of the dashes, failures and rows that did not run. */
function listNotes(
  subjects: readonly SubjectResult[],
  columns: readonly Column[],
): readonly string[] {
  const notes = subjects.flatMap((subject) => [
    ...(subject.notRun === undefined ? [] : [`- ${subject.title} did not run: ${subject.notRun}`]),
    ...columns.flatMap(({ id, title }) => {
      const reason = findReason(subject.verdicts[id]);
      return reason === undefined ? [] : [`- ${subject.title}, ${title}: ${reason}`];
    }),
  ]);
  return notes.length === 0 ? [] : [...notes, ''];
}

function findReason(verdict: FeatureVerdict | undefined): string | undefined {
  if (verdict?.kind === 'absent')
    return verdict.reason === 'the server has none' ? undefined : verdict.reason;
  return verdict?.kind === 'fails' ? verdict.problem.split('\n')[0] : undefined;
}
