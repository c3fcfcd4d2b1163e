const rank = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** Count, p50, p99 and the longest of latencies, in milliseconds. */
export const latencyFigures = (latencies) => {
  const sorted = Float64Array.from(latencies).sort();
  return {
    count: sorted.length,
    p50Ms: rank(sorted, 0.5),
    p99Ms: rank(sorted, 0.99),
    maxMs: sorted.at(-1),
  };
};

const grouped = (answers) => {
  const byKind = new Map();
  for (const answer of answers) {
    const group = byKind.get(answer.kind) ?? [];
    group.push(answer);
    byKind.set(answer.kind, group);
  }
  return byKind;
};

/** The figures of each kind of request. */
export const figuresByKind = (answers) =>
  [...grouped(answers)].map(([kind, group]) => ({
    kind,
    ...latencyFigures(group.map(({ ms }) => ms)),
    bytes: Math.round(group.reduce((sum, { bytes }) => sum + bytes, 0) / group.length),
    refused: group.filter(({ status }) => status >= 400 && status < 500).length,
    failed: group.filter(({ status }) => status === 0 || status >= 500).length,
  }));

const cells = ({ kind, count, p50Ms, p99Ms, maxMs, bytes, refused, failed }) => [
  kind,
  ...[count, p50Ms.toFixed(1), p99Ms.toFixed(1), maxMs.toFixed(1), bytes, refused, failed].map(
    String,
  ),
];

/** The figures as a table of text. */
export const figuresTable = (figures) => {
  const lines = [
    ['operation', 'requests', 'p50 ms', 'p99 ms', 'max ms', 'bytes', '4xx', '5xx'],
    ...figures.map(cells),
  ];
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
        .join('  '),
    )
    .join('\n');
};
