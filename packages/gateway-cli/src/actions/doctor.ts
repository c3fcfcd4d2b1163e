import { chooseCoreToolWrites, type GatewayConfig } from '@gateway/gateway-config';
import type { StoreState } from '@gateway/resource-store';
import type { CommandResult } from '@gateway/service-host';
import { resolve } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import { askCoreTool } from '../client/request-gateway.ts';
import type { ServingCommands } from '../command-context.ts';
import { checkCluster } from '../doctor/check-cluster.ts';
import { checkFiles, checkUnusedFiles, checkNode, checkPorts } from '../doctor/check-machine.ts';
import {
  checkProbedServer,
  checkReportedServer,
  checkSkippedServer,
} from '../doctor/check-servers.ts';
import { type Check, formatList, reportChecks, toSentence } from '../doctor/check.ts';
import { parseEndpoint } from '../endpoint.ts';
import { CommandFailure } from '../failure.ts';
import { listEntries, formatField } from '../json-fields.ts';

/** `validate` checks files, `diagnose` also the running gateway and the cluster, `doctor` also this machine and a start of each server. */
export type DoctorCommand = 'validate' | 'diagnose' | 'doctor';

export interface DoctorArguments {
  readonly configDir: string;
  readonly output: 'text' | 'json';
  readonly all?: boolean;
  readonly kubernetes?: true;
  readonly url?: string;
  /** The user has named the endpoint in this command, so that it must be the gateway of the directory. */
  readonly hasUrlOption?: boolean;
}

interface DoctorContext {
  readonly io: CliIo;
  readonly serving: Pick<ServingCommands, 'probeServers' | 'stateProblem'>;
}

/**
 * Checks an installation: this machine, the files, the state store, the running gateway or the cluster, and each server, which it starts once.
 * Writes a line for each check. Changes nothing. Ctrl+C ends the servers that were started, and the command.
 */
export async function runDoctor(
  command: DoctorCommand,
  args: DoctorArguments,
  context: DoctorContext,
): Promise<CommandResult> {
  const { io } = context;
  return reportChecks(runChecks(command, args, context), {
    output: args.output,
    onProblem: command === 'validate' ? 'refused' : 'failed',
    io,
  });
}

async function* runChecks(
  command: DoctorCommand,
  args: DoctorArguments,
  context: DoctorContext,
): AsyncGenerator<Check, CommandResult | undefined> {
  const isDoctor = command === 'doctor';
  if (isDoctor) yield checkNode();
  const { state, config, configuration, resources } = await checkFiles(args.configDir);
  yield* configuration;
  if (command === 'validate' || config === undefined) yield* resources;
  if (command === 'validate') return undefined;
  if (config === undefined) {
    yield createDefinitionNote;
    return undefined;
  }
  const isInCluster = args.kubernetes ?? config.kubernetes.enabled;
  yield* isInCluster ? checkUnusedFiles(state) : resources;
  if (isDoctor) yield* await checkPorts(config);
  yield* await checkState(config, args, context);
  if (isInCluster) {
    yield* await checkCluster(toClusterOptions(config, args.configDir));
    return undefined;
  }
  yield* await checkGateway(state, config, args, context);
  return isDoctor ? yield* probeServers(state, config, args, context) : undefined;
}

const createDefinitionNote: Check = {
  area: 'configuration',
  code: 'unchecked',
  verdict: 'note',
  message: 'Nothing else was checked, because it depends on config.yaml.',
  remedy: 'Correct config.yaml, then repeat the command.',
};

async function checkState(
  config: GatewayConfig,
  { configDir }: DoctorArguments,
  { io, serving }: DoctorContext,
): Promise<readonly Check[]> {
  const place = { directory: resolve(configDir), environment: io.env };
  const problem = await serving.stateProblem(config.state, place);
  if (problem === undefined) return [];
  return [
    {
      area: 'state',
      code: 'state-unusable',
      verdict: 'problem',
      message: toSentence(problem),
      remedy:
        'Check state in config.yaml: the address, the password, the certificate authority and the state key; sign-ins fail until the store can be used.',
    },
  ];
}

/** Returns what the checks of the cluster need to know of the configuration. */
export const toClusterOptions = (
  config: GatewayConfig,
  configDir: string,
): Parameters<typeof checkCluster>[0] => {
  const { apiGroup, kubernetes, workflows } = config;
  return {
    ...kubernetes,
    apiGroup,
    // A gateway in a cluster does not listen on a loopback address.
    writes: chooseCoreToolWrites(config, { option: undefined, isLocal: false }),
    storesRuns: workflows.executionsDirectory === undefined,
    kubeconfig:
      kubernetes.kubeconfig === undefined ? undefined : resolve(configDir, kubernetes.kubeconfig),
  };
};

/**
 * Asks the running gateway for the states of the servers. A gateway that does not answer, or has another configuration, is a note unless the
 * command names it: it may not have been started yet.
 */
async function checkGateway(
  { servers }: StoreState,
  { http: { port } }: GatewayConfig,
  { url, hasUrlOption = false }: DoctorArguments,
  { io }: DoctorContext,
): Promise<readonly Check[]> {
  const about = { area: 'server', verdict: hasUrlOption ? 'problem' : 'note' } as const;
  try {
    const address = url ?? `http://127.0.0.1:${String(port)}/mcp`;
    const { href } = parseEndpoint(address, hasUrlOption ? '--url' : 'GATEWAY_URL');
    const query = { showAll: true, verbose: true };
    const value = await askCoreTool({ url: href }, io, 'core_mcpserver_list', query);
    const reported = new Map(
      listEntries(value, 'mcpServers').map((server) => [formatField(server, 'name'), server]),
    );
    const missing: string[] = [];
    const checks = servers.flatMap(({ metadata: { name }, spec }) => {
      const server = reported.get(name);
      if (server === undefined) {
        missing.push(name);
        return [];
      }
      return checkReportedServer(name, spec, {
        state: formatField(server, 'state') || undefined,
        reason: formatField(server, 'error') || formatField(server, 'statusMessage') || undefined,
      });
    });
    if (missing.length === 0) return checks;
    const foreign: Check = {
      ...about,
      code: 'gateway-foreign',
      message: `The gateway at ${href} serves another configuration: it does not have ${formatList(missing)}.`,
      remedy: 'Name the gateway of this directory with --url.',
    };
    return [foreign, ...checks];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return [
      {
        ...about,
        code: 'gateway-unavailable',
        message: `The states of the servers are not known: ${error.message.replaceAll(/\s+/gu, ' ')}`,
      },
    ];
  }
}

/** Starts each server once. Returns `interrupted` after Ctrl+C, when they have been ended. */
async function* probeServers(
  state: StoreState,
  config: GatewayConfig,
  { configDir, all = false }: DoctorArguments,
  { io, serving }: DoctorContext,
): AsyncGenerator<Check, CommandResult | undefined> {
  const servers = state.servers.filter(({ spec }) => all || spec.autoStart);
  yield* state.servers.filter((server) => !servers.includes(server)).map(checkSkippedServer);
  const byName = new Map(servers.map((server) => [server.metadata.name, server]));
  const signal = io.getInterruptSignal();
  const isInterrupted = (): boolean => signal.aborted;
  const question = { config, directory: resolve(configDir), servers, signal };
  for await (const probed of await serving.probeServers(question)) {
    const server = byName.get(probed.name);
    if (isInterrupted()) break;
    if (server !== undefined) yield await checkProbedServer(server, probed, configDir, io.env);
  }
  if (!isInterrupted()) return undefined;
  io.stderr.write('gateway: interrupted; the servers that were started have been ended\n');
  return 'interrupted';
}
