import {
  DEFAULT_HEALTH_PORT,
  healthAddress,
  HEALTH_PORT_OPTION,
  PORT_OPTION,
  portClash,
  readConfiguration,
  type GatewayConfig,
  type NamedAddress,
} from '@gateway/gateway-config';
import type { McpServer } from '@gateway/crd-schemas';
import { readDirectory, resourceProblemText, type StoreState } from '@gateway/resource-store';
import {
  escapeToJson,
  escapeToLine,
  nodeVersionProblem,
  OLDEST_NODE,
  type CommandResult,
} from '@gateway/service-host';
import { resolve } from 'node:path';
import type { DoctorArguments } from '../arguments/doctor-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import type { ServingCommands } from '../command-context.ts';
import type { Check, Verdict } from '../doctor/check.ts';
import { checkPort } from '../doctor/check-port.ts';
import { serverCheck, skippedCheck } from '../doctor/server-check.ts';
import { styleOf, type TextStyle } from '../output/style.ts';

/** The dependencies of {@link doctor}. */
export interface DoctorDependencies extends Pick<ServingCommands, 'probeServers'> {
  readonly io: CliIo;
}

/**
 * Checks what `gateway serve` needs: Node, the configuration, the ports, and each server, which it starts once. Servers that do not start with
 * the gateway are started with `all` only. Writes one line for each check when it is done. Changes nothing. Ctrl+C ends the servers and the
 * command.
 */
export async function doctor(
  args: DoctorArguments,
  { io, probeServers }: DoctorDependencies,
): Promise<CommandResult> {
  const interrupted = io.interrupted();
  const isInterrupted = (): boolean => interrupted.aborted;
  const checks: Check[] = [];
  for await (const check of checksOf(args, { probeServers, interrupted, env: io.env })) {
    if (isInterrupted()) break;
    checks.push(check);
    if (args.output === 'text') io.stdout.write(lineOf(check, io));
  }
  if (isInterrupted()) {
    io.stderr.write('gateway: interrupted; the servers that were started have been ended\n');
    return 'interrupted';
  }
  const problems = checks.filter(({ verdict }) => verdict === 'problem').length;
  const isHealthy = problems === 0;
  if (args.output === 'json')
    io.stdout.write(`${escapeToJson({ healthy: isHealthy, checks }, 2)}\n`);
  else io.stdout.write(summaryOf(problems, io));
  return isHealthy ? 'succeeded' : 'failed';
}

interface CheckDependencies extends Pick<DoctorDependencies, 'probeServers'> {
  readonly interrupted: AbortSignal;
  readonly env: CliIo['env'];
}

async function* checksOf(
  { configDir, all = false }: DoctorArguments,
  { probeServers, interrupted, env }: CheckDependencies,
): AsyncGenerator<Check, void> {
  yield nodeCheck();
  const first = await readDirectory(configDir);
  const configuration = readConfiguration(first.config);
  if (!configuration.ok) {
    yield* [...first.configProblems, ...configuration.problems].map(fileProblem);
    return;
  }
  const { config } = configuration;
  const state = await readDirectory(configDir, { apiGroup: config.apiGroup });
  yield* configurationChecks(state);
  yield* await portChecks(config);
  if (config.kubernetes.enabled) {
    yield inCluster;
    return;
  }
  const isStarted = ({ spec }: McpServer): boolean => all || spec.autoStart;
  yield* state.servers.filter((server) => !isStarted(server)).map(skippedCheck);
  const servers = state.servers.filter(isStarted);
  const byName = new Map(servers.map((server) => [server.metadata.name, server]));
  const question = { config, directory: resolve(configDir), servers };
  for await (const probed of await probeServers({ ...question, signal: interrupted })) {
    const server = byName.get(probed.name);
    if (server !== undefined) yield serverCheck(server, probed, { configDir, env });
  }
}

const nodeCheck = (): Check => {
  const problem = nodeVersionProblem({ feature: 'gateway', minimum: OLDEST_NODE });
  return problem === undefined
    ? { area: 'node', verdict: 'ok', message: process.versions.node }
    : { area: 'node', verdict: 'problem', message: problem };
};

const inCluster: Check = {
  ...{ area: 'server', verdict: 'note' },
  message: 'The servers are objects of a cluster, which starts them.',
  remedy: 'Run gateway diagnose, which checks the cluster.',
};

const fileProblem = (problem: Parameters<typeof resourceProblemText>[0]): Check => ({
  ...{ area: 'configuration', verdict: 'problem', message: resourceProblemText(problem) },
  remedy: 'Correct the file.',
});

const counted = (count: number, thing: string): string =>
  `${count.toString()} ${thing}${count === 1 ? '' : 's'}`;

const configurationChecks = ({
  configProblems,
  problems,
  servers,
  workflows,
}: StoreState): readonly Check[] => {
  const refused = [...configProblems, ...problems].map(fileProblem);
  if (refused.length > 0) return refused;
  const message = `${counted(servers.length, 'server')}, ${counted(workflows.length, 'workflow')}`;
  return [{ area: 'configuration', verdict: 'ok', message }];
};

const portChecks = async (config: GatewayConfig): Promise<readonly Check[]> => {
  const { host, port } = config.http;
  const health = healthAddress(config, { host, healthListener: true });
  const own: NamedAddress = { host, port, option: PORT_OPTION };
  if (health === undefined) return [await checkPort(own)];
  const other: NamedAddress = { ...health, option: HEALTH_PORT_OPTION };
  const clash = portClash([own, other]);
  if (clash !== undefined) return [{ area: 'port', verdict: 'problem', message: clash }];
  // A gateway starts without the default port of health checks when it is in use.
  const isNeeded = health.isConfigured || health.port !== DEFAULT_HEALTH_PORT;
  return Promise.all((isNeeded ? [own, other] : [own]).map(checkPort));
};

const STYLES: Readonly<Record<Verdict, TextStyle>> = {
  ok: 'green',
  note: 'yellow',
  problem: 'red',
};

const lineOf = ({ area, subject, verdict, message, remedy }: Check, io: CliIo): string => {
  const style = styleOf(io.stdout, io.env);
  const about = subject === undefined ? area : `${area} ${subject}`;
  const text = [`${about}:`, message].join(' ');
  const more = remedy === undefined ? '' : `\n         ${escapeToLine(remedy)}`;
  return `${style(STYLES[verdict], verdict.padEnd(7))}  ${escapeToLine(text)}${more}\n`;
};

const summaryOf = (problems: number, io: CliIo): string => {
  const style = styleOf(io.stdout, io.env);
  return problems === 0
    ? `${style('green', 'no problems')}\n`
    : `${style('red', counted(problems, 'problem'))}\n`;
};
