import type { RecordBlobs } from '@gateway/call-contract';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { DEFAULT_API_GROUP, DEFAULT_NAMESPACE } from '@gateway/crd-schemas';
import {
  formatApiFailure,
  connectToCluster,
  Election,
  type ApiConnection,
} from '@gateway/kube-client';
import { openFileStore } from './files/open-file-store.ts';
import type { FileStoreOptions } from './files/open-file-store.ts';
import { ExecutionObjects } from './kubernetes/execution-objects.ts';
import { openKubernetesStore, type KubernetesStore } from './kubernetes/open-kubernetes-store.ts';
import { ReferencedObjects, openSecretObjects } from './kubernetes/referenced-objects.ts';
import type { GatewayStore, ReferencedTexts, SecretValues } from './port/resource-store.ts';
import { ObservableState } from './port/resource-store.ts';
import type { StoreState } from './port/resources.ts';

/** Options of {@link openClusterStore}. */
export interface ClusterStoreOptions extends FileStoreOptions {
  /** The path of a kubeconfig. When absent: `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig; its current context when absent. */
  readonly context?: string;
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  /** The namespace of new definitions and of the Lease; that of the pod or the context when absent. */
  readonly namespace?: string;
  /** The Lease by which one replica is elected. */
  readonly lease: string;
  /** Accepts servers of type `stdio`. */
  readonly allowStdio: boolean;
  /** Other namespaces whose Secrets a server may name. */
  readonly secretNamespaces: readonly string[];
  /** Called with a line for the log. Must not throw. */
  readonly onWarning: (line: string) => void;
}

/** A store of a cluster, or the reason why no cluster can be used. */
export type OpenedClusterStore =
  | { readonly ok: true; readonly store: GatewayStore }
  | { readonly ok: false; readonly problem: string };

const FIELD_MANAGER = 'gateway';

/** The parts of a cluster other than the definitions. */
interface ClusterParts {
  readonly secrets: SecretValues;
  readonly referencedTexts: ReferencedTexts;
  readonly records: Required<RecordBlobs>;
  readonly end: () => Promise<void>;
}

/** Returns one store with the configuration of the files and the definitions of the cluster. */
const mergeStores = (
  files: GatewayStore,
  cluster: KubernetesStore,
  { secrets, referencedTexts, records, end }: ClusterParts,
): GatewayStore => {
  const state = new ObservableState<StoreState>({ ...files.current(), ...cluster.current() });
  files.subscribe(({ config, configProblems }, previous) => {
    if (config !== previous.config || configProblems !== previous.configProblems)
      state.set({ ...state.current(), config, configProblems });
  });
  cluster.subscribe((resources) => {
    state.set({ ...state.current(), ...resources });
  });
  return {
    current: state.current,
    subscribe: state.subscribe,
    refresh: async () => {
      await Promise.all([files.refresh(), cluster.refresh()]);
    },
    servers: cluster.servers,
    workflows: cluster.workflows,
    config: files.config,
    writeStatus: cluster.writeStatus,
    status: cluster.status,
    read: cluster.read,
    eventLines: cluster.eventLines,
    secrets,
    referencedTexts,
    records,
    close: async () => {
      state.close();
      await Promise.all([files.close(), cluster.close()]);
      await end();
    },
  };
};

const reportUnusedFiles = (
  { servers, workflows }: StoreState,
  onWarning: ClusterStoreOptions['onWarning'],
): void => {
  const count = servers.length + workflows.length;
  if (count > 0)
    onWarning(
      `${String(count)} files in mcpservers/ and workflows/ are not used, because kubernetes is enabled; create them as objects of the cluster`,
    );
};

const startElection = (
  connection: ApiConnection,
  namespace: string,
  { lease, onWarning }: ClusterStoreOptions,
): Election =>
  new Election({
    connection,
    key: { namespace, name: lease },
    identity: `${hostname()}_${randomUUID()}`,
    onFailure: (failure) => {
      onWarning(
        `this replica cannot lead, so that it writes no statuses: the Kubernetes API could not read or write Lease ${namespace}/${lease}: ${formatApiFailure(failure)}`,
      );
    },
  });

/**
 * Opens `config.yaml` of a directory and the definitions of a cluster as one store. One of all replicas with the same Lease writes statuses.
 *
 * @spec §1.5
 */
export const openClusterStore = async (
  options: ClusterStoreOptions,
): Promise<OpenedClusterStore> => {
  const { kubeconfig, context, apiGroup, namespaces, onWarning } = options;
  const { allowStdio, secretNamespaces } = options;
  const connected = await connectToCluster({
    fieldManager: FIELD_MANAGER,
    kubeconfig,
    context,
  });
  if (!connected.ok) return connected;
  const { connection } = connected;
  const namespace = options.namespace ?? connected.namespace ?? DEFAULT_NAMESPACE;
  const election = startElection(connection, namespace, options);
  const isUsed = namespaces.length === 0 || namespaces.includes(namespace);
  const [files, cluster] = await Promise.all([
    openFileStore(options),
    openKubernetesStore({
      connection,
      namespaces,
      allowStdio,
      secretNamespaces,
      leadership: election,
      onWarning,
      ...(apiGroup === undefined ? {} : { apiGroup }),
      ...(isUsed ? { namespace } : {}),
    }),
  ]);
  const referencedTexts = new ReferencedObjects(connection);
  const end = async (): Promise<void> => {
    referencedTexts.close();
    await election.release();
    connection.close();
  };
  reportUnusedFiles(files.current(), onWarning);
  const records = new ExecutionObjects({
    connection,
    leadership: election,
    namespace,
    lease: options.lease,
    apiGroup: apiGroup ?? DEFAULT_API_GROUP,
  });
  const values = { secrets: openSecretObjects(connection), referencedTexts };
  return { ok: true, store: mergeStores(files, cluster, { ...values, records, end }) };
};
