import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from './client-library.ts';
import { takeTokenFiles } from './token-files.ts';

/** Where a configuration is looked for. */
export interface KubeconfigPlaces {
  /** Path that somebody named. */
  readonly kubeconfig?: string;
  /** Stands before the paths of a pod's service account. */
  readonly root?: string;
  /** Home directory. Left out: that of the user. */
  readonly home?: string;
}

/** A configuration that names a cluster, or the sentence why there is none. */
export type ReadKubeconfig =
  | { readonly ok: true; readonly kubeConfig: KubeConfig }
  | { readonly ok: false; readonly problem: string };

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Where to read from: what it is called in a sentence, and how it is read. */
interface Place {
  readonly title: string;
  readonly load: (kubeConfig: KubeConfig) => void;
  /** The kubeconfigs that are read, if any. */
  readonly files: readonly string[];
}

const fileAt = (path: string): Place => ({
  title: `kubeconfig ${path}`,
  load: (kubeConfig) => kubeConfig.loadFromFile(path),
  files: [path],
});

const placeOf = async (places: KubeconfigPlaces): Promise<Place | undefined> => {
  if (places.kubeconfig !== undefined) return fileAt(places.kubeconfig);
  const named = process.env['KUBECONFIG'] ?? '';
  if (named !== '')
    return {
      title: `KUBECONFIG ${named}`,
      load: (kubeConfig) => kubeConfig.loadFromDefault(),
      files: named.split(delimiter).filter((file) => file !== ''),
    };
  const root = places.root ?? '';
  const host = process.env['KUBERNETES_SERVICE_HOST'] ?? '';
  if (host !== '' && (await isThere(root + SERVICE_ACCOUNT_TOKEN)))
    return {
      title: 'service account',
      load: (kubeConfig) => kubeConfig.loadFromCluster(root),
      files: [],
    };
  const own = join(places.home ?? homedir(), '.kube', 'config');
  return (await isThere(own)) ? fileAt(own) : undefined;
};

/** Says what is wrong without a word of the file, which holds credentials. */
const problemOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? `cannot be read (${error.code})`
    : 'is no kubeconfig';

const clusterProblem = (kubeConfig: KubeConfig): string | undefined => {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster === null) return 'names no cluster: its current-context leads to none';
  if (!URL.canParse(cluster.server)) return 'names a cluster whose server is no address';
  const isPlain = new URL(cluster.server).protocol === 'http:';
  return isPlain && !cluster.skipTLSVerify
    ? 'names a cluster without TLS: say insecure-skip-tls-verify: true where that is meant'
    : undefined;
};

/** Reads where the cluster is and who asks: the named file, `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
export const readKubeconfig = async (
  kubeConfig: KubeConfig,
  places: KubeconfigPlaces,
): Promise<ReadKubeconfig> => {
  const place = await placeOf(places);
  if (place === undefined)
    return {
      ok: false,
      problem:
        'no cluster is configured: name a kubeconfig, or run in a pod with a service account',
    };
  try {
    place.load(kubeConfig);
    await takeTokenFiles(kubeConfig, place.files);
    const problem = clusterProblem(kubeConfig);
    return problem === undefined
      ? { ok: true, kubeConfig }
      : { ok: false, problem: `the ${place.title} ${problem}` };
  } catch (error) {
    return { ok: false, problem: `the ${place.title} ${problemOf(error)}` };
  }
};
