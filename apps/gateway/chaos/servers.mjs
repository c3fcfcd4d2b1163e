import { join, resolve } from 'node:path';
import { findFreePort } from '@gateway/test-peers';
import { startServer } from '../bench/server-process.mjs';

const HERE = join(import.meta.dirname, 'servers');
const BENCH = resolve(import.meta.dirname, '../bench/servers');
const PLAIN = resolve(import.meta.dirname, '../test/fixtures/plain-server.mjs');

const range = (prefix, count) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

/** Servers over HTTP by the process that serves them. Nothing happens to `stable`; `shaken` is killed; `fleeting` are of objects that come and go. */
const HOSTS = {
  stable: range('stable', 6),
  shaken: range('shaken', 6),
  fleeting: range('fleeting', 8),
};

/** The object whose server cannot be reached. */
export const UNREACHABLE = 'unreachable';

/** Distinguishes the command line of the server that is killed. */
export const SECOND = 'second';

const stdio = (command, ...args) => ({ type: 'stdio', command, args });

/** Servers that each replica starts for itself. */
const STDIO = {
  local: stdio(process.execPath, PLAIN),
  second: stdio(process.execPath, PLAIN, SECOND),
  frail: stdio('sh', join(BENCH, 'frail.sh')),
  stubborn: stdio('sh', join(HERE, 'stubborn.sh')),
};

/** A process with several servers over HTTP that can be killed and started again at its port. */
class Host {
  #port;
  #names;
  #running;

  constructor(port, names) {
    this.#port = port;
    this.#names = names;
  }

  async start() {
    this.#running = await startServer(join(HERE, 'tools-http.mjs'), [this.#port, ...this.#names]);
  }

  async kill() {
    process.kill(this.#running.pid, 'SIGKILL');
    await this.#running.exited;
  }

  /** Adds a tool to a server, which announces it. */
  grow(name) {
    this.#running.tell({ grow: name });
  }

  stop() {
    return this.#running.stop();
  }

  urlOf(name) {
    return `http://127.0.0.1:${this.#port}/${name}/mcp`;
  }
}

const startHost = async (names) => {
  const host = new Host(String(await findFreePort()), names);
  await host.start();
  return host;
};

/** Starts the servers of a run. Returns their processes, and the specifications of the objects that exist from the start. */
export const startServers = async () => {
  const hosts = {};
  for (const [name, names] of Object.entries(HOSTS)) hosts[name] = await startHost(names);
  const remote = (host, name) => ({ type: 'streamable-http', url: hosts[host].urlOf(name) });
  const lasting = ['stable', 'shaken'].flatMap((host) =>
    HOSTS[host].map((name) => [name, remote(host, name)]),
  );
  const nobody = { type: 'streamable-http', url: `http://127.0.0.1:${await findFreePort()}/mcp` };
  return {
    hosts,
    names: HOSTS,
    remote,
    specs: { ...Object.fromEntries(lasting), ...STDIO, [UNREACHABLE]: nobody },
    close: () => Promise.all(Object.values(hosts).map((host) => host.stop())),
  };
};
