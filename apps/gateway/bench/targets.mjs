import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openSessions } from './framings.mjs';
import { startGateway } from './gateway-process.mjs';
import { startServer } from './server-process.mjs';

const SERVERS = join(import.meta.dirname, 'servers');
const file = (name) => join(SERVERS, `${name}.mjs`);

/** How to start each server under test, each in a process of its own. */
const STARTS = {
  'instant-http': () => startServer(file('instant-http'), ['300', '34']),
  floor: () => startServer(file('floor')),
  'http-proxy-floor': async (targets) => {
    const { url } = await targets.get('instant-http');
    return startServer(file('http-proxy-floor'), [`${url}/s0/mcp`]);
  },
  'stdio-proxy-floor': () => startServer(file('stdio-proxy-floor'), [file('instant-stdio')]),
  'sdk-session': () => startServer(file('sdk-session')),
  'sdk-handler': () => startServer(file('sdk-handler')),
  gateway: (targets) => gateway(targets, { servers: 15, stdio: true }),
  // So few sessions that a short run reaches the state in which old ones are evicted.
  'gateway, few sessions': (targets) =>
    gateway(targets, { servers: 15, stdio: true, maxSessions: 100 }),
  'gateway, idle': (targets) => gateway(targets, { servers: 1 }),
  'gateway, 10,000 tools': (targets) => gateway(targets, { servers: 300 }),
};

const gateway = async (targets, options) => {
  const { url: origin } = await targets.get('instant-http');
  return startGateway({ cli: targets.cli, origin, ...options });
};

/** The processes of one run: started when first asked for, ended together. */
export class Targets {
  #started = new Map();
  #sessions = new Map();
  #generator = fork(join(import.meta.dirname, 'load-generator.mjs'));

  /** @param cli the gateway's built command line */
  constructor(cli) {
    this.cli = cli;
  }

  get(name) {
    if (!this.#started.has(name)) this.#started.set(name, STARTS[name](this));
    return this.#started.get(name);
  }

  /** Sessions of a server, at least `count`, opened once. */
  async sessions(name, count) {
    const { url } = await this.get(name);
    const kept = this.#sessions.get(name) ?? [];
    this.#sessions.set(name, kept);
    kept.push(...(await openSessions(url, Math.max(0, count - kept.length))));
    return kept;
  }

  /** Makes load and gives its figures. */
  async load(task) {
    this.#generator.send({ task });
    const [{ figures, problem }] = await once(this.#generator, 'message');
    if (problem !== undefined) throw new Error(`${task.url}: ${problem}`);
    return figures;
  }

  async close() {
    this.#generator.disconnect();
    const started = await Promise.allSettled(this.#started.values());
    await Promise.all(started.map(({ value }) => value?.stop()));
  }
}
