import type { Command, Option } from 'commander';
import { createProgram } from '../cli/create-program.ts';
import { ENVIRONMENT } from '../cli/environment.ts';
import { DRAIN_MS } from '../ending.ts';
import { METRICS, type MetricDescription } from '../metrics/metric-table.ts';

const code = (text: string): string => `\`${text}\``;

const silent = { write: () => undefined };

/** The command, which nobody runs. */
function serveCommand(): Command {
  const io = { stdout: silent, stderr: silent, env: {} };
  const program = createProgram({ io, end: () => undefined });
  const serve = program.commands.find((command) => command.name() === 'serve');
  if (serve === undefined) throw new Error('there is no command serve');
  return serve;
}

const defaultOf = ({ defaultValue, defaultValueDescription }: Option): string => {
  const value: unknown = defaultValueDescription ?? defaultValue;
  return typeof value === 'string' || typeof value === 'number' ? code(String(value)) : '';
};

const optionRow = (option: Option): string => {
  const choices = option.argChoices?.map(code).join(', ');
  const meaning = choices === undefined ? option.description : `${option.description}: ${choices}`;
  return `| ${code(option.flags)} | ${meaning} | ${defaultOf(option)} |`;
};

const metricRow = ({ name, type, labels, help }: MetricDescription): string =>
  `| ${code(name)} | ${type} | ${labels.map(code).join(', ')} | ${help} |`;

/** The reference page of the service, from the options that it reads and the metrics that it registers. */
export const serveReference = (): string =>
  [
    '# agent-manager',
    '',
    'Generated from the options that the command reads and the table that registers the metrics. For use see [agent-manager](../agent-manager.md); the operations are described by [agent-manager.openapi.yaml](agent-manager.openapi.yaml).',
    '',
    '## `agent-manager serve`',
    '',
    `Serves \`/api/v1\`, \`/mcp\`, \`/healthz\`, \`/readyz\` and \`/metrics\` until SIGTERM or SIGINT; requests under way then have ${DRAIN_MS / 1000} seconds. One of \`--store\` and \`--kubernetes\` is needed. Exit codes: 0 fine, 1 failure at run time, 2 refused configuration or usage.`,
    '',
    '| option | meaning | default |',
    '| --- | --- | --- |',
    ...serveCommand().options.map(optionRow),
    '',
    '| environment | meaning |',
    '| --- | --- |',
    `| ${code(ENVIRONMENT.sessionKey)} | Secret of 32 characters or more that replicas share, so that each serves the MCP sessions of all. Unset: sessions are good for one process. |`,
    `| ${code(ENVIRONMENT.skillsToken)} | Token for the host of \`--skills-repositories\`. |`,
    '| `KUBECONFIG` | With `--kubernetes`, how to reach the cluster, unless `--kubeconfig` says so. |',
    '',
    '## Metrics',
    '',
    '`/metrics` answers in the Prometheus text format. Label values are words of agent-manager; a caller cannot make new ones. Durations are in seconds. Beside these there are `process_*` and `nodejs_*`, which describe the process.',
    '',
    '| metric | type | labels | meaning |',
    '| --- | --- | --- | --- |',
    ...Object.values(METRICS).map(metricRow),
    '',
  ].join('\n');
