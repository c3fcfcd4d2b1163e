import { RISKS } from '@gateway/client-config';
import {
  CORE_TOOL_WRITES,
  DEFAULT_ENDPOINT,
  DEFAULT_HEALTH_PORT,
  EXPOSE,
  MAX_PORT,
} from '@gateway/gateway-config';
import { LOG_FORMATS, LOG_LEVELS } from '@gateway/service-host';
import { InvalidArgumentError, Option } from 'commander';

/** The highest value of `--timeout`: one week. */
const MAX_TIMEOUT_SECONDS = 604_800;

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,6}$/u.test(text) || value < min || value > max)
      throw new InvalidArgumentError(
        `It must be a whole number from ${min.toString()} to ${max.toString()}.`,
      );
    return value;
  };

/** Parses `--port`. */
export const portNumber = wholeNumber(0, MAX_PORT);

/** Parses `--timeout`. */
const timeoutSeconds = wholeNumber(1, MAX_TIMEOUT_SECONDS);

/** Returns a parser of `--limit`. */
export const listLimit = (max: number): ((text: string) => number) => wholeNumber(1, max);

const MAX_GROUP_CHARS = 253;

/** Parses `--api-group`: a DNS name of at least two parts. */
export function apiGroupName(text: string): string {
  const part = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  if (text.length > MAX_GROUP_CHARS || !new RegExp(`^${part}(?:\\.${part})+$`, 'u').test(text))
    throw new InvalidArgumentError('It must be a DNS name such as gateway.example.com.');
  return text;
}

/** The option for the configuration directory. */
export const CONFIG_DIRECTORY = [
  '--config-dir <dir>',
  'directory with config.yaml, mcpservers/ and workflows/',
] as const;

/** Creates the option that accepts risks of an entry from another source. */
export const allowOption = (): Option =>
  new Option(
    '--allow <risks...>',
    'accept parts of an entry that could take over this machine or its secrets',
  ).choices(RISKS);

/** The option that starts such an entry. */
export const START = ['--start', 'let the gateway start it (default: autoStart: false)'] as const;

/** Creates the option for what the gateway exposes. */
export const exposeOption = (): Option =>
  new Option('--expose <what>', "the meta-tools, or the servers' own tools, resources and prompts")
    .choices(EXPOSE)
    .default('meta');

/** Creates the option for the permitted core tools that write. */
export const coreToolWritesOption = (): Option =>
  new Option(
    '--core-tool-writes <what>',
    'permitted core tools that write (default: coreTools.writes of config.yaml; all on a loopback address and over stdio, otherwise none)',
  ).choices(CORE_TOOL_WRITES);

/** Creates the option for the port of probes and metrics. */
export const healthPortOption = (): Option =>
  new Option(
    '--health-port <port>',
    `further port for /healthz, /readyz and /metrics (default: health.port of config.yaml, ${DEFAULT_HEALTH_PORT.toString()} if it is free)`,
  ).argParser(portNumber);

/** Creates the option that disables this port. */
export const healthListenerOption = (): Option =>
  new Option('--no-health-listener', 'serve /healthz, /readyz and /metrics on the main port only');

/** Creates the options of the portal in the process of the gateway. */
export const portalOptions = (): readonly Option[] => [
  new Option(
    '--portal [port]',
    'also serve the portal on the loopback address (default port: 8070), for gateways without sign-in',
  )
    .preset('8070')
    .argParser(portNumber),
  new Option('--agent-manager <url>', 'agent-manager, for the pages of agents of the portal'),
];

/** Creates the options of the log. */
export const logOptions = (): readonly Option[] => [
  new Option('--log-format <format>', 'JSON lines, or text for people')
    .choices(LOG_FORMATS)
    .default('json'),
  new Option('--log-level <level>', 'least severe level that is logged')
    .choices(LOG_LEVELS)
    .default('info'),
];

/** Creates the option for the format of the result. */
export const outputOption = (): Option =>
  new Option('--output <format>', 'format of the result, text for people or JSON for programs')
    .choices(['text', 'json'])
    .default('text');

/** Creates the option for the URL of the gateway. */
export const urlOption = (): Option =>
  new Option('--url <url>', 'the endpoint of the gateway')
    .env('GATEWAY_URL')
    .default(DEFAULT_ENDPOINT);

/** Creates the option for the toolset. */
export const toolsetOption = (): Option =>
  new Option(
    '--toolset <selectors>',
    'sent as the header X-Gateway-Toolset, for example preset:read-only',
  );

/** Creates the option that repeats a command. */
export const watchOption = (): Option =>
  new Option('--watch', 'show the table again when it changes, until Ctrl+C');

/** Creates the option for the time limit of a call, in seconds. */
export const timeoutOption = (fallback: number): Option =>
  new Option('--timeout <seconds>', 'time limit for the answer; progress restarts it')
    .argParser(timeoutSeconds)
    .default(fallback);
