import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { operatorOf } from '../bench/faults/operator.mjs';
import { startServer } from '../bench/server-process.mjs';

const BENCH = join(import.meta.dirname, '../bench');
const SERVERS = join(BENCH, 'servers');
const READY_MS = 60_000;
const CONNECTIONS = 64;

/** Bounded stores are small, so that they are full after the warm-up. */
const LIMITS = `stateDirectory: state
servers: {healthIntervalSeconds: 2, healthTimeoutSeconds: 1, backoffInitialMs: 50, backoffMaxSeconds: 1}
http: {maxSessions: 60, questionTimeoutSeconds: 5}
events: {maxEvents: 100}
workflows: {executionsDirectory: runs, maxExecutions: 50}
`;

const PRESETS = [
  'toolsetPresets: {evens: {include: [{pattern: "*_0"}], exclude: [{server: s9}]}}',
  'toolsetPresets: {evens: {include: [{pattern: "*_0"}]}, changed: {include: [{server: s1}]}}',
];

/** The specification of the stdio server that is killed again and again. */
export const FRAIL = { type: 'stdio', command: 'sh', args: [join(SERVERS, 'frail.sh')] };

const node = (file) => ({
  type: 'stdio',
  command: process.execPath,
  args: [join(SERVERS, file)],
});

const manifest = (kind, name, spec, labels = {}) =>
  JSON.stringify({
    apiVersion: 'gateway.internal/v1alpha1',
    kind,
    metadata: { name, labels },
    spec,
  });

/** The configuration directory, and the edits of an operator. */
class Directory {
  path = mkdtempSync(join(tmpdir(), 'gateway-soak-'));

  constructor() {
    for (const folder of ['mcpservers', 'workflows']) mkdirSync(join(this.path, folder));
    this.presets(0);
    const step = (id, tool) => ({ id, tool, args: { id: '1' } });
    const steps = [step('a', 'x_s0_read_item_0'), step('b', 'x_local_read_item_0')];
    const file = join(this.path, 'workflows/two-reads.yaml');
    writeFileSync(file, manifest('Workflow', 'two-reads', { steps }));
  }

  presets(variant) {
    writeFileSync(join(this.path, 'config.yaml'), LIMITS + PRESETS[variant]);
  }

  server(name, spec, labels) {
    const text = manifest('MCPServer', name, { autoStart: true, ...spec }, labels);
    writeFileSync(join(this.path, `mcpservers/${name}.yaml`), text);
  }

  removeServer(name) {
    rmSync(join(this.path, `mcpservers/${name}.yaml`), { force: true });
  }
}

const untilReady = async (url) => {
  const end = performance.now() + READY_MS;
  while (!(await fetch(`${url}/readyz`)).ok) {
    if (performance.now() > end) throw new Error('the gateway does not become ready');
    await wait(20);
  }
};

const portOf = (url) => Number(new URL(url).port);

/**
 * Starts a gateway with well-behaved servers and with servers that fail on command.
 *
 * @param preload a further module for the process of the gateway
 */
export const openWorld = async ({ cli, random, preload }) => {
  const directory = new Directory();
  const started = [];
  const start = async (...args) => {
    const server = await startServer(...args);
    started.unshift(server);
    return server;
  };
  const close = async () => {
    for (const { stop } of started) await stop();
    rmSync(directory.path, { recursive: true, force: true });
  };
  try {
    const well = await start(join(SERVERS, 'instant-http.mjs'), ['4', '34']);
    const asking = await start(join(import.meta.dirname, 'servers/asking-http.mjs'));
    const faulty = await start(join(SERVERS, 'faulty-http.mjs'));
    const remote = (url) => ({ type: 'streamable-http', url });
    for (const name of ['s0', 's1', 's2'])
      directory.server(name, remote(`${well.url}/${name}/mcp`));
    directory.server('asking', remote(`${asking.url}/mcp`));
    directory.server('flaky', { ...remote(await faulty.ask('add flaky')), timeout: 2 });
    directory.server('local', node('instant-stdio.mjs'));
    directory.server('restless', node('restless-stdio.mjs'));
    directory.server('frail', FRAIL);
    const serve = ['serve', '--config-dir', directory.path, '--port', '0'];
    const gateway = await start(cli, serve, {
      preload: [join(BENCH, 'faults/inside.mjs'), ...(preload === undefined ? [] : [preload])],
    });
    await untilReady(gateway.url);
    return {
      directory,
      faulty,
      gateway,
      close,
      remote,
      wellUrl: well.url,
      random,
      operator: operatorOf(`${gateway.url}/mcp`),
      known: new Set([gateway, well, asking].map(({ url }) => portOf(url))),
      pool: new Pool(gateway.url, { connections: CONNECTIONS }),
      sessions: [],
    };
  } catch (error) {
    await close();
    throw error;
  }
};
