import { Option, type Command } from 'commander';
import { LOG_FORMATS, LOG_LEVELS } from '../logging/log-level.ts';
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

/** Where the agent chart is, unless it is told otherwise: a place that each installation has of its own. */
const DEFAULT_CHART_URL = 'oci://registry.gateway.internal/charts/agent';

const option = (flags: string, description: string, parse: (text: string) => unknown): Option =>
  new Option(flags, description).argParser(parse);

const WHERE: readonly Option[] = [
  option('--host <host>', 'address to listen on', nonEmpty).default('127.0.0.1'),
  option('--port <port>', 'port, 0 for any free one', portNumber).default(8080),
  option(
    '--allowed-hosts <hosts>',
    'names, beside those of this machine, that callers reach it by; * for all',
    commaList,
  ),
  option(
    '--allowed-origins <origins>',
    'web sites, as scheme://host, whose pages may call it; * for all',
    commaList,
  ),
];

const RELEASES: readonly Option[] = [
  option('--store <dir>', 'keep releases as files in this directory', nonEmpty).conflicts(
    'kubernetes',
  ),
  new Option('--kubernetes', 'keep releases in the cluster'),
  option(
    '--kubeconfig <file>',
    'how to reach the cluster (default: KUBECONFIG, the account of the pod, ~/.kube/config)',
    nonEmpty,
  ),
  option(
    '--namespaces <namespaces>',
    'namespaces in which agents are managed; the first is the default one',
    namespaceList,
  ).default(['default'], 'default'),
];

const WRITTEN: readonly Option[] = [
  option('--chart-url <url>', 'the agent chart', chartUrl).default(DEFAULT_CHART_URL),
  option('--chart-semver <range>', 'versions of the chart that Flux takes', semverRange).default(
    'x.x.x',
  ),
  option(
    '--helmrelease-interval <duration>',
    'how often Flux looks at a release',
    duration,
  ).default('10m'),
  option(
    '--ocirepository-interval <duration>',
    'how often Flux looks for new versions of the chart',
    duration,
  ).default('30m'),
  option('--service-account-name <name>', 'account as which Flux applies releases', accountName),
  option('--skills-repositories <urls>', 'Git repositories in which list_skills looks', commaList),
  option(
    '--skills-api-url <url>',
    'REST API of their host (default: that of the public host, /api/v3 of another)',
    webAddress,
  ),
];

const LOGS: readonly Option[] = [
  new Option('--log-format <format>', 'JSON lines, or text for people')
    .choices(LOG_FORMATS)
    .default('json'),
  new Option('--log-level <level>', 'least severe level that is logged')
    .choices(LOG_LEVELS)
    .default('info'),
];

/** The options of `agent-manager serve`. */
export function addServeOptions(command: Command): Command {
  for (const each of [...WHERE, ...RELEASES, ...WRITTEN, ...LOGS]) command.addOption(each);
  return command;
}
