import {
  figureOf,
  figureText,
  goalText,
  missingFigures,
  ratioText,
  reachedText,
} from './cells.mjs';
import { ROWS, WORLDS_TEXT } from './rows.mjs';

const INTRODUCTION = `# Performance

\`npm run bench\` writes this page, with the figures of one machine. A cell shows the median of the rounds, with the least and the largest in parentheses; less is
better. The ratio compares with bare Node, which is measured in the same round. Processor time is that of the measured process alone.
`;

const line = (cells) => `| ${cells.join(' | ')} |`;

const table = (titles, rows) => [
  line(titles),
  line(titles.map(() => '---')),
  ...rows.map(line),
  '',
];

/** A reader must not compare times of a machine that did other work. */
const loadNote = ({ load, cores }) =>
  load > cores / 2
    ? [
        '',
        'Other programs ran on the machine during this run, so times and the largest values are too high. Compare the ratios.',
      ]
    : [];

const nodeText = ({ version, isInstalled }) =>
  isInstalled ? `${version} (installed by npm with this repository)` : version;

const roundsText = ({ rounds, ms, rest }) =>
  `${rounds} of each row, with stretches of ${ms / 1000} s for calls; at rest ${rest.rounds} stretches of ${rest.restMs / 1000} s, ` +
  `the first ${rest.settleMs / 1000} s after the tools are complete`;

const minutesText = (seconds) => `${Math.ceil(seconds / 60)} minutes`;

const factsOf = (run) => [
  `- Date: ${run.date}; commit ${run.commit ?? 'unknown'}${run.isChanged ? ' with changes' : ''}`,
  `- Machine: ${run.machine.cpu}, ${run.machine.cores} cores, ${Math.round(run.machine.memoryMb / 1024)} GB of memory, ${run.machine.os}; load average before the run ${run.machine.load}`,
  `- Node: ${run.nodes.map(nodeText).join(' and ')}`,
  `- Rounds: ${roundsText(run.times)}`,
  `- Command: \`${run.command}\`, ${minutesText(run.seconds)}`,
  ...loadNote(run.machine),
  '',
];

const hasFigures = (run) => (row) => run.figures.some((figure) => figure.row === row.id);

const gatewayRow = (run) => (row) => [
  row.title,
  goalText(row),
  ...run.nodes.flatMap(({ major: node }) => {
    const own = figureOf(run, { row: row.id, subject: 'gateway', node });
    const bare = figureOf(run, { row: row.id, subject: 'bare', node });
    return [
      figureText(own, row),
      figureText(bare, row),
      ratioText(run, own, row),
      reachedText(run, own, row),
    ];
  }),
];

const gatewaySection = (run) => {
  const titles = run.nodes.flatMap(({ major }) => [
    `Node ${major}: gateway`,
    'bare',
    'ratio',
    'goal reached',
  ]);
  return [
    '## Gateway',
    '',
    ...factsOf(run),
    ...table(['row', 'goal', ...titles], ROWS.filter(hasFigures(run)).map(gatewayRow(run))),
  ];
};

/** One line for the rows that have the same definition. */
const definitions = () =>
  [...new Set(ROWS.map(({ definition }) => definition))].map((text) => {
    const rows = ROWS.filter(({ definition }) => definition === text);
    return `- ${rows.map(({ title }) => title).join('; ')}: ${text}`;
  });

const rowsSection = () => [
  '## Rows',
  '',
  '`npm run bench -- --rows <group>` repeats some of them, and `--help` explains the options.',
  WORLDS_TEXT,
  '',
  ...definitions(),
  '',
];

const peerCell = (run, row, { id: subject }) => {
  const node = run.nodes.at(-1).major;
  const figure = figureOf(run, { row: row.id, subject, node });
  const ratio = ratioText(run, figure, row);
  const isCompared = figure?.rounds !== undefined && subject !== 'bare' && ratio !== '–';
  return isCompared ? `${figureText(figure, row)}, ${ratio}` : figureText(figure, row);
};

const peerNotes = ({ subjects, figures }) =>
  subjects
    .filter(({ package: name }) => name !== undefined)
    .map(({ id, title, package: name, version, command, note }) => {
      const isMeasured = figures.some(({ subject, rounds }) => subject === id && rounds);
      return `- ${title}, npm \`${name}\` ${version}: \`${command}\`.${isMeasured && note ? ` ${note}` : ''}`;
    });

const peersSection = (run) => [
  '## Peers',
  '',
  'Other proxies in the place of the gateway, with their ratio to bare Node; the reasons for each `no` are below.',
  '',
  `- Date: ${run.date}; commit ${run.commit ?? 'unknown'}; Node ${run.nodes.at(-1).version}`,
  `- Command: \`${run.command}\``,
  ...loadNote(run.machine),
  '',
  ...table(
    ['row', ...run.subjects.map(({ title }) => title)],
    ROWS.filter(hasFigures(run)).map((row) => [
      row.title,
      ...run.subjects.map((subject) => peerCell(run, row, subject)),
    ]),
  ),
  'Commands, in the folder `apps/gateway`:',
  '',
  ...peerNotes(run),
  '',
  'Rows without a figure:',
  '',
  ...missingFigures(run).map((text) => `- ${text}`),
  '',
];

const OWN = ['gateway', 'bare'];
/** Peers are measured on one Node, and the gateway next to them. */
const PEERS_NODE = 24;
const PEERS_TITLE = '\n## Peers\n';

const keep = (run, isWanted) => ({
  ...run,
  subjects: run.subjects.filter(({ id }) => isWanted({ subject: id })),
  figures: run.figures.filter(isWanted),
});

/**
 * Returns the text of the page.
 *
 * @param run a run of all rows
 * @param previous the page so far; its peers stay when the run has none
 */
export const performancePage = (run, previous) => {
  const own = keep(run, ({ subject }) => OWN.includes(subject));
  const hasPeers = run.subjects.some(({ id }) => !OWN.includes(id));
  const peers = keep(run, ({ node = PEERS_NODE }) => node === PEERS_NODE);
  const kept = previous.split(PEERS_TITLE)[1];
  return [
    INTRODUCTION,
    ...gatewaySection(own),
    ...rowsSection(),
    ...(hasPeers ? peersSection(peers) : []),
    ...(!hasPeers && kept !== undefined ? [PEERS_TITLE.trim(), kept] : []),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
};
