import type { GeneratedFile } from '@gateway/repo-checks';
import { AUDIT_MEMBERS, AUDIT_SCHEMA } from './src/audit/audit-record.ts';
import { METRICS, type GatewayMetric } from './src/metrics/metric-table.ts';

const code = (text: string): string => `\`${text}\``;

const metricLine = ({ name, type, labels, help }: GatewayMetric): string =>
  `- ${[code(name), ...(labels.length === 0 ? [] : [`by ${labels.map(code).join(', ')}`])].join(' ')} (${type}): ${help}`;

const memberLine = ([name, member]: readonly [
  string,
  (typeof AUDIT_MEMBERS)[keyof typeof AUDIT_MEMBERS],
]): string => {
  const values = member.enum === undefined ? '' : ` One of ${member.enum.map(code).join(', ')}.`;
  return `- ${code(name)} (${member.type}): ${member.description}${values}`;
};

/** `docs/reference/audit.md` and the JSON Schema: the members of a record. */
const auditFiles: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/audit.md',
    text: () =>
      [
        '# Audit log',
        '',
        'Generated from the members of a record; [audit.schema.json](audit.schema.json) is the JSON Schema of one line. For use see [Operations](../operations.md#audit-log).',
        '',
        'Every record has `time`, `id` and `decision`. Other members are absent when they do not apply. A release can add members and values of `reason`; it does not change or remove any within a major version.',
        '',
        ...Object.entries(AUDIT_MEMBERS).map(memberLine),
        '',
      ].join('\n'),
  },
  {
    path: 'docs/reference/audit.schema.json',
    text: () => `${JSON.stringify(AUDIT_SCHEMA, null, 2)}\n`,
  },
];

/** `docs/reference/metrics.md`: the table from which the metrics are registered. */
export const generated: readonly GeneratedFile[] = [
  ...auditFiles,
  {
    path: 'docs/reference/metrics.md',
    text: () =>
      [
        '# Metrics',
        '',
        'Generated from the table that registers the metrics. `/metrics` answers in the Prometheus text format; for use see [Operations](../operations.md#metrics).',
        '',
        'Label values are names of meta-tools, servers and workflows, and constants of the gateway; a caller cannot create new ones. Durations are in seconds. In addition there are `process_*` and `nodejs_*`, which describe the process.',
        '',
        ...Object.values(METRICS).map(metricLine),
        '',
      ].join('\n'),
  },
];
