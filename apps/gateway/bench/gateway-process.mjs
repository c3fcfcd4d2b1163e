import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startServer } from './server-process.mjs';

/** The built command line of this application. */
export const CLI = resolve(import.meta.dirname, '../dist/cli.js');
const STDIO_SERVER = join(import.meta.dirname, 'servers/instant-stdio.mjs');
const READY_MS = 60_000;

/** A toolset of five selectors of every form, two of them presets with rules. It lets every tool of the scenarios through. */
export const TOOLSET = {
  'x-gateway-toolset': 'server:s0,server:local,tool:x_s1_read_item_0,preset:read-only,preset:evens',
};

/** Presets, and room for so many sessions; every other limit is the default. */
const configuration = (maxSessions, more) => `http: {maxSessions: ${maxSessions}}
${more}
toolsetPresets: {evens: {include: [{pattern: "*_0"}], exclude: [{server: s9}]}}
`;

const manifest = (name, spec) =>
  JSON.stringify({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name },
    spec: { autoStart: true, ...spec },
  });

const manifestWriter = (directory) => (name, spec) =>
  writeFileSync(join(directory, `mcpservers/${name}.yaml`), manifest(name, spec));

const configDirectory = ({ origin, servers, stdio, maxSessions, more = '' }) => {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  mkdirSync(join(directory, 'mcpservers'));
  writeFileSync(join(directory, 'config.yaml'), configuration(maxSessions, more));
  const write = manifestWriter(directory);
  for (let index = 0; index < servers; index += 1) {
    write(`s${index}`, { type: 'streamable-http', url: `${origin}/s${index}/mcp` });
  }
  if (stdio) write('local', { type: 'stdio', command: process.execPath, args: [STDIO_SERVER] });
  return directory;
};

const untilReady = async (url) => {
  const deadline = performance.now() + READY_MS;
  while (!(await fetch(`${url}/readyz`)).ok) {
    if (performance.now() > deadline) throw new Error('the gateway does not become ready');
    await wait(20);
  }
};

/**
 * Starts the gateway in front of HTTP servers, and of one stdio server where `stdio` says so, and waits until it is ready.
 *
 * @param options.cli a built `cli.js`, this application's unless another is to be measured
 * @returns the process, its `url`, and `define`, which writes a server to its configuration
 */
export const startGateway = async ({ cli = CLI, args = [], ...world }) => {
  const directory = configDirectory({ stdio: false, maxSessions: 5_000, ...world });
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const serve = ['serve', '--config-dir', directory, '--port', '0', ...args];
    const gateway = await startServer(cli, serve);
    const stop = async () => {
      await gateway.stop();
      remove();
    };
    await untilReady(gateway.url);
    return { ...gateway, url: `${gateway.url}/mcp`, define: manifestWriter(directory), stop };
  } catch (error) {
    remove();
    throw error;
  }
};
