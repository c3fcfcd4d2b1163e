import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNode, type RunningProcess } from './process.ts';

const app = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The built command line of the gateway. */
export const CLI = resolve(app, 'dist/cli.js');

/** The environment in which the example servers from npm are found by name. */
export const SERVER_ENV: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${resolve(app, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
};

/** A gateway in a process of its own, on a free port of 127.0.0.1. */
export interface RunningGateway extends RunningProcess {
  readonly url: URL;
  /** Log lines that were parsed as JSON. */
  logs(): readonly Readonly<Record<string, unknown>>[];
}

/** Starts `gateway serve` and waits until it is ready. */
export async function startGateway(
  configDirectory: string,
  args: readonly string[] = [],
): Promise<RunningGateway> {
  const running = startNode(
    [CLI, 'serve', '--config-dir', configDirectory, '--port', '0', ...args],
    {
      env: SERVER_ENV,
    },
  );
  const line = await running.line((text) => text.includes('"msg":"listening"'));
  const { url } = JSON.parse(line) as { url: string };
  const ready = new URL('/readyz', url);
  const deadline = Date.now() + 20_000;
  while (!(await fetch(ready)).ok) {
    if (Date.now() > deadline)
      throw new Error(`not ready\n${running.stderr.slice(-20).join('\n')}`);
    await new Promise((wake) => setTimeout(wake, 25));
  }
  return {
    ...running,
    url: new URL(url),
    logs: () => running.stderr.flatMap(parseLine),
  };
}

function parseLine(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}
