import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stopProgram } from '@gateway/test-peers';
import { mkdirSync, writeFileSync } from 'node:fs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

export const REPOSITORY = resolve(PACKAGE, '../..');

export const resolvePlace = (...names: readonly string[]): string => resolve(PACKAGE, ...names);

const require = createRequire(import.meta.url);

/** Returns the path of the manifest of a package that this one depends on. @throws when it is not installed, as optional ones may be */
export const resolvePackageFile = (name: string): string => require.resolve(`${name}/package.json`);

interface Program {
  /** The address on which the program listens, from its output. */
  readonly listening: Promise<string>;
  /** Terminates the program, by force after a timeout. Resolves when it has ended. */
  readonly stop: () => Promise<void>;
  /** The last of what it wrote to standard error. */
  readonly errorOutput: () => string;
}

const START_MS = 60_000;
const GRACE_MS = 8_000;
const KEPT_CHARACTERS = 8_000;

export interface RunLimits {
  readonly cwd: string;
  readonly withinMs: number;
  /** Gets each line of the standard output as it is written. */
  readonly onLine?: (line: string) => void;
}

export interface Ending {
  /** Nothing when a signal ended it: it took too long. */
  readonly code: number | undefined;
  readonly output: string;
}

/** The running programs. They end with this process, unless SIGKILL ends it. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

function registerChild(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Starts a Node script that sends `{ listening }` to its parent over the message channel. */
function startProgram(args: readonly string[]): Program {
  const child = registerChild(
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
  );
  const text = keepOutput(child);
  return {
    listening: toAddress(child, text),
    stop: () => stopProgram(child, GRACE_MS),
    errorOutput: text,
  };
}

/** Runs a program to its end, for at most `withinMs`. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: RunLimits & { readonly env?: Readonly<Record<string, string>> },
): Promise<Ending> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  registerChild(child);
  const text = keepOutput(child);
  if (options.onLine !== undefined)
    createInterface({ input: child.stdout }).on('line', options.onLine);
  const ended = once(child, 'close');
  const timer = setTimeout(() => child.kill('SIGKILL'), options.withinMs);
  await ended;
  clearTimeout(timer);
  return { code: child.exitCode ?? undefined, output: text() };
}

function keepOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-KEPT_CHARACTERS);
    });
  return () => text;
}

function toAddress(child: ChildProcess, text: () => string): Promise<string> {
  const address = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`The program did not print its address within ${START_MS} ms.\n${text()}`));
    }, START_MS);
    child.on('message', (message) => {
      clearTimeout(timer);
      resolve((message as { listening: string }).listening);
    });
    child.once('close', () => {
      clearTimeout(timer);
      reject(new Error(`It ended before it listened.\n${text()}`));
    });
  });
  // A caller that awaits the address sees the error; there may be none yet.
  address.catch(() => undefined);
  return address;
}

/** The transport and the revision of the server behind the gateway. */
export type Fixture = '2025' | '2026' | 'stdio';

export interface Setup {
  readonly url: string;
  readonly errorOutput: () => string;
  readonly stop: () => Promise<void>;
}

export interface TestGateway extends Setup {
  readonly restart: () => Promise<void>;
}

const FIXTURE = resolvePlace('fixtures/serve.mjs');
export const BUILT_GATEWAY = join(REPOSITORY, 'apps/gateway/dist/cli.js');

const END_WITH_PARENT = resolvePlace('fixtures/end-with-parent.mjs');
const SERVING_MS = 60_000;

export interface NativeOptions {
  readonly folder: string;
  readonly program: string;
}

/** Starts the test server alone: its own result must be known before that of the gateway. */
export async function startFixture(fixture: Exclude<Fixture, 'stdio'>): Promise<Setup> {
  const server = startProgram([FIXTURE, fixture]);
  return { url: await server.listening, errorOutput: server.errorOutput, stop: server.stop };
}

/** Starts the gateway in native mode with the test server as its only server. */
export async function startNative(fixture: Fixture, options: NativeOptions): Promise<Setup> {
  const server = fixture === 'stdio' ? undefined : await startFixture(fixture);
  const configDir = join(options.folder, 'config');
  mkdirSync(join(configDir, 'mcpservers'), { recursive: true });
  writeFileSync(
    join(configDir, 'mcpservers/conformance.yaml'),
    JSON.stringify(createServerResource(server?.url)),
  );
  const args = ['--expose', 'native', '--port', '0', '--config-dir', configDir];
  return serveGateway({ ...options, args, stopPeer: async () => server?.stop() });
}

interface CompatServeOptions extends Omit<NativeOptions, 'folder'> {
  readonly args: readonly string[];
  readonly stopPeer?: () => Promise<void>;
}

/** Starts a gateway and waits until it is ready. @throws when it does not start; then the peer is stopped too */
export async function serveGateway(options: CompatServeOptions): Promise<Setup> {
  const { args, program } = options;
  const gateway = startProgram([
    ...['--import', END_WITH_PARENT, program],
    ...['serve', ...args, '--log-format', 'text', '--log-level', 'warn'],
  ]);
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await options.stopPeer?.();
  };
  try {
    const url = await gateway.listening;
    await waitUntilServing(url);
    return { url: new URL('/mcp', url).href, errorOutput: gateway.errorOutput, stop };
  } catch (error) {
    await stop();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The gateway did not start: ${reason}\n${gateway.errorOutput()}`, {
      cause: error,
    });
  }
}

function createServerResource(url: string | undefined): object {
  const transport =
    url === undefined
      ? { type: 'stdio', command: process.execPath, args: [FIXTURE, 'stdio'] }
      : { type: 'streamable-http', url };
  return {
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: 'conformance' },
    spec: { ...transport, autoStart: true },
  };
}

async function waitUntilServing(url: string): Promise<void> {
  const end = Date.now() + SERVING_MS;
  while (Date.now() < end) {
    const { ok } = await fetch(new URL('/readyz', url));
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It was not ready within ${SERVING_MS} ms.`);
}
