import { delimiter, resolve } from 'node:path';
import process from 'node:process';
import { startProgram, type RunningProgram } from './running-program.ts';

const APPS = resolve(import.meta.dirname, '../../../../apps');
const SERVERS = resolve(APPS, 'gateway/node_modules/.bin');
const LISTENING = /"msg":"listening"/;
const SERVING = /the portal serves /;

/** The compiled command line of an app. */
const cliOf = (app: string): string => resolve(APPS, app, 'dist/cli.js');

/** A service that other programs call. */
export interface RunningService extends RunningProgram {
  readonly url: string;
}

const urlIn = (line: string): string => (JSON.parse(line) as { readonly url: string }).url;

/** Further arguments and variables of a program. */
export interface ProgramExtras {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts agent-manager, which stores releases where its arguments say. */
export const startAgentManager = async ({
  args: more = [],
  env = {},
}: ProgramExtras): Promise<RunningService> => {
  const args = [cliOf('agent-manager'), 'serve', '--port', '0', ...more];
  const program = await startProgram({ args, env, listening: LISTENING });
  return { ...program, url: urlIn(program.line) };
};

/** Starts a gateway. @param port 0 for any */
export const startGateway = async (
  configDirectory: string,
  { port = 0, args = [], env = {} }: ProgramExtras & { readonly port?: number } = {},
): Promise<RunningService> => {
  const program = await startProgram({
    args: [
      ...[cliOf('gateway'), 'serve', '--config-dir', configDirectory],
      ...['--port', String(port), '--no-health-listener', ...args],
    ],
    // The example servers from npm are found by name.
    env: { PATH: [SERVERS, process.env['PATH'] ?? ''].join(delimiter), ...env },
    listening: LISTENING,
  });
  return { ...program, url: urlIn(program.line) };
};

/** Starts the backend of the portal, which serves the web application that the build wrote. */
export const startPortalProgram = (
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningProgram> =>
  startProgram({ args: [cliOf('portal'), 'serve', ...args], env, listening: SERVING });
