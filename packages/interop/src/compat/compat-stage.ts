import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import process from 'node:process';
import { stopProgram, findFreePort, isListening, waitUntilReady } from '@gateway/test-peers';
import { openHttp, createSdkDriver } from './drivers.ts';
import {
  BUILT_GATEWAY,
  type TestGateway,
  serveGateway,
  type Setup,
  resolvePlace,
} from '../gateway.ts';
import type { CompatStage } from './features.ts';
import type { PreparedServer, ServerSpec, ServerUnderTest } from './servers.ts';

export interface CompatDirectory {
  readonly path: string;
  readonly write: (name: string, spec: ServerSpec) => void;
  readonly remove: (name: string) => void;
}

function createConfigDirectory(
  path: string,
  servers: ReadonlyMap<string, ServerSpec>,
): CompatDirectory {
  const resolveFile = (name: string): string => join(path, 'mcpservers', `${name}.yaml`);
  const write = (name: string, spec: ServerSpec): void => {
    const resource = {
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
      metadata: { name },
      spec: { ...spec, autoStart: true },
    };
    // JSON is YAML too.
    writeFileSync(resolveFile(name), JSON.stringify(resource, undefined, 2));
  };
  mkdirSync(join(path, 'mcpservers'), { recursive: true });
  for (const [name, spec] of servers) write(name, spec);
  return {
    path,
    write,
    remove: (name) => {
      rmSync(resolveFile(name));
    },
  };
}

const POLL_MS = 20;

/**
 * Returns a function that resolves when a program appended a line to a file after the line that the last call waited for. The caller
 * limits the time.
 */
function formatLines(file: string): (line: string) => Promise<void> {
  let seen = 0;
  return async (line) => {
    for (;;) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      const at = lines.indexOf(line, seen);
      if (at >= 0) {
        seen = at + 1;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
}

export interface BackgroundProgram {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
}

/** Starts a script and resolves when it listens, to a function that stops it. @throws when it does not listen */
async function startBackground(program: BackgroundProgram): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, program.args, {
    // Servers for tests show their environment.
    env: { PATH: process.env['PATH'] ?? '', ...program.env },
    stdio: 'ignore',
  });
  process.once('exit', () => child.kill('SIGKILL'));
  try {
    await waitUntilReady(child, () => isListening(program.port));
  } catch (error) {
    await stopProgram(child);
    throw new Error(`${program.args.join(' ')} does not listen on ${String(program.port)}`, {
      cause: error,
    });
  }
  return () => stopProgram(child);
}

const WITHIN_MS = 60_000;
const PAUSE_MS = 100;

export interface ExpectedTool {
  readonly server: string;
  readonly tool: string;
}

export interface CompatEndpoint {
  readonly url: string;
  readonly expose: 'meta' | 'native';
}

/**
 * Resolves when the gateway has all tools, or after a minute: then the features show what is missing. The gateway is ready before, because
 * it serves other servers while one starts slowly.
 */
async function waitUntilListed(
  endpoint: CompatEndpoint,
  tools: readonly ExpectedTool[],
): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const missing = await countMissingTools(endpoint, tools);
    if (missing === 0 || Date.now() > end) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function countMissingTools(
  { url, expose }: CompatEndpoint,
  tools: readonly ExpectedTool[],
): Promise<number> {
  const driver = createSdkDriver(openHttp);
  await driver.connect({ url });
  try {
    const names = expose === 'native' ? await driver.listTools() : await listCatalogTools(driver);
    return tools
      .filter(({ server, tool }) => !names.includes(`x_${server}_${tool}`))
      .filter(({ tool }) => expose === 'meta' || !names.includes(tool)).length;
  } finally {
    await driver.close();
  }
}

async function listCatalogTools(
  driver: ReturnType<typeof createSdkDriver>,
): Promise<readonly string[]> {
  const { texts } = await driver.callTool({
    name: 'list_tools',
    arguments: { summary: true, limit: 10_000 },
  });
  const { tools } = JSON.parse(texts.join('')) as { readonly tools: readonly { name: string }[] };
  return tools.map(({ name }) => name);
}

export interface CompatGatewayOptions {
  readonly configDirectory: string;
  readonly expose: 'meta' | 'native';
  readonly tools: readonly ExpectedTool[];
}

/** Starts a gateway and resolves when it is ready. @throws when it does not start */
async function startGateway({
  configDirectory,
  expose,
  tools,
}: CompatGatewayOptions): Promise<TestGateway> {
  const port = String(await findFreePort());
  const args = ['--config-dir', configDirectory, '--expose', expose, '--port', port];
  const start = async (): Promise<Setup> => {
    const gateway = await serveGateway({ program: BUILT_GATEWAY, args });
    try {
      await waitUntilListed({ url: gateway.url, expose }, tools);
      return gateway;
    } catch (error) {
      await gateway.stop();
      throw error;
    }
  };
  let gateway = await start();
  return {
    url: gateway.url,
    restart: async () => {
      await gateway.stop();
      gateway = await start();
    },
    stop: () => gateway.stop(),
    errorOutput: () => gateway.errorOutput(),
  };
}

export interface ReadyServer {
  readonly server: ServerUnderTest;
  readonly prepared: PreparedServer;
}

export interface RunningStage {
  readonly stage: CompatStage;
  readonly nativeOfAll: () => Promise<TestGateway>;
  readonly stop: () => Promise<void>;
}

const WAITING_SERVER = resolvePlace('fixtures/waiting-server.mjs');

/** Starts the gateways in front of these servers. `everything` must be one of them. @param folder an empty folder */
export async function startStage(
  servers: readonly ReadyServer[],
  folder: string,
): Promise<RunningStage> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0)) await stopOne();
  };
  const serve: Serve = async ({ name, specs, expose, tools }) => {
    const directory = createConfigDirectory(join(folder, name), specs);
    const gateway = await startGateway({ configDirectory: directory.path, expose, tools });
    stops.unshift(gateway.stop);
    return { directory, gateway };
  };
  try {
    for (const { prepared } of servers)
      if (prepared.program !== undefined) stops.unshift(await startBackground(prepared.program));
    const specs = new Map(servers.map(({ server, prepared }) => [server.id, prepared.spec]));
    const tools = servers.map(({ server, prepared }) => ({
      server: server.id,
      tool: prepared.call.tool,
    }));
    const stage = await createStage({ specs, tools }, join(folder, 'waiting.txt'), serve);
    const all: Site = { name: 'all', specs, expose: 'native', tools };
    return { stage, nativeOfAll: async () => (await serve(all)).gateway, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Site extends Pick<CompatGatewayOptions, 'expose' | 'tools'> {
  readonly name: string;
  readonly specs: ReadonlyMap<string, ServerSpec>;
}

type Serve = (
  site: Site,
) => Promise<{ readonly directory: CompatDirectory; readonly gateway: TestGateway }>;

async function createStage(
  { specs, tools }: Pick<Site, 'specs' | 'tools'>,
  record: string,
  serve: Serve,
): Promise<CompatStage> {
  const everything = specs.get('everything');
  if (everything === undefined) throw new Error('The server "everything" is missing.');
  const waiting = { type: 'stdio', command: process.execPath, args: [WAITING_SERVER, record] };
  const meta = await serve({
    name: 'meta',
    specs: new Map([...specs, ['waiting', waiting]]),
    expose: 'meta',
    tools: [...tools, { server: 'waiting', tool: 'wait' }],
  });
  const native = await serve({
    name: 'native',
    specs: new Map([['everything', everything]]),
    expose: 'native',
    tools: [{ server: 'everything', tool: 'echo' }],
  });
  return {
    meta: meta.gateway,
    native: native.gateway,
    changeTools: createServerToggle(native.directory, waiting),
    waitForLine: formatLines(record),
  };
}

/** Returns a function that adds a server, or removes it when it is there. */
function createServerToggle(directory: CompatDirectory, spec: ServerSpec): () => Promise<void> {
  let isThere = false;
  return () => {
    if (isThere) directory.remove('waiting');
    else directory.write('waiting', spec);
    isThere = !isThere;
    return Promise.resolve();
  };
}

export function createFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
