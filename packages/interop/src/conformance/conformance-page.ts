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

Generated from the requirement sets of the official conformance suite, npm \`@modelcontextprotocol/conformance\`, and from the list of
scenarios that cannot apply to a gateway. \`pnpm conformance\` runs the suite; \`npm run test:long\` does too.

As a server, the gateway runs as \`gateway serve --expose native\` in front of a server that has what the scenarios ask for, so that each
of them crosses the gateway. As a client, its connections to servers are tested against servers that the suite plays; in the scenarios
\`auth/*\`, a whole gateway signs a user in to such a server. As an authorization server, a gateway in mode \`broker\` is
tested by a client of the suite, for which a user signs in; the requirement sets do not list these scenarios. Every scenario below "Run" must pass, warnings included; there is no list
of expected failures. Scenarios in italics are not required by the revision: the suite runs and reports them only.
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
    ...names.map((name) => `- ${name}`),
    '',
    ...(absent.length === 0 ? [] : formatExclusions(absent)),
  ];
}

function toRevision(scenarios: Selection['run']): string {
  return scenarios[0]?.revision ?? 'none';
}

function formatExclusions(listed: Selection['listed']): readonly string[] {
  return [
    'Not applicable:',
    '',
    '| scenario | reason |',
    '| --- | --- |',
    ...listed.map(
      ({ name, scored, reason }) => `| ${scored ? `\`${name}\`` : `_\`${name}\`_`} | ${reason} |`,
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
