import type { GeneratedFile } from '@gateway/repo-checks';
import { METRICS, type MetricDescription } from './src/metrics/metric-table.ts';

const code = (text: string): string => `\`${text}\``;

const row = ({ name, type, labels, help, only }: MetricDescription): string => {
  const meaning = only === undefined ? help : `${help} Only ${only}.`;
  return `| ${code(name)} | ${type} | ${labels.map(code).join(', ')} | ${meaning} |`;
};

/** `docs/reference/metrics.md`: the table from which the metrics are registered. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/metrics.md',
    text: () =>
      [
        '# Metrics',
        '',
        'Generated from the table that registers the metrics. `/metrics` answers in the Prometheus text format; for use see [Operations](../operations.md#health-and-metrics).',
        '',
        'Label values are names of meta-tools, servers and workflows, and constants of the gateway; a caller cannot create new ones. Durations are in seconds. In addition there are `process_*` and `nodejs_*`, which describe the process. With `--workers` the counters and histograms of all processes are added, and one process reports common facts.',
        '',
        '| metric | type | labels | meaning |',
        '| --- | --- | --- | --- |',
        ...Object.values(METRICS).map(row),
        '',
      ].join('\n'),
  },
];
