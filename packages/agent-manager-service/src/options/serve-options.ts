import { LOG_FORMATS, LOG_LEVELS } from '@gateway/service-host';
import { type Command, InvalidArgumentError, Option } from 'commander';

const MAX_PORT = 65_535;
/** Largest number of entries in the list of an option. */
const MAX_ENTRIES = 256;

/** Creates a parser that accepts only text that matches the pattern. */
const createPatternParser =
  (form: RegExp, explanation: string) =>
  (text: string): string => {
    if (!form.test(text)) throw new InvalidArgumentError(explanation);
    return text;
  };

/** Accepts any text that is not empty. */
const parseNonEmpty = createPatternParser(/\S/u, 'It must not be empty.');

/** Parses `--port`. */
function parsePortNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}$/u.test(text) || value > MAX_PORT)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT.toString()}.`);
  return value;
}

/** Parses a list `a,b`. */
function parseCommaList(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new InvalidArgumentError('An entry of the list is empty.');
  if (entries.length > MAX_ENTRIES)
    throw new InvalidArgumentError(`The list has more than ${MAX_ENTRIES.toString()} entries.`);
  return entries;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const NAMESPACE = new RegExp(`^${LABEL}$`, 'u');

/** Parses `--namespaces`: names of Kubernetes namespaces, each once. */
function parseNamespaces(text: string): readonly string[] {
  const names = parseCommaList(text);
  const wrong = names.find((name) => !NAMESPACE.test(name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${JSON.stringify(wrong)} is not a valid namespace name.`);
  if (new Set(names).size < names.length)
    throw new InvalidArgumentError('A namespace is listed twice.');
  return names;
}

/** Parses `--chart-url`. */
const parseChartUrl = createPatternParser(
  /^oci:\/\/[^\s/?#]+(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+$/u,
  'It must be the address of a chart such as oci://registry.example.com/charts/agent.',
);

/** Parses `--chart-semver`: a version range in the syntax of Flux. */
const parseSemverRange = createPatternParser(
  /^(?=.{1,256}$)[\s\dxX*.<>=!^~|,+a-zA-Z-]*[\dxX*][\s\dxX*.<>=!^~|,+a-zA-Z-]*$/u,
  'It must be a range of versions such as x.x.x or >=0.6.0 <1.0.0.',
);

/** Parses an interval in the syntax of Flux. */
const parseFluxDuration = createPatternParser(
  /^(?=.{1,64}$)(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/u,
  'It must be a duration such as 10m or 1h30m.',
);

/** Parses `--service-account-name`. */
const parseAccountName = createPatternParser(
  new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`, 'u'),
  'It must be the name of a ServiceAccount.',
);

/** Parses `--skills-api-url`. */
const parseWebAddress = createPatternParser(
  /^https?:\/\/[^\s?#@]+$/u,
  'It must be an address such as https://git.example.com/api/v3.',
);

/** Default address of the agent chart; an installation sets its own. */
const DEFAULT_CHART_URL = 'oci://registry.gateway.internal/charts/agent';

const createServeOption = (
  flags: string,
  description: string,
  parse: (text: string) => unknown,
): Option => new Option(flags, description).argParser(parse);

const ADDRESS_OPTIONS: readonly Option[] = [
  createServeOption('--host <host>', 'address to listen on', parseNonEmpty).default('127.0.0.1'),
  createServeOption('--port <port>', 'port, 0 for any free one', parsePortNumber).default(8080),
  createServeOption(
    '--allowed-hosts <hosts>',
    'host names, in addition to those of this machine, that requests may name; * for all',
    parseCommaList,
  ),
  createServeOption(
    '--allowed-origins <origins>',
    'web origins, as scheme://host, whose pages may call it; * for all',
    parseCommaList,
  ),
];

const STORE_OPTIONS: readonly Option[] = [
  createServeOption(
    '--store <dir>',
    'store releases as files in this directory',
    parseNonEmpty,
  ).conflicts('kubernetes'),
  new Option('--kubernetes', 'store releases in the cluster'),
  createServeOption(
    '--kubeconfig <file>',
    'kubeconfig of the cluster (default: KUBECONFIG, the service account of the pod, ~/.kube/config)',
    parseNonEmpty,
  ),
  createServeOption(
    '--namespaces <namespaces>',
    'namespaces in which agents are managed; the first is the default',
    parseNamespaces,
  ).default(['default'], 'default'),
];

const RELEASE_OPTIONS: readonly Option[] = [
  createServeOption('--chart-url <url>', 'the agent chart', parseChartUrl).default(
    DEFAULT_CHART_URL,
  ),
  createServeOption(
    '--chart-semver <range>',
    'versions of the chart that Flux installs',
    parseSemverRange,
  ).default('x.x.x'),
  createServeOption(
    '--helmrelease-interval <duration>',
    'interval at which Flux reconciles a release',
    parseFluxDuration,
  ).default('10m'),
  createServeOption(
    '--ocirepository-interval <duration>',
    'interval at which Flux checks for new versions of the chart',
    parseFluxDuration,
  ).default('30m'),
  createServeOption(
    '--service-account-name <name>',
    'ServiceAccount that Flux applies releases as',
    parseAccountName,
  ),
  createServeOption(
    '--skills-repositories <urls>',
    'Git repositories that list_skills searches',
    parseCommaList,
  ),
  createServeOption(
    '--skills-api-url <url>',
    'REST API of their host (default: the API of the public host, /api/v3 of any other)',
    parseWebAddress,
  ),
];

const OAUTH_OPTIONS: readonly Option[] = [
  new Option('--enable-oauth', 'require a token of a trusted issuer for /api/v1 and /mcp'),
  createServeOption(
    '--oauth-issuer <url>',
    'issuer whose tokens are accepted',
    parseWebAddress,
  ).conflicts('oauthConfig'),
  createServeOption(
    '--oauth-audiences <audiences>',
    'accepted audiences of the tokens (default: the public URL followed by /mcp)',
    parseCommaList,
  ).conflicts('oauthConfig'),
  createServeOption(
    '--oauth-config <file>',
    'YAML file with the accepted tokens: issuers, as in the key auth of the gateway',
    parseNonEmpty,
  ),
  createServeOption(
    '--public-url <url>',
    'URL under which clients reach the service (default: the address that it listens on)',
    parseWebAddress,
  ),
  new Option(
    '--downstream-oauth',
    'send the token of the caller to the cluster, and never the credentials of agent-manager',
  ),
];

const LOG_OPTIONS: readonly Option[] = [
  new Option('--log-format <format>', 'JSON lines, or text for people')
    .choices(LOG_FORMATS)
    .default('json'),
  new Option('--log-level <level>', 'least severe level that is logged')
    .choices(LOG_LEVELS)
    .default('info'),
];

/** The options of `agent-manager serve`. */
export function addServeOptions(command: Command): Command {
  for (const each of [
    ...ADDRESS_OPTIONS,
    ...STORE_OPTIONS,
    ...RELEASE_OPTIONS,
    ...OAUTH_OPTIONS,
    ...LOG_OPTIONS,
  ])
    command.addOption(each);
  return command;
}
