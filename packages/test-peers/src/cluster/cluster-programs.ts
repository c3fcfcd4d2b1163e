import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../client/api-client.ts';
import { ChildPrograms, hasEnded } from '../processes/child-programs.ts';
import { freePorts } from '../free-port.ts';
import { kubernetesProgram } from '../programs/kubernetes-programs.ts';
import type { ClusterFiles } from './cluster-files.ts';
import type { ClusterOptions } from './cluster-options.ts';
import {
  apiServerArguments,
  controllerArguments,
  etcdArguments,
  type ClusterPorts,
} from './program-arguments.ts';

const READY_MS = 120_000;
const POLL_MS = 50;

/** The last lines of a log that a failure shows. */
const SHOWN_LINES = 5;

/** Returns ports for the programs of a cluster. */
export const clusterPorts = async (): Promise<ClusterPorts> => {
  const [etcd = 0, etcdPeers = 0, api = 0, controllers = 0] = await freePorts(4);
  return { etcd, etcdPeers, api, controllers };
};

/** The programs of a cluster: etcd, kube-apiserver and, when asked for, kube-controller-manager. */
export class ClusterPrograms {
  readonly #files: ClusterFiles;
  readonly #ports: ClusterPorts;
  readonly #options: ClusterOptions;
  readonly #programs: ChildPrograms;
  #etcd: ChildProcess | undefined;
  #api: ChildProcess | undefined;

  constructor(files: ClusterFiles, ports: ClusterPorts, options: ClusterOptions) {
    this.#files = files;
    this.#ports = ports;
    this.#options = options;
    this.#programs = new ChildPrograms(files.folder);
  }

  /** Starts all programs. Resolves when the API server is ready. @throws {PeerMissing} without Go */
  async start(admin: ApiClient): Promise<void> {
    const etcd = await kubernetesProgram('etcd');
    this.#etcd = this.#programs.start('etcd', etcd, etcdArguments(this.#files, this.#ports));
    await this.startApi(admin);
    if (this.#options.controllerManager !== true) return;
    const args = controllerArguments(this.#files, this.#ports);
    const controllers = await kubernetesProgram('kube-controller-manager');
    this.#programs.start('kube-controller-manager', controllers, args);
  }

  /** Starts the API server. Resolves when it is ready. */
  async startApi(admin: ApiClient): Promise<void> {
    const program = await kubernetesProgram('kube-apiserver');
    const args = apiServerArguments(this.#files, this.#ports, this.#options);
    this.#api = this.#programs.start('kube-apiserver', program, args);
    await this.#ready(admin, '/readyz');
    // A controller inside the API server creates this namespace after it is ready.
    await this.#ready(admin, '/api/v1/namespaces/default');
  }

  /** Kills the API server. */
  async killApi(): Promise<void> {
    if (this.#api !== undefined) await this.#programs.kill(this.#api);
  }

  /** Returns what the API server has logged. */
  apiLog(): string {
    return this.#programs.logOf('kube-apiserver');
  }

  /** Kills all programs and removes their files. */
  close(): Promise<void> {
    return this.#programs.close();
  }

  async #ready(admin: ApiClient, path: string): Promise<void> {
    const end = performance.now() + READY_MS;
    const isReady = async (): Promise<boolean> => {
      try {
        return (await admin.request('GET', path)).status === 200;
      } catch {
        return false;
      }
    };
    while (!(await isReady())) {
      this.#checkPrograms();
      if (performance.now() > end) throw new Error(`The API server is not ready: ${path}`);
      await delay(POLL_MS);
    }
  }

  #checkPrograms(): void {
    const programs = { etcd: this.#etcd, 'kube-apiserver': this.#api };
    for (const [name, child] of Object.entries(programs)) {
      if (child === undefined || !hasEnded(child)) continue;
      const lines = this.#programs.logOf(name).trim().split('\n').slice(-SHOWN_LINES);
      throw new Error(`${name} ended:\n${lines.join('\n')}`);
    }
  }
}
