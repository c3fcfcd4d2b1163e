import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from './client-library.ts';
import { useTokenFiles } from './token-files.ts';

/** The locations of a kubeconfig. */
export interface KubeconfigLocations {
  /** The path of a kubeconfig file. */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig; its current context when absent. */
  readonly context?: string;
  /** A prefix of the paths of the service account of a pod. */
  readonly root?: string;
  /** The home directory; that of the user when absent. */
  readonly home?: string;
}

/** A configuration with a cluster, or the reason why it cannot be used. */
export type ReadKubeconfig =
  | { readonly ok: true; readonly kubeConfig: KubeConfig }
  | { readonly ok: false; readonly problem: string };

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** A source of the configuration. */
interface Source {
  /** Its name in messages. */
  readonly title: string;
  readonly load: (kubeConfig: KubeConfig) => void;
  /** The kubeconfig files that it reads. */
  readonly files: readonly string[];
}

const fileAt = (path: string): Source => ({
  title: `kubeconfig ${path}`,
  load: (kubeConfig) => kubeConfig.loadFromFile(path),
  files: [path],
});

const sourceOf = async (locations: KubeconfigLocations): Promise<Source | undefined> => {
  if (locations.kubeconfig !== undefined) return fileAt(locations.kubeconfig);
  const named = process.env['KUBECONFIG'] ?? '';
  if (named !== '')
    return {
      title: `KUBECONFIG ${named}`,
      load: (kubeConfig) => kubeConfig.loadFromDefault(),
      files: named.split(delimiter).filter((file) => file !== ''),
    };
  const root = locations.root ?? '';
  const host = process.env['KUBERNETES_SERVICE_HOST'] ?? '';
  if (host !== '' && (await exists(root + SERVICE_ACCOUNT_TOKEN)))
    return {
      title: 'service account',
      load: (kubeConfig) => kubeConfig.loadFromCluster(root),
      files: [],
    };
  const own = join(locations.home ?? homedir(), '.kube', 'config');
  return (await exists(own)) ? fileAt(own) : undefined;
};

/** Returns the problem without any content of the file, which has credentials. */
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
    ? 'names a cluster without TLS: set insecure-skip-tls-verify: true to allow that'
    : undefined;
};

/** Reads the configuration from the first of: the given file, `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
export const readKubeconfig = async (
  kubeConfig: KubeConfig,
  locations: KubeconfigLocations,
): Promise<ReadKubeconfig> => {
  const source = await sourceOf(locations);
  if (source === undefined)
    return {
      ok: false,
      problem:
        'no cluster is configured: name a kubeconfig, or run in a pod with a service account',
    };
  try {
    source.load(kubeConfig);
    const { context } = locations;
    if (context !== undefined) {
      if (kubeConfig.getContextObject(context) === null)
        return { ok: false, problem: `the ${source.title} has no context ${context}` };
      kubeConfig.setCurrentContext(context);
    }
    await useTokenFiles(kubeConfig, source.files);
    const problem = clusterProblem(kubeConfig);
    return problem === undefined
      ? { ok: true, kubeConfig }
      : { ok: false, problem: `the ${source.title} ${problem}` };
  } catch (error) {
    return { ok: false, problem: `the ${source.title} ${problemOf(error)}` };
  }
};
