import type { ServerProbe } from '@gateway/core-tools';
import { resolveAuthStrategy, type McpServer, type McpServerSpec } from '@gateway/crd-schemas';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { type Check, toSentence } from './check.ts';

/** The facts that a gateway has reported about a server. */
export interface ReportedServer {
  /** Absent when nothing was reported. */
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
  /** The message about tools whose names other servers hold. */
  readonly namesTaken?: string | undefined;
}

type ServerText = Pick<Check, 'code' | 'message' | 'remedy'> & Partial<Pick<Check, 'verdict'>>;

const hasUserSignIn = (spec: McpServerSpec): boolean =>
  spec.type !== 'stdio' && resolveAuthStrategy(spec.auth).kind !== 'none';

const findStateText = (
  name: string,
  spec: McpServerSpec,
  { state, reason = 'no reason was reported' }: ReportedServer,
): ServerText | undefined => {
  const failed = {
    code: 'server-failed',
    message: toSentence(`is ${state ?? ''}: ${reason}`),
    remedy: `Correct its definition or the server, then: gateway servers restart ${name}`,
  };
  switch (state) {
    case undefined:
      if (!spec.autoStart) return undefined;
      return {
        code: 'server-unreported',
        message: 'starts automatically, but no gateway has reported its state.',
        remedy: 'Check that a gateway runs, that it uses this namespace and that it leads.',
      };
    case 'Failed':
      return failed;
    case 'Disconnected':
    case 'Stopped':
      return spec.autoStart ? failed : undefined;
    case 'Auth Required':
      return hasUserSignIn(spec)
        ? {
            code: 'server-user-sign-in',
            verdict: 'note',
            message: 'requires that each user signs in to it.',
            remedy: `A user without its tools signs in with core_auth_login, argument server: ${name}`,
          }
        : {
            code: 'server-refused-sign-in',
            message: 'answers 401, and its definition has no sign-in.',
            remedy: 'Add a token to spec.headers, or let users sign in with spec.auth.type: oauth.',
          };
    default:
      return undefined;
  }
};

/**
 * Returns what is wrong with a server by the facts that a gateway reported. Servers that do not start automatically may be stopped.
 *
 * @param subject its name, with the namespace before a slash in a cluster
 * @spec §2.6 status
 */
export const checkReportedServer = (
  subject: string,
  spec: McpServerSpec,
  reported: ReportedServer,
): readonly Check[] => {
  const name = subject.slice(subject.lastIndexOf('/') + 1);
  const { namesTaken } = reported;
  const state = findStateText(name, spec, reported);
  const texts: readonly ServerText[] = [
    ...(state === undefined ? [] : [state]),
    ...(namesTaken === undefined
      ? []
      : [
          {
            code: 'server-names-taken',
            message: toSentence(`does not serve all of its tools: ${namesTaken}`),
            remedy: 'Set another spec.toolPrefix.',
          },
        ]),
  ];
  return texts.map((text) => ({ area: 'server', subject, verdict: 'problem', ...text }));
};

interface CommandPlace {
  readonly directory: string;
  readonly path: string;
  /** The endings of programs on Windows (`PATHEXT`); empty elsewhere. */
  readonly endings: readonly string[];
}

const isProgram = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
};

/** Returns the file that a command runs, as an absolute path; undefined when there is none. POSIX.1-2024, Base Definitions §8.3 PATH */
const findExecutable = async (
  command: string,
  { directory, path, endings }: CommandPlace,
): Promise<string | undefined> => {
  const isPath = isAbsolute(command) || /[/\\]/u.test(command);
  const folders = isPath ? [directory] : path.split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders)
    for (const ending of ['', ...endings]) {
      const file = resolve(directory, folder, `${command}${ending}`);
      if (await isProgram(file)) return file;
    }
  return undefined;
};

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

const formatStart = (
  { durationMs, protocolVersion, serverName, serverVersion, toolsCount }: ServerProbe,
  executable: string | undefined,
): string => {
  const name = [serverName, serverVersion].filter((part) => part !== undefined).join(' ');
  return [
    ...(executable === undefined ? [] : [executable]),
    `started in ${formatSeconds(durationMs)}`,
    ...(protocolVersion === undefined ? [] : [`protocol ${protocolVersion}`]),
    ...(name === '' ? [] : [name]),
    toolsCount === 1 ? '1 tool' : `${toolsCount.toString()} tools`,
  ].join(', ');
};

const findRemedy = (
  { isCommandMissing, isValueMissing }: ServerProbe,
  { spec }: McpServer,
): string => {
  if (isValueMissing)
    return 'Correct this value, or what names it: variables are those of the shell of this command, files those of the configuration directory.';
  if (spec.type !== 'stdio') return 'Check spec.url, and whether the server runs.';
  return isCommandMissing
    ? `Install ${spec.command}, or write its absolute path; PATH of the gateway has no such program.`
    : 'Run the command of the server in a terminal, and see its output.';
};

export const checkSkippedServer = ({ metadata: { name } }: McpServer): Check => ({
  area: 'server',
  code: 'probe-skipped',
  subject: name,
  verdict: 'note',
  message: 'not started, because it does not start with the gateway (autoStart: false)',
  remedy: 'The option --all starts it too, and sends it its secrets.',
});

export const checkProbedServer = async (
  server: McpServer,
  probed: ServerProbe,
  configDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Check> => {
  const { spec } = server;
  const executable =
    spec.type === 'stdio'
      ? await findExecutable(spec.command, {
          directory: resolve(configDir, spec.cwd ?? '.'),
          path: spec.env['PATH'] ?? env['PATH'] ?? '',
          endings: env['PATHEXT']?.split(';') ?? [],
        })
      : undefined;
  const { name, reason = 'it did not start', ...facts } = probed;
  const about = {
    area: 'server',
    code: `probe-${probed.outcome}`,
    subject: name,
    facts: { ...facts, ...(executable !== undefined && { executable }) },
  } as const;
  switch (probed.outcome) {
    case 'started':
      return { ...about, verdict: 'ok', message: formatStart(probed, executable) };
    case 'auth-required':
      return {
        ...about,
        verdict: 'note',
        message: 'requires a sign-in, and was not checked further',
        remedy: 'Each user signs in with core_auth_login.',
      };
    case 'failed':
      return {
        ...about,
        verdict: 'problem',
        message: `${reason} (after ${formatSeconds(probed.durationMs)})`,
        remedy: findRemedy(probed, server),
      };
  }
};
