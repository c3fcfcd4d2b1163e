import { LOG_FORMATS, LOG_LEVELS } from '@gateway/service-host';
import { Option, type Command } from 'commander';
import {
  accountName,
  chartUrl,
  commaList,
  duration,
  namespaceList,
  nonEmpty,
  portNumber,
  semverRange,
  webAddress,
} from './option-values.ts';

/** Default address of the agent chart; an installation sets its own. */
const DEFAULT_CHART_URL = 'oci://registry.gateway.internal/charts/agent';

const option = (flags: string, description: string, parse: (text: string) => unknown): Option =>
  new Option(flags, description).argParser(parse);

const ADDRESS_OPTIONS: readonly Option[] = [
  option('--host <host>', 'address to listen on', nonEmpty).default('127.0.0.1'),
  option('--port <port>', 'port, 0 for any free one', portNumber).default(8080),
  option(
    '--allowed-hosts <hosts>',
    'host names, in addition to those of this machine, that requests may name; * for all',
    commaList,
  ),
  option(
    '--allowed-origins <origins>',
    'web origins, as scheme://host, whose pages may call it; * for all',
    commaList,
  ),
];

const STORE_OPTIONS: readonly Option[] = [
  option('--store <dir>', 'store releases as files in this directory', nonEmpty).conflicts(
    'kubernetes',
  ),
  new Option('--kubernetes', 'store releases in the cluster'),
  option(
    '--kubeconfig <file>',
    'kubeconfig of the cluster (default: KUBECONFIG, the service account of the pod, ~/.kube/config)',
    nonEmpty,
  ),
  option(
    '--namespaces <namespaces>',
    'namespaces in which agents are managed; the first is the default',
    namespaceList,
  ).default(['default'], 'default'),
];

const RELEASE_OPTIONS: readonly Option[] = [
  option('--chart-url <url>', 'the agent chart', chartUrl).default(DEFAULT_CHART_URL),
  option('--chart-semver <range>', 'versions of the chart that Flux installs', semverRange).default(
    'x.x.x',
  ),
  option(
    '--helmrelease-interval <duration>',
    'interval at which Flux reconciles a release',
    duration,
  ).default('10m'),
  option(
    '--ocirepository-interval <duration>',
    'interval at which Flux checks for new versions of the chart',
    duration,
  ).default('30m'),
  option(
    '--service-account-name <name>',
    'ServiceAccount that Flux applies releases as',
    accountName,
  ),
  option('--skills-repositories <urls>', 'Git repositories that list_skills searches', commaList),
  option(
    '--skills-api-url <url>',
    'REST API of their host (default: the API of the public host, /api/v3 of any other)',
    webAddress,
  ),
];

const OAUTH_OPTIONS: readonly Option[] = [
  new Option('--enable-oauth', 'require a token of a trusted issuer for /api/v1 and /mcp'),
  option('--oauth-issuer <url>', 'issuer whose tokens are accepted', webAddress).conflicts(
    'oauthConfig',
  ),
  option(
    '--oauth-audiences <audiences>',
    'accepted audiences of the tokens (default: the public URL followed by /mcp)',
    commaList,
  ).conflicts('oauthConfig'),
  option(
    '--oauth-config <file>',
    'YAML file with the accepted tokens: issuers, as in the key auth of the gateway',
    nonEmpty,
  ),
  option(
    '--public-url <url>',
    'URL under which clients reach the service (default: the address that it listens on)',
    webAddress,
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
