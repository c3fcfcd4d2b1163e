import { retryAssertion } from '@gateway/repo-checks';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StdioCommand } from './clients.ts';
import { atEnd } from './lifetime.ts';
import { startNode, type RunningProcess } from './process.ts';

/** The folder of the application. */
export const APP = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The built command line of the gateway. */
export const CLI = resolve(APP, 'dist/cli.js');

/** The environment in which the example servers from npm are found by name. */
export const SERVER_ENV: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${resolve(APP, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
};

/** A gateway in a process of its own, on a free port of 127.0.0.1. */
export interface RunningGateway extends RunningProcess {
  readonly url: URL;
  /** Log lines that were parsed as JSON. */
  logs(): readonly Readonly<Record<string, unknown>>[];
}

/** Marks the line of the log that names the address, as JSON or as text. */
const LISTENING = /"msg":"listening"| listening url=/u;
const LISTEN_URL = /\burl(?:":|=)"([^"]*)"/u;

/** Starts `gateway serve` and waits until it listens. The end stops it. */
export async function launchGateway(
  configDirectory: string,
  options: {
    readonly args?: readonly string[];
    readonly node?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** The listener for probes and metrics; none when absent, unless `args` name a port. */
    readonly health?: 'default';
  } = {},
): Promise<RunningGateway> {
  const { args = [], node = [], env = {} } = options;
  // Gateways of parallel tests would take the default port from each other.
  const isOff = options.health === undefined && !args.includes('--health-port');
  const health = isOff ? ['--no-health-listener'] : [];
  const running = startNode(
    [...node, CLI, 'serve', '--config-dir', configDirectory, '--port', '0', ...health, ...args],
    { env: { ...SERVER_ENV, ...env } },
  );
  atEnd(() => running.stop());
  const line = await running.line((text) => LISTENING.test(text));
  const url = LISTEN_URL.exec(line)?.[1] ?? '';
  return { ...running, url: new URL(url), logs: () => running.stderr.flatMap(parseLine) };
}

/** Starts `gateway serve` and waits until it is ready. */
export async function startGateway(
  configDirectory: string,
  options: Parameters<typeof launchGateway>[1] = {},
): Promise<RunningGateway> {
  const gateway = await launchGateway(configDirectory, options);
  await untilReady(gateway);
  return gateway;
}

/** Waits until `/readyz` reports ready. */
async function untilReady({ url, stderr }: RunningGateway): Promise<void> {
  await retryAssertion(async () => {
    const { ok } = await fetch(new URL('/readyz', url));
    if (!ok) throw new Error(`not ready\n${stderr.slice(-20).join('\n')}`);
  });
}

/** `gateway stdio` as a command for a client. */
export function stdioCommand(configDirectory: string, args: readonly string[] = []): StdioCommand {
  const env = Object.entries(SERVER_ENV).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    command: process.execPath,
    args: [CLI, 'stdio', '--config-dir', configDirectory, ...args],
    env: Object.fromEntries(env),
  };
}

/** Runs a command of the gateway's command line to its end. */
export async function runGateway(
  args: readonly string[],
  env: NodeJS.ProcessEnv = SERVER_ENV,
): Promise<{ code: number | null; stdout: readonly string[]; stderr: readonly string[] }> {
  const { exited, stdout, stderr, child } = startNode([CLI, ...args], { env });
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const { code } = await exited;
  clearTimeout(limit);
  return { code, stdout, stderr };
}

function parseLine(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}
