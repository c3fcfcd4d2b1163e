import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '@gateway/test-peers';
import { placeOf, REPOSITORY } from '../install/places.ts';
import { untilListed, type ExpectedTool } from './listed-tools.ts';

/** The last build of the command line of the gateway. */
export const BUILT_GATEWAY = join(REPOSITORY, 'apps/gateway/dist/cli.js');
const END_WITH_PARENT = placeOf('fixtures/end-with-parent.mjs');
const START_MS = 60_000;
const GRACE_MS = 10_000;
const KEPT_CHARACTERS = 20_000;

/** A gateway in a process of its own. */
export interface Gateway {
  /** The MCP endpoint. It is the same after a restart. */
  readonly url: string;
  /** Stops the gateway and starts it again. Resolves when it is ready. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** The last of what it wrote to standard error. */
  readonly errorOutput: () => string;
}

/** The configuration and the mode of a gateway. */
export interface GatewayOptions {
  readonly configDirectory: string;
  readonly expose: 'meta' | 'native';
  /** The gateway counts as started when it has these. */
  readonly tools: readonly ExpectedTool[];
}

/** Starts a gateway and resolves when it is ready. @throws when it does not start */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}/mcp`;
  let errorOutput = '';
  const start = async (): Promise<ChildProcess> => {
    const child = spawnGateway(options, port);
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      errorOutput = (errorOutput + chunk).slice(-KEPT_CHARACTERS);
    });
    try {
      await readiness(child, () => errorOutput);
      await untilListed({ url, expose: options.expose }, options.tools);
      return child;
    } catch (error) {
      await stop(child);
      throw error;
    }
  };
  let child = await start();
  return {
    url,
    restart: async () => {
      await stop(child);
      child = await start();
    },
    stop: () => stop(child),
    errorOutput: () => errorOutput,
  };
}

function spawnGateway({ configDirectory, expose }: GatewayOptions, port: number): ChildProcess {
  const options = ['--config-dir', configDirectory, '--expose', expose, '--port', String(port)];
  return spawn(
    process.execPath,
    ['--import', END_WITH_PARENT, BUILT_GATEWAY, 'serve', ...options, '--log-level', 'warn'],
    { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
}

async function readiness(child: ChildProcess, errorOutput: () => string): Promise<void> {
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => {
      resolve((message as { readonly listening: string }).listening);
    });
    child.once('close', () => {
      reject(new Error(`The gateway ended.\n${errorOutput()}`));
    });
  });
  const end = Date.now() + START_MS;
  while (Date.now() < end) {
    const { ok } = await fetch(new URL('/readyz', url));
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill();
  throw new Error(`The gateway was not ready within ${String(START_MS)} ms.\n${errorOutput()}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(timer);
}
