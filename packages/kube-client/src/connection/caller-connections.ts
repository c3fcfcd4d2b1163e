import {
  openConnection,
  type ApiConnection,
  type ApiCredentials,
  type ConnectionOptions,
} from './api-connection.ts';
import type { KubeConfig } from './client-library.ts';

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
export const openCallerConnections = (
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
