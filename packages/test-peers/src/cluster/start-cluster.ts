import { buildGoProgram } from '../programs.ts';
import { fileURLToPath } from 'node:url';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';
import { ChildPrograms, stopProgram, findFreePorts, hasEnded } from '../processes.ts';
import {
  listApiServerArguments,
  formatApiUrl,
  type ClusterFiles,
  resolveClusterFiles,
  type ClusterOptions,
  type ClusterPorts,
  listControllerArguments,
  listEtcdArguments,
  formatEtcdUrl,
  writeClusterFiles,
} from './cluster-files.ts';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, type ClusterFacts, connectCluster } from './cluster.ts';

const MODULE = fileURLToPath(new URL('../../kubernetes', import.meta.url));

/** The version of `k8s.io/kubernetes` in go.mod. Without it the API server calls itself v0.0.0, which Helm's `kubeVersion` refuses. */
const VERSION = 'v1.34.4';
const [, MAJOR = '', MINOR = ''] = /^v(\d+)\.(\d+)/.exec(VERSION) ?? [];

const VERSION_FACTS = {
  gitVersion: VERSION,
  gitMajor: MAJOR,
  gitMinor: MINOR,
  gitTreeState: 'clean',
  gitCommit: '0'.repeat(40),
};
const LINK_FLAGS = Object.entries(VERSION_FACTS).map(
  ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
);

const TARGETS = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
} as const;

export type KubernetesProgram = keyof typeof TARGETS;

export const KUBERNETES_PROGRAMS = Object.keys(TARGETS) as readonly KubernetesProgram[];

/**
 * Returns the path of a program. The first build of all takes about five minutes and downloads 1.2 GB of libraries.
 * @throws {PeerMissing} without Go, or when the build fails
 */
export const buildKubernetesProgram = (name: KubernetesProgram): Promise<string> =>
  buildGoProgram({ name, module: MODULE, target: TARGETS[name], linkFlags: LINK_FLAGS });

const READY_MS = 120_000;
const POLL_MS = 50;

const SHOWN_LINES = 5;

const findClusterPorts = async (): Promise<ClusterPorts> => {
  const [etcd = 0, etcdPeers = 0, api = 0, controllers = 0] = await findFreePorts(4);
  return { etcd, etcdPeers, api, controllers };
};

class ClusterPrograms {
  readonly #files: ClusterFiles;
  readonly #ports: ClusterPorts;
  readonly #options: ClusterOptions;
  readonly children: ChildPrograms;
  readonly #running = new Map<KubernetesProgram, ChildProcess>();

  constructor(files: ClusterFiles, ports: ClusterPorts, options: ClusterOptions) {
    this.#files = files;
    this.#ports = ports;
    this.#options = options;
    this.children = new ChildPrograms(files.folder);
  }

  /** Starts all programs. Resolves when the API server is ready. @throws {PeerMissing} without Go */
  async start(admin: ApiClient): Promise<void> {
    await this.#launch('etcd', listEtcdArguments(this.#files, this.#ports));
    await this.startApi(admin);
    if (this.#options.controllerManager === true)
      await this.#launch(
        'kube-controller-manager',
        listControllerArguments(this.#files, this.#ports),
      );
  }

  async startApi(admin: ApiClient): Promise<void> {
    const args = listApiServerArguments(this.#files, this.#ports, this.#options);
    await this.#launch('kube-apiserver', args);
    await this.#ready(admin, '/readyz');
    // A controller inside the API server creates this namespace after it is ready.
    await this.#ready(admin, '/api/v1/namespaces/default');
  }

  async killApi(): Promise<void> {
    const api = this.#running.get('kube-apiserver');
    if (api !== undefined) await stopProgram(api);
  }

  async #launch(name: KubernetesProgram, args: readonly string[]): Promise<void> {
    this.#running.set(name, this.children.start(name, await buildKubernetesProgram(name), args));
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
    for (const name of ['etcd', 'kube-apiserver'] as const) {
      const child = this.#running.get(name);
      if (child === undefined || !hasEnded(child)) continue;
      const lines = this.children.readLog(name).trim().split('\n').slice(-SHOWN_LINES);
      throw new Error(`${name} ended:\n${lines.join('\n')}`);
    }
  }
}

const sendJson = async (url: string, body: object): Promise<unknown> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
};

/**
 * Discards all revisions before now, as the API server does every 5 minutes. Without the watch cache, watches and page tokens of older
 * revisions are refused from then on.
 */
const compactEtcd = async (etcdUrl: string): Promise<void> => {
  const key = Buffer.from('any').toString('base64');
  const { header } = (await sendJson(`${etcdUrl}/v3/kv/range`, { key })) as {
    readonly header: { readonly revision: string };
  };
  await sendJson(`${etcdUrl}/v3/kv/compaction`, { revision: header.revision, physical: true });
};

export interface AuditedRequest {
  /** Such as `system:serviceaccount:default:reader`. */
  readonly user: string;
  readonly verb: string;
  /** The group of the resource; empty for the core group. */
  readonly group: string;
  /** The resource, with its subresource as in `pods/log`. Undefined for other paths. */
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly status: number;
  readonly at: number;
}

interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly user: { readonly username?: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

const toResource = ({ objectRef }: AuditEvent): string | undefined => {
  const { resource, subresource } = objectRef ?? {};
  return subresource === undefined ? resource : `${resource ?? ''}/${subresource}`;
};

const toRequest = (event: AuditEvent): AuditedRequest => ({
  user: event.user.username ?? '',
  verb: event.verb,
  group: event.objectRef?.apiGroup ?? '',
  resource: toResource(event),
  namespace: event.objectRef?.namespace,
  name: event.objectRef?.name,
  status: event.responseStatus?.code ?? 0,
  at: Date.parse(event.requestReceivedTimestamp),
});

/** Reads an audit log. A request with two stages, such as a watch, is returned once. */
const readAuditRequests = async (file: string): Promise<readonly AuditedRequest[]> => {
  // The last line may be incomplete.
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  const events = lines.map((line) => JSON.parse(line) as AuditEvent);
  const byId = new Map(events.map((event) => [event.auditID, event]));
  return [...byId.values()].map(toRequest);
};

export interface OwnCluster {
  readonly cluster: Cluster;
  readonly facts: ClusterFacts;
  readonly kill: () => Promise<void>;
  /** Kills the API server if it runs and starts it again on its port. Resolves when it is ready. */
  readonly restart: () => Promise<void>;
  readonly compact: () => Promise<void>;
  readonly log: () => string;
  /** Returns the answered requests since the start, in order. Needs the option `audit`. */
  readonly requests: () => Promise<readonly AuditedRequest[]>;
  readonly close: () => Promise<void>;
}

/**
 * Starts etcd and kube-apiserver on the loopback address, with RBAC. They end with this process, also when it is killed.
 * @throws {PeerMissing} on a machine without Go
 */
export const startOwnCluster = async (options: ClusterOptions = {}): Promise<OwnCluster> => {
  const ports = await findClusterPorts();
  const files = resolveClusterFiles(await mkdtemp(join(tmpdir(), 'cluster-')));
  await writeClusterFiles(files, formatApiUrl(ports), options.oidc);
  const facts: ClusterFacts = {
    folder: files.folder,
    url: formatApiUrl(ports),
    etcdUrl: formatEtcdUrl(ports),
    hasControllers: options.controllerManager === true,
  };
  const programs = new ClusterPrograms(files, ports, options);
  const cluster = await connectCluster(facts);
  const close = async (): Promise<void> => {
    cluster.admin.close();
    await programs.children.close();
  };
  try {
    await programs.start(cluster.admin);
  } catch (error) {
    await close();
    throw error;
  }
  const restart = async (): Promise<void> => {
    await programs.killApi();
    await programs.startApi(cluster.admin);
  };
  return {
    cluster,
    facts,
    kill: () => programs.killApi(),
    restart,
    compact: () => compactEtcd(facts.etcdUrl),
    log: () => programs.children.readLog('kube-apiserver'),
    requests: () => readAuditRequests(files.auditLog),
    close,
  };
};
