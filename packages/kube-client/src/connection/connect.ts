import {
  openConnection,
  type ApiConnection,
  type ApiCredentials,
  type ConnectionOptions,
} from './api-connection.ts';
import { openCallerConnections, type CallerConnections } from './caller-connections.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

/** Options of connecting to a cluster. */
export interface ConnectOptions extends ConnectionOptions {
  /** The path of a kubeconfig file. When absent: `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig; its current context when absent. */
  readonly context?: string;
}

/** A connection, or the reason why there is none. */
export type Connected =
  | {
      readonly ok: true;
      readonly connection: ApiConnection;
      /** The namespace of the pod or of the context. */
      readonly namespace?: string;
    }
  | { readonly ok: false; readonly problem: string };

/** Connections for callers, or the reason why there are none. */
export type CallersConnected =
  | { readonly ok: true; readonly connections: CallerConnections }
  | { readonly ok: false; readonly problem: string };

type Configured =
  | { readonly ok: true; readonly credentials: ApiCredentials }
  | { readonly ok: false; readonly problem: string };

const configure = async (
  locations: Pick<ConnectOptions, 'kubeconfig' | 'context'>,
): Promise<Configured> => {
  const library = await import('./client-library.ts');
  const read = await readKubeconfig(new library.KubeConfig(), locations);
  return read.ok
    ? { ok: true, credentials: { library, kubeConfig: read.kubeConfig } }
    : { ok: false, problem: read.problem };
};

/** Reads the configuration of a cluster and loads the client library. Sends no request. */
export const connectToCluster = async ({
  kubeconfig,
  context,
  ...options
}: ConnectOptions): Promise<Connected> => {
  const configured = await configure({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  if (!configured.ok) return configured;
  const { kubeConfig } = configured.credentials;
  const { namespace } = kubeConfig.getContextObject(kubeConfig.getCurrentContext()) ?? {};
  return {
    ok: true,
    connection: openConnection(configured.credentials, options),
    ...(namespace === undefined ? {} : { namespace }),
  };
};

/**
 * Reads the address and the certificates of a cluster, and loads the client library. Sends no request. The credentials of the configuration
 * are not used: each request has those of a caller, or none.
 */
export const connectCallers = async ({
  kubeconfig,
  context,
  ...options
}: ConnectOptions): Promise<CallersConnected> => {
  const configured = await configure({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  return configured.ok
    ? { ok: true, connections: openCallerConnections(configured.credentials, options) }
    : configured;
};
