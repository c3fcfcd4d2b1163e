import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditedRequests, type AuditedRequest } from './audited-requests.ts';
import { connectCluster, type Cluster, type ClusterFacts } from './cluster.ts';
import { clusterFiles, writeClusterFiles } from './cluster-files.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { ClusterPrograms, clusterPorts } from './cluster-programs.ts';
import { compactEtcd } from './etcd-compaction.ts';
import { apiUrl, etcdUrl } from './program-arguments.ts';

/** A cluster of one test, which may disturb it. */
export interface OwnCluster {
  readonly cluster: Cluster;
  readonly facts: ClusterFacts;
  /** Kills the API server; etcd keeps its data. */
  readonly kill: () => Promise<void>;
  /** Kills the API server if it runs and starts it again on its port. Resolves when it is ready. */
  readonly restart: () => Promise<void>;
  /** Discards the history of etcd. */
  readonly compact: () => Promise<void>;
  /** Returns what the API server has logged. */
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
  const ports = await clusterPorts();
  const files = clusterFiles(await mkdtemp(join(tmpdir(), 'cluster-')));
  await writeClusterFiles(files, apiUrl(ports), options.oidc);
  const facts: ClusterFacts = {
    folder: files.folder,
    url: apiUrl(ports),
    etcdUrl: etcdUrl(ports),
    hasControllers: options.controllerManager === true,
  };
  const programs = new ClusterPrograms(files, ports, options);
  const cluster = await connectCluster(facts);
  const close = async (): Promise<void> => {
    cluster.admin.close();
    await programs.close();
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
    log: () => programs.apiLog(),
    requests: () => auditedRequests(files.auditLog),
    close,
  };
};
