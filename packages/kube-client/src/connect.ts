import {
  type ApiConnection,
  type ApiCredentials,
  type ConnectionOptions,
  openConnection,
} from './api-connection.ts';
import type { KubeConfig } from './client-library.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

/** Connections to one cluster that share sockets, and no credentials. */
export interface CallerConnections {
  /** Returns a connection whose requests carry this token and no other credential. Closing it has no effect. */
  readonly as: (token: string) => ApiConnection;
  /** A connection whose requests carry no credentials. */
  readonly anonymous: ApiConnection;
  /** Aborts the running requests of all connections. Later requests fail. */
  readonly close: () => void;
}

const USER = 'caller';

/** Returns a configuration with the address and the certificates of a cluster only. */
const withoutCredentials = ({ library, kubeConfig }: ApiCredentials): KubeConfig => {
  const cluster = kubeConfig.getCurrentCluster();
  const anonymous = new library.KubeConfig();
  if (cluster !== null) anonymous.loadFromClusterAndUser(cluster, { name: USER });
  return anonymous;
};

const ignoreClose = (): void => undefined;

/** Returns connections that use none of the credentials of the configuration. Sends nothing yet. */
const openCallerConnections = (
  credentials: ApiCredentials,
  options: ConnectionOptions,
): CallerConnections => {
  const kubeConfig = withoutCredentials(credentials);
  const shared = openConnection({ library: credentials.library, kubeConfig }, options);
  return {
    as: (token) => {
      const headers = { authorization: `Bearer ${token}` };
      return {
        fieldManager: shared.fieldManager,
        send: (request) => shared.send({ ...request, headers }),
        openStream: (request, signal) => shared.openStream({ ...request, headers }, signal),
        close: ignoreClose,
      };
    },
    anonymous: { ...shared, close: ignoreClose },
    close: () => shared.close(),
  };
};

/** Options of connecting to a cluster. */
export interface ConnectOptions extends ConnectionOptions {
  /** The path of a kubeconfig file. When absent: `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** The context of the kubeconfig; its current context when absent. */
  readonly context?: string | undefined;
}

/** A connection, or the reason why there is none. */
type ConnectResult =
  | {
      readonly ok: true;
      readonly connection: ApiConnection;
      /** The namespace of the pod or of the context. */
      readonly namespace?: string;
    }
  | { readonly ok: false; readonly problem: string };

/** Connections for callers, or the reason why there are none. */
type CallersResult =
  | { readonly ok: true; readonly connections: CallerConnections }
  | { readonly ok: false; readonly problem: string };

type ConfigResult =
  | { readonly ok: true; readonly credentials: ApiCredentials }
  | { readonly ok: false; readonly problem: string };

const configure = async (
  locations: Pick<ConnectOptions, 'kubeconfig' | 'context'>,
): Promise<ConfigResult> => {
  const library = await import('./client-library.ts');
  const read = await readKubeconfig(new library.KubeConfig(), locations);
  return read.ok
    ? { ok: true, credentials: { library, kubeConfig: read.kubeConfig } }
    : { ok: false, problem: read.problem };
};

/** Reads the configuration of a cluster and loads the client library. Sends no request. */
export const connectToCluster = async (options: ConnectOptions): Promise<ConnectResult> => {
  const configured = await configure(options);
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
export const connectCallers = async (options: ConnectOptions): Promise<CallersResult> => {
  const configured = await configure(options);
  return configured.ok
    ? { ok: true, connections: openCallerConnections(configured.credentials, options) }
    : configured;
};
