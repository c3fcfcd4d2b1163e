import { openConnection, type ApiConnection, type ConnectionOptions } from './api-connection.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

/** Options of connecting to a cluster. */
export interface ConnectOptions extends ConnectionOptions {
  /** The path of a kubeconfig file. When absent: `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
  readonly kubeconfig?: string;
}

/** A connection, or the reason why there is none. */
export type Connected =
  | { readonly ok: true; readonly connection: ApiConnection }
  | { readonly ok: false; readonly problem: string };

/** Reads the configuration of a cluster and loads the client library. Sends no request. */
export const connectToCluster = async ({
  kubeconfig,
  ...options
}: ConnectOptions): Promise<Connected> => {
  const library = await import('./client-library.ts');
  const read = await readKubeconfig(
    new library.KubeConfig(),
    kubeconfig === undefined ? {} : { kubeconfig },
  );
  if (!read.ok) return read;
  const connection = openConnection({ library, kubeConfig: read.kubeConfig }, options);
  return { ok: true, connection };
};
