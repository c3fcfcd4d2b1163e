import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '@gateway/test-peers';
import { descendantsOf } from '../bench/faults/leaks.mjs';
import { startServer } from '../bench/server-process.mjs';

const PRELOAD = [
  join(import.meta.dirname, '../bench/faults/inside.mjs'),
  join(import.meta.dirname, 'name-host.mjs'),
];
export const CLI = resolve(import.meta.dirname, '../dist/cli.js');
const READY_MS = 90_000;
const LOOK_MS = 50;
/** Time in which the processes of a replica that has ended must end. */
const ORPHAN_MS = 10_000;
const KILL_GRACE_MS = 1_000;

/** Records of runs that are retained. */
export const MAX_RUNS = 50;

/** The load balancer waits two seconds for an answer to its check, so it notices up to that much later that a busy replica drains. */
const DRAIN_DELAY_SECONDS = 3;

/** Bounded stores are small, so that they are full early in a run. */
const configuration = ({ namespace, kubeconfig, redis }) => ({
  kubernetes: { namespaces: [namespace], namespace, kubeconfig, allowStdio: true },
  state: { store: 'redis', url: redis.url.href },
  servers: {
    ...{ healthIntervalSeconds: 2, healthTimeoutSeconds: 1 },
    ...{ backoffInitialMs: 100, backoffMaxSeconds: 2 },
  },
  http: {
    ...{
      drainDelaySeconds: DRAIN_DELAY_SECONDS,
      drainSeconds: 10,
      maxSessions: 200,
      sessionIdleSeconds: 60,
    },
  },
  health: { readySeconds: 60 },
  events: { maxEvents: 100 },
  workflows: { maxExecutions: MAX_RUNS },
  toolsetPresets: {
    stable: { include: [{ pattern: 'x_stable*' }] },
    labelled: { include: [{ label: 'wave=odd' }] },
  },
});

const commandOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

/** Returns those of the processes that still run. */
const running = (processes) => processes.filter(({ pid, command }) => commandOf(pid) === command);

/** Returns the processes that still run when they should have ended. */
const orphansOf = async (processes) => {
  const end = performance.now() + ORPHAN_MS;
  while (running(processes).length > 0 && performance.now() < end) await wait(LOOK_MS);
  return running(processes).map(({ command }) => command);
};

/** A gateway at an address that stays when its process is replaced. */
class Replica {
  name;
  port;
  url;
  isUp = false;
  orphans = [];
  /** The last lines of processes that ended by themselves. */
  crashes = [];
  #options;
  #process;
  #directory = mkdtempSync(join(tmpdir(), 'gateway-chaos-replica-'));

  constructor(name, port, options) {
    this.name = name;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#options = options;
    const text = JSON.stringify(configuration(options));
    writeFileSync(join(this.#directory, 'config.yaml'), text);
  }

  get pid() {
    return this.#process.pid;
  }

  get startedAt() {
    return this.#process.startedAt;
  }

  /** Asks the process. Rejects when it ends, also when it ended before the question arrived. */
  ask(question) {
    const running = this.#process;
    const ended = running.exited.then(() => {
      throw new Error(`${this.name} has ended`);
    });
    return Promise.race([running.ask(question), ended]);
  }

  /** Files of the replica's directory. */
  get files() {
    return readdirSync(this.#directory, { recursive: true }).length;
  }

  /** Starts a process. Resolves when it is ready. */
  async start() {
    const { cli, expose, stateKey } = this.#options;
    const args = ['serve', '--config-dir', this.#directory, '--port', String(this.port)];
    const more = ['--kubernetes', '--no-health-listener', '--expose', expose];
    this.#process = await startServer(cli, [...args, ...more], {
      preload: PRELOAD,
      env: { REPLICA: this.name, GATEWAY_STATE_KEY: stateKey },
    });
    this.#process.startedAt = performance.now();
    const end = performance.now() + READY_MS;
    while (!(await this.#isReady())) {
      if (performance.now() > end)
        throw new Error(`${this.name} does not become ready: ${this.#process.words()}`);
      await wait(LOOK_MS);
    }
    this.isUp = true;
    const running = this.#process;
    void running.exited.then(() => {
      if (!this.isUp || running !== this.#process) return;
      this.isUp = false;
      this.crashes.push(running.words());
    });
  }

  /** Kills the process. Resolves when it and the processes that it started have ended. */
  async kill() {
    const processes = descendantsOf(this.pid);
    const end = this.#options.outages.begin(`replica ${this.port}`);
    this.isUp = false;
    process.kill(this.pid, 'SIGKILL');
    await this.#ended(processes);
    end(KILL_GRACE_MS);
  }

  /** Lets the process drain. Returns its exit code. */
  async drain() {
    const processes = descendantsOf(this.pid);
    this.isUp = false;
    process.kill(this.pid, 'SIGTERM');
    return this.#ended(processes);
  }

  async close() {
    await this.#process?.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #ended(processes) {
    const [code] = await this.#process.exited;
    this.orphans.push(...(await orphansOf(processes)));
    return code;
  }

  async #isReady() {
    const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
    return answer?.ok === true;
  }
}

/** Creates a replica that is not started. */
export const createReplica = async (name, options) =>
  new Replica(name, await findFreePort(), options);
