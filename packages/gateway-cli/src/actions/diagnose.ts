import { readConfiguration, type GatewayConfig } from '@gateway/gateway-config';
import {
  diagnoseCluster,
  findingText,
  readDirectory,
  type ClusterFinding,
  type StoreState,
} from '@gateway/resource-store';
import { escapeToJson, escapeToLine, type CommandResult } from '@gateway/service-host';
import { resolve } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import type { DiagnoseArguments } from '../arguments/diagnose-arguments.ts';
import type { ServingCommands } from '../command-context.ts';
import { problemLine, type DiagnosisLine } from '../output/diagnosis.ts';
import { styleOf } from '../output/style.ts';
import { configurationLines, fileLines, unusedFileLines } from './diagnose-files.ts';
import { serverLines } from './diagnose-servers.ts';

/** The parts of a diagnosis that its checks need. */
interface Subject {
  readonly args: DiagnoseArguments;
  readonly io: CliIo;
  readonly config: GatewayConfig;
  readonly state: StoreState;
}

/** The streams of the command, and the check of the state store, which the program provides. */
export interface DiagnoseOptions extends Pick<ServingCommands, 'stateProblem'> {
  readonly io: CliIo;
}

/**
 * Checks an installation: `config.yaml`, the files or the cluster with its definitions, permissions, objects and leader, the state store, and the
 * servers. Writes one line for each finding. Changes nothing.
 */
export async function diagnose(
  args: DiagnoseArguments,
  { io, stateProblem }: DiagnoseOptions,
): Promise<CommandResult> {
  const lines = await findingsOf(args, { io, stateProblem });
  const isHealthy = lines.every(({ severity }) => severity !== 'problem');
  if (args.output === 'json')
    io.stdout.write(`${escapeToJson({ healthy: isHealthy, findings: lines }, 2)}\n`);
  else writeLines(lines, io);
  return isHealthy ? 'succeeded' : 'failed';
}

async function findingsOf(
  args: DiagnoseArguments,
  { io, stateProblem }: DiagnoseOptions,
): Promise<readonly DiagnosisLine[]> {
  const first = await readDirectory(args.configDir);
  const configuration = readConfiguration(first.config);
  const problems = [...first.configProblems, ...(configuration.ok ? [] : configuration.problems)];
  if (!configuration.ok)
    return [
      ...configurationLines(problems),
      {
        ...{ area: 'configuration', code: 'unchecked', severity: 'note' },
        message: 'Nothing else was checked, because it depends on config.yaml.',
        remedy: 'Correct config.yaml, then repeat the command.',
      },
    ];
  const { config } = configuration;
  const state = await readDirectory(args.configDir, { apiGroup: config.apiGroup });
  const subject: Subject = { args, io, config, state };
  const isInCluster = args.kubernetes ?? config.kubernetes.enabled;
  const parts = await Promise.all([
    stateLines(subject, stateProblem),
    ...(isInCluster
      ? [clusterLines(subject)]
      : [fileLines(args.configDir, state), ownServerLines(subject)]),
  ]);
  return [
    ...configurationLines(problems),
    ...(isInCluster ? unusedFileLines(state) : []),
    ...parts.flat(),
  ];
}

async function stateLines(
  { args, config, io }: Subject,
  stateProblem: DiagnoseOptions['stateProblem'],
): Promise<readonly DiagnosisLine[]> {
  const problem = await stateProblem(config.state, {
    ...{ directory: resolve(args.configDir), environment: io.env },
  });
  if (problem === undefined) return [];
  const remedy =
    'Check state in config.yaml: the address, the password, the certificate authority and the state key; sign-ins fail until the store can be used.';
  return [problemLine('state', 'state-unusable', { message: withStop(problem), remedy })];
}

const withStop = (text: string): string => (/[.!?]$/u.test(text) ? text : `${text}.`);

const codeOf = (finding: ClusterFinding): string =>
  finding.code === 'server' ? `server-${finding.trouble.cause}` : finding.code;

async function clusterLines({ args, config }: Subject): Promise<readonly DiagnosisLine[]> {
  const { enabled: _enabled, kubeconfig, context, namespace, ...rest } = config.kubernetes;
  const findings = await diagnoseCluster({
    ...{ apiGroup: config.apiGroup, ...rest },
    // A gateway in a cluster does not listen on a loopback address, so that writes are none by default.
    writes: config.coreTools.writes ?? 'none',
    storesRuns: config.workflows.executionsDirectory === undefined,
    ...(kubeconfig === undefined ? {} : { kubeconfig: resolve(args.configDir, kubeconfig) }),
    ...(context === undefined ? {} : { context }),
    ...(namespace === undefined ? {} : { namespace }),
  });
  return findings.map((finding) => ({
    ...{ area: finding.code === 'server' ? 'servers' : 'cluster', code: codeOf(finding) },
    ...findingText(finding),
  }));
}

const ownServerLines = ({
  args: { url },
  io,
  config,
  state,
}: Subject): Promise<readonly DiagnosisLine[]> =>
  serverLines(state, { config, io, ...(url === undefined ? {} : { url }) });

const STYLES = { problem: 'red', note: 'yellow' } as const;

function writeLines(lines: readonly DiagnosisLine[], { stdout, env }: CliIo): void {
  const style = styleOf(stdout, env);
  for (const { severity, message, remedy } of lines) {
    const text = [message, ...(remedy === undefined ? [] : [remedy])].join(' ');
    stdout.write(`${style(STYLES[severity], `${severity}:`)} ${escapeToLine(text)}\n`);
  }
  const count = lines.filter(({ severity }) => severity === 'problem').length;
  const summary = count === 1 ? '1 problem' : `${String(count)} problems`;
  stdout.write(count === 0 ? `${style('green', 'no problems')}\n` : `${style('red', summary)}\n`);
}
