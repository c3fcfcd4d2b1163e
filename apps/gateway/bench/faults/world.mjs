import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSessions } from '../framings.mjs';
import { toolName } from '../sample-servers.mjs';
import { startServer } from '../server-process.mjs';
import { makeDisk } from './disk.mjs';
import { holdingsOf, leakedSince } from './leaks.mjs';
import { operatorOf } from './operator.mjs';
import { SteadyLoad } from './steady-load.mjs';

const SERVERS = join(import.meta.dirname, '../servers');
const READY_MS = 60_000;
const LEAK_MS = 8_000;
const EVERY_MS = 15;

/** Troubles show and end soon; otherwise as everywhere. */
const CONFIG = `servers:
  stdioStartSeconds: 20
  healthIntervalSeconds: 1
  healthTimeoutSeconds: 1
  healthFailures: 2
  healthSuccesses: 1
  backoffInitialMs: 100
  backoffMaxSeconds: 1
  maxMessageBytes: 262144
`;

const manifest = (name, spec) =>
  JSON.stringify({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name },
    spec,
  });

const node = (file) => ({
  type: 'stdio',
  command: process.execPath,
  args: [join(SERVERS, file)],
});

/** Seconds that a start may take: all but the one that is to be given up get what a busy machine needs. */
const startSeconds = (name) => (name === 'mute' ? 1 : 15);

const WELL = ['good-0', 'good-1', 'good-local'];

/** The definitions of well-behaved servers and of those that will fail. */
const definitions = async ({ well, faulty }, remotes) => {
  const specs = {
    'good-0': { type: 'streamable-http', url: `${well.url}/s0/mcp`, autoStart: true },
    'good-1': { type: 'streamable-http', url: `${well.url}/s1/mcp`, autoStart: true },
    'good-local': { ...node('instant-stdio.mjs'), autoStart: true },
    frail: { type: 'stdio', command: 'sh', args: [join(SERVERS, 'frail.sh')] },
    restless: node('restless-stdio.mjs'),
  };
  for (const name of remotes) {
    const url = await faulty.ask(`add ${name}`);
    specs[name] = { type: 'streamable-http', url, timeout: startSeconds(name) };
  }
  return specs;
};

const untilReady = async (url) => {
  const end = performance.now() + READY_MS;
  while (!(await fetch(`${url}/readyz`)).ok) {
    if (performance.now() > end) throw new Error('the gateway does not become ready');
    await wait(20);
  }
};

const portOf = (url) => Number(new URL(url).port);

/**
 * One gateway with well-behaved servers under a steady load, and servers beside them that can be made to fail.
 *
 * @param remotes names of remote servers that can fail
 */
export const openWorld = async ({ cli, remotes, disk: only }) => {
  const parts = {
    well: await startServer(join(SERVERS, 'instant-http.mjs'), ['2', '5']),
    faulty: await startServer(join(SERVERS, 'faulty-http.mjs')),
  };
  const made = makeDisk(only);
  const close = async () => {
    await Promise.all(Object.values(parts).map((part) => part.stop()));
    made.remove();
  };
  try {
    writeFileSync(join(made.seed, 'config.yaml'), CONFIG);
    const specs = await definitions(parts, remotes);
    for (const [name, spec] of Object.entries(specs))
      writeFileSync(join(made.seed, `mcpservers/${name}.yaml`), manifest(name, spec));
    const disk = made.settle();
    const serve = ['serve', '--config-dir', made.directory, '--port', '0'];
    const preload = join(import.meta.dirname, 'inside.mjs');
    parts.gateway = await startServer(cli, serve, { through: disk.through, preload });
    disk.take(parts.gateway.pid);
    await untilReady(parts.gateway.url);
    return { ...(await running(parts)), disk, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const running = async ({ gateway, well, faulty }) => {
  const url = `${gateway.url}/mcp`;
  const [session] = await openSessions(url, 1);
  const known = new Set([portOf(gateway.url), portOf(well.url)]);
  const look = async () => ({
    ...holdingsOf(gateway.pid, known),
    'sockets seen by servers': await faulty.ask('sockets'),
  });
  const operator = operatorOf(url);
  for (const name of ['good-0', 'good-1']) await operator.until(name, { state: 'Connected' });
  await operator.until('good-local', { state: 'Running' });
  const load = new SteadyLoad(
    url,
    WELL.map((name) => `x_${name}_${toolName(0)}`),
    EVERY_MS,
  );
  const before = await look();
  return {
    gateway,
    faulty,
    operator,
    /** The same, in a session that is as old as this world. */
    inSession: operatorOf(url, session),
    load,
    leaked: () => leakedSince(before, look, LEAK_MS),
    timers: async () => {
      await load.pause();
      const timers = await gateway.ask('timers');
      load.resume();
      return timers;
    },
  };
};
