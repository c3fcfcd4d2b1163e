import {
  type Revision,
  REVISIONS,
  type Selection,
  selectScenarios,
  type Side,
} from './scenario.ts';
import { SUBJECTS } from './subject.ts';

const SIDES: Readonly<Record<Side, string>> = {
  server: 'The gateway as a server',
  client: 'The gateway as a client of servers',
  authorization: 'The gateway as an authorization server',
};

const INTRODUCTION = `# Conformance

Generated from the requirement sets of the official suite, npm \`@modelcontextprotocol/conformance\`. \`pnpm conformance\` runs it. Every
scenario below must pass, warnings included; those in italics are not required by the revision and only reported.

- As a server, \`gateway serve --expose native\` runs in front of a server that has what the scenarios ask for.
- As a client, the gateway connects to servers that the suite plays; in \`auth/*\`, it signs a user in to them.
- As an authorization server, a gateway in mode \`broker\` signs a user of a client of the suite in.
`;

export function renderConformancePage(): string {
  return [INTRODUCTION, ...REVISIONS.map(formatRevision), formatCrossings()].join('\n');
}

function formatRevision(revision: Revision): string {
  const selection = selectScenarios(revision);
  return [
    `## ${revision}`,
    '',
    ...Object.entries(SIDES).flatMap(([side, title]) => formatSide(selection, side as Side, title)),
  ].join('\n');
}

function formatSide({ run, listed }: Selection, side: Side, title: string): readonly string[] {
  const mine = run.filter((scenario) => scenario.side === side);
  const required = mine.filter(({ scored }) => scored).length;
  const names = mine.map(({ name, scored }) => (scored ? `\`${name}\`` : `_\`${name}\`_`));
  const absent = listed.filter((scenario) => scenario.side === side);
  return [
    `### ${title} (${toRevision(mine)})`,
    '',
    `Run: ${required} required scenarios, ${mine.length - required} others.`,
    '',
    `${names.join(', ')}.`,
    '',
    ...(absent.length === 0 ? [] : formatExclusions(absent)),
  ];
}

function toRevision(scenarios: Selection['run']): string {
  return scenarios[0]?.revision ?? 'none';
}

/** The scenarios that cannot apply, by reason. */
function formatExclusions(listed: Selection['listed']): readonly string[] {
  return [
    'Not applicable:',
    '',
    ...[...Map.groupBy(listed, ({ reason }) => reason)].map(
      ([reason, same]) =>
        `- ${same.map(({ name, scored }) => (scored ? `\`${name}\`` : `_\`${name}\`_`)).join(', ')}: ${reason}`,
    ),
    '',
  ];
}

/** The differences between the revisions of client and server, or between the transports. */
function formatCrossings(): string {
  const gateways = SUBJECTS.filter((subject) => subject.kind === 'gateway');
  const exceptions = gateways.flatMap((subject) =>
    [...(subject.except ?? [])].map(
      ([name, reason]) => `| ${subject.title} | \`${name}\` | ${reason} |`,
    ),
  );
  return [
    '## Behind the gateway',
    '',
    'The scenarios of servers are run with each of these servers behind the gateway:',
    '',
    ...gateways.map(({ title }) => `- ${title}`),
    '',
    'All pass but those that no gateway can pass there, since the two revisions differ:',
    '',
    '| where | scenario | reason |',
    '| --- | --- | --- |',
    ...exceptions,
    '',
  ].join('\n');
}
