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

/** Starts agent-manager. @param store the directory with its releases; undefined where the arguments name a cluster */
export const startAgentManager = async (
  store: string | undefined,
  more: readonly string[] = [],
): Promise<RunningService> => {
  const stored = store === undefined ? [] : ['--store', store];
  const args = [cliOf('agent-manager'), 'serve', ...stored, '--port', '0', ...more];
  const program = await startProgram({ args, listening: LISTENING });
  return { ...program, url: urlIn(program.line) };
};

/** Starts a gateway. @param port 0 for any */
export const startGateway = async (
  configDirectory: string,
  { port = 0, args = [] }: { readonly port?: number; readonly args?: readonly string[] } = {},
): Promise<RunningService> => {
  const program = await startProgram({
    args: [
      ...[cliOf('gateway'), 'serve', '--config-dir', configDirectory],
      ...['--port', String(port), '--no-health-listener', ...args],
    ],
    // The example servers from npm are found by name.
    env: { PATH: [SERVERS, process.env['PATH'] ?? ''].join(delimiter) },
    listening: LISTENING,
  });
  return { ...program, url: urlIn(program.line) };
};

/** Starts the backend of the portal, which serves the web application that the build wrote. */
export const startPortalProgram = (args: readonly string[]): Promise<RunningProgram> =>
  startProgram({ args: [cliOf('portal'), 'serve', ...args], listening: SERVING });
