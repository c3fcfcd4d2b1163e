import type { ServerProbe } from '@gateway/core-tools';
import type { McpServer } from '@gateway/crd-schemas';
import { resolve } from 'node:path';
import type { Check } from './check.ts';
import { findExecutable } from './find-executable.ts';

/** Where the commands of servers are searched. */
export interface ServerPlace {
  readonly configDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the file that the command of a stdio server runs; undefined for other servers, and when there is none. */
async function executableOf(
  { spec }: McpServer,
  { configDir, env }: ServerPlace,
): Promise<string | undefined> {
  if (spec.type !== 'stdio') return undefined;
  return findExecutable(spec.command, {
    directory: resolve(configDir, spec.cwd ?? '.'),
    path: spec.env['PATH'] ?? env['PATH'] ?? '',
    endings: env['PATHEXT']?.split(';') ?? [],
  });
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

const startedText = (
  { durationMs, protocolVersion, serverName, serverVersion, toolsCount }: ServerProbe,
  executable: string | undefined,
): string => {
  const name = [serverName, serverVersion].filter((part) => part !== undefined).join(' ');
  return [
    ...(executable === undefined ? [] : [executable]),
    `started in ${seconds(durationMs)}`,
    ...(protocolVersion === undefined ? [] : [`protocol ${protocolVersion}`]),
    ...(name === '' ? [] : [name]),
    toolsCount === 1 ? '1 tool' : `${toolsCount.toString()} tools`,
  ].join(', ');
};

const remedyOf = (
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

/** Returns the line about a server that was not started. */
export const skippedCheck = ({ metadata: { name } }: McpServer): Check => ({
  ...{ area: 'server', subject: name, verdict: 'note', facts: { outcome: 'skipped' } },
  message: 'not checked, because it does not start with the gateway (autoStart: false)',
  remedy: 'The option --all starts it too, and sends it its secrets.',
});

/** Returns the line about a server that was started once. */
export async function serverCheck(
  server: McpServer,
  probed: ServerProbe,
  place: ServerPlace,
): Promise<Check> {
  const executable = await executableOf(server, place);
  const { name, reason = 'it did not start', ...facts } = probed;
  const line = {
    ...{ area: 'server' as const, subject: name },
    facts: { ...facts, ...(executable !== undefined && { executable }) },
  };
  switch (probed.outcome) {
    case 'started':
      return { ...line, verdict: 'ok', message: startedText(probed, executable) };
    case 'auth-required':
      return {
        ...{ ...line, verdict: 'note', message: 'requires a sign-in, and was not checked further' },
        remedy: 'Each person signs in with core_auth_login.',
      };
    case 'failed':
      return {
        ...{
          ...line,
          verdict: 'problem',
          message: `${reason} (after ${seconds(probed.durationMs)})`,
        },
        remedy: remedyOf(probed, server),
      };
  }
}
