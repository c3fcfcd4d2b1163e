import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from './installed.ts';
import { startProgram } from './program.ts';

/** The transport and the revision of the server behind the gateway. */
export type Fixture = '2025' | '2026' | 'stdio';

/** The endpoint that the suite tests. */
export interface Setup {
  /** The MCP endpoint. */
  readonly url: string;
  /** The standard error of the programs, for the report of a failure. */
  readonly errorOutput: () => string;
  readonly stop: () => Promise<void>;
}

const FIXTURE = fileURLToPath(new URL('../../fixtures/serve.mjs', import.meta.url));
/** The last build of the command line of the gateway. */
export const BUILT_GATEWAY = join(REPOSITORY, 'apps/gateway/dist/cli.js');

const END_WITH_PARENT = fileURLToPath(
  new URL('../../fixtures/end-with-parent.mjs', import.meta.url),
);
const READY_MS = 20_000;

/** The options that start the gateway. */
export interface GatewayOptions {
  /** For its configuration. */
  readonly folder: string;
  /** Its command line. */
  readonly program: string;
}

/** Starts the test server alone: its own result must be known before that of the gateway. */
export async function startFixture(fixture: Exclude<Fixture, 'stdio'>): Promise<Setup> {
  const server = startProgram([FIXTURE, fixture]);
  return { url: await server.listening, errorOutput: server.errorOutput, stop: server.stop };
}

/** Starts the gateway in native mode with the test server as its only server. */
export async function startGateway(fixture: Fixture, options: GatewayOptions): Promise<Setup> {
  const server = fixture === 'stdio' ? undefined : await startFixture(fixture);
  const configDir = join(options.folder, 'config');
  mkdirSync(join(configDir, 'mcpservers'), { recursive: true });
  writeFileSync(
    join(configDir, 'mcpservers/conformance.yaml'),
    JSON.stringify(resource(server?.url)),
  );
  const args = ['--expose', 'native', '--port', '0', '--config-dir', configDir];
  return serveGateway({ ...options, args, stopPeer: async () => server?.stop() });
}

/** A gateway that starts, and the peer that it needs. */
export interface ServeOptions extends Omit<GatewayOptions, 'folder'> {
  /** The arguments of `gateway serve`. */
  readonly args: readonly string[];
  /** Called when the gateway has ended. */
  readonly stopPeer: () => Promise<void>;
}

/** Starts a gateway and waits until it is ready. @throws when it does not start; then the peer is stopped too */
export async function serveGateway(options: ServeOptions): Promise<Setup> {
  const { args, program } = options;
  const gateway = startProgram([
    ...['--import', END_WITH_PARENT, program],
    ...['serve', ...args, '--log-format', 'text', '--log-level', 'warn'],
  ]);
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await options.stopPeer();
  };
  try {
    const url = await gateway.listening;
    await untilReady(url);
    return { url: new URL('/mcp', url).href, errorOutput: gateway.errorOutput, stop };
  } catch (error) {
    await stop();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The gateway did not start: ${reason}\n${gateway.errorOutput()}`, {
      cause: error,
    });
  }
}

/** The resource of the test server; JSON is YAML too. */
function resource(url: string | undefined): object {
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

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + READY_MS;
  while (Date.now() < end) {
    const { ok } = await fetch(new URL('/readyz', url));
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`It was not ready within ${READY_MS} ms.`);
}
