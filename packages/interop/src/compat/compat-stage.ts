import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Stage } from './features/feature.ts';
import { placeOf } from './install/places.ts';
import type { PreparedServer, ServerUnderTest } from './servers/server-under-test.ts';
import { startBackground } from './stage/background-program.ts';
import {
  createConfigDirectory,
  type ConfigDirectory,
  type ServerSpec,
} from './stage/config-directory.ts';
import { startGateway, type Gateway, type GatewayOptions } from './stage/gateway.ts';
import { linesOf } from './stage/record-file.ts';

/** A server that could be installed. */
export interface ReadyServer {
  readonly server: ServerUnderTest;
  readonly prepared: PreparedServer;
}

/** Gateways and servers that run. */
export interface RunningStage {
  readonly stage: Stage;
  /** A gateway in native mode in front of all servers. */
  readonly nativeOfAll: () => Promise<Gateway>;
  readonly stop: () => Promise<void>;
}

const WAITING_SERVER = placeOf('fixtures/waiting-server.mjs');

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
    const stage = await stageOf({ specs, tools }, join(folder, 'waiting.txt'), serve);
    const all: Site = { name: 'all', specs, expose: 'native', tools };
    return { stage, nativeOfAll: async () => (await serve(all)).gateway, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A gateway and its configuration directory. */
interface Site extends Pick<GatewayOptions, 'expose' | 'tools'> {
  readonly name: string;
  readonly specs: ReadonlyMap<string, ServerSpec>;
}

type Serve = (
  site: Site,
) => Promise<{ readonly directory: ConfigDirectory; readonly gateway: Gateway }>;

async function stageOf(
  { specs, tools }: Pick<Site, 'specs' | 'tools'>,
  record: string,
  serve: Serve,
): Promise<Stage> {
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
    changeTools: changer(native.directory, waiting),
    waitingServerWrote: linesOf(record),
  };
}

/** Returns a function that adds a server, or removes it when it is there. */
function changer(directory: ConfigDirectory, spec: ServerSpec): () => Promise<void> {
  let isThere = false;
  return () => {
    if (isThere) directory.remove('waiting');
    else directory.write('waiting', spec);
    isThere = !isThere;
    return Promise.resolve();
  };
}

/** Returns a new folder below another. */
export function folderIn(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
