import { InvalidArgumentError, Option } from 'commander';
import { DEFAULT_ENDPOINT, EXPOSE, MAX_PORT } from '@gateway/gateway-config';
import { LOG_FORMATS, LOG_LEVELS } from '@gateway/service-host';

/** More processes than this help no machine that the gateway runs on. */
const MAX_WORKERS = 128;

/** A week: nothing that is waited for takes longer. */
const MAX_TIMEOUT_SECONDS = 604_800;

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,6}$/u.test(text) || value < least || value > most)
      throw new InvalidArgumentError(
        `It must be a whole number from ${least.toString()} to ${most.toString()}.`,
      );
    return value;
  };

/** Reads `--workers`. */
export const workerCount = wholeNumber(1, MAX_WORKERS);

/** Reads `--port`. */
export const portNumber = wholeNumber(0, MAX_PORT);

/** Reads `--timeout`. */
const timeoutSeconds = wholeNumber(1, MAX_TIMEOUT_SECONDS);

/** Reads a `--limit` of the commands that list. */
export const listLimit = (most: number): ((text: string) => number) => wholeNumber(1, most);

const LONGEST_GROUP = 253;

/** Reads `--api-group`: a DNS name of at least two parts. */
export function apiGroupName(text: string): string {
  const part = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  if (text.length > LONGEST_GROUP || !new RegExp(`^${part}(?:\\.${part})+$`, 'u').test(text))
    throw new InvalidArgumentError('It must be a DNS name such as gateway.example.com.');
  return text;
}

/** Names the configuration directory. */
export const CONFIG_DIRECTORY = [
  '--config-dir <dir>',
  'directory with config.yaml, mcpservers/ and workflows/',
] as const;

/** What a gateway that is started shows its callers. */
export const exposeOption = (): Option =>
  new Option('--expose <what>', "the meta-tools, or the servers' own tools, resources and prompts")
    .choices(EXPOSE)
    .default('meta');

/** How a gateway that is started logs. */
export const logOptions = (): readonly Option[] => [
  new Option('--log-format <format>', 'JSON lines, or text for people')
    .choices(LOG_FORMATS)
    .default('json'),
  new Option('--log-level <level>', 'least severe level that is logged')
    .choices(LOG_LEVELS)
    .default('info'),
];

/** How a result is written. */
export const outputOption = (): Option =>
  new Option('--output <format>', 'for people, or for programs')
    .choices(['text', 'json'])
    .default('text');

/** Which gateway is asked. */
export const urlOption = (): Option =>
  new Option('--url <url>', 'the endpoint of the gateway')
    .env('GATEWAY_URL')
    .default(DEFAULT_ENDPOINT);

/** What the catalog is narrowed to. */
export const toolsetOption = (): Option =>
  new Option(
    '--toolset <selectors>',
    'sent as the header X-Gateway-Toolset, for example preset:read-only',
  );

/** How long an answer is waited for. */
export const timeoutOption = (fallback: number): Option =>
  new Option('--timeout <seconds>', 'longest wait for the answer, or for progress on the way to it')
    .argParser(timeoutSeconds)
    .default(fallback);
