import { type ServiceMetric, METRICS } from './src/metrics/metrics.ts';
import { DRAIN_TIMEOUT_MS } from '@gateway/service-host';
import type { Command, Option } from 'commander';
import { createProgram } from './src/commands/run-cli.ts';
import { ENVIRONMENT } from './src/options/serve-arguments.ts';

const code = (text: string): string => `\`${text}\``;

const silent = { write: () => undefined };

/** Returns the command without running it. */
function serveCommand(): Command {
  const io = { stdout: silent, stderr: silent, env: {} };
  const program = createProgram({
    io,
    version: '',
    serve: () => Promise.resolve('succeeded'),
    end: () => undefined,
  });
  const serve = program.commands.find((command) => command.name() === 'serve');
  if (serve === undefined) throw new Error('there is no command serve');
  return serve;
}

const defaultOf = ({ defaultValue, defaultValueDescription }: Option): string => {
  const value: unknown = defaultValueDescription ?? defaultValue;
  return typeof value === 'string' || typeof value === 'number' ? code(String(value)) : '';
};

const optionLine = (option: Option): string => {
  const choices = option.argChoices?.map(code).join(', ');
  const meaning = choices === undefined ? option.description : `${option.description}: ${choices}`;
  const value = defaultOf(option);
  return `- ${code(option.flags)}: ${meaning}${value === '' ? '' : `; default ${value}`}`;
};

const metricLine = ({ name, type, labels, help }: ServiceMetric): string =>
  `- ${[code(name), ...(labels.length === 0 ? [] : [`by ${labels.map(code).join(', ')}`])].join(' ')} (${type}): ${help}`;

/** Returns the reference page of the service, generated from its options and metrics. */
export const serveReference = (): string =>
  [
    '# agent-manager',
    '',
    'Generated from the options that the command reads and the table that registers the metrics. For use see [agent-manager](../agent-manager.md); the operations are described by [agent-manager.openapi.yaml](agent-manager.openapi.yaml).',
    '',
    '## `agent-manager serve`',
    '',
    `Serves \`/\`, \`/api/v1\`, \`/mcp\`, \`/healthz\`, \`/readyz\` and \`/metrics\` until SIGTERM or SIGINT; running requests then have ${DRAIN_TIMEOUT_MS / 1000} seconds to finish. One of \`--store\` and \`--kubernetes\` is required. Exit codes: 0 success, 1 failure at run time, 2 refused configuration or usage.`,
    '',
    ...serveCommand().options.map(optionLine),
    '',
    'In the environment:',
    '',
    `- ${code(ENVIRONMENT.sessionKey)}: Secret of at least 32 characters that replicas share, so that each replica serves the MCP sessions of all. Unset: a session is valid in one process.`,
    `- ${code(ENVIRONMENT.skillsToken)}: Token for the host of \`--skills-repositories\`.`,
    '- `KUBECONFIG`: With `--kubernetes`, the kubeconfig of the cluster when `--kubeconfig` is not set.',
    '',
    '## Metrics',
    '',
    '`/metrics` answers in the Prometheus text format. Label values come from fixed sets; a caller cannot create new ones. Durations are in seconds. The metrics `process_*` and `nodejs_*` describe the process.',
    '',
    ...Object.values(METRICS).map(metricLine),
    '',
  ].join('\n');
