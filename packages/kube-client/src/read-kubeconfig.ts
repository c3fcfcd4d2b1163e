import { access, readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { toFields } from './api-object.ts';
import type { KubeConfig } from './client-library.ts';

/** The field of a kubeconfig user that names a token file, as in `kubectl`. */
const TOKEN_FILE = 'tokenFile';

const parseYaml = (text: string): unknown => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the token file of each user of a kubeconfig; relative paths start at the kubeconfig. */
const listTokenFiles = async (path: string): Promise<ReadonlyMap<string, string>> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.includes(TOKEN_FILE)) return new Map();
  const users = toFields(parseYaml(text))['users'];
  return new Map(
    (Array.isArray(users) ? (users as readonly unknown[]) : []).flatMap((entry) => {
      const name = toFields(entry)['name'];
      const file = toFields(toFields(entry)['user'])[TOKEN_FILE];
      return typeof name === 'string' && typeof file === 'string' && file !== ''
        ? [[name, resolve(dirname(path), file)] as const]
        : [];
    }),
  );
};

/**
 * Authenticates users with the current content of their `tokenFile`, which the official client ignores. The first of several kubeconfigs that
 * has a user takes precedence.
 */
const useTokenFiles = async (kubeConfig: KubeConfig, paths: readonly string[]): Promise<void> => {
  const files = new Map<string, string>();
  for (const path of [...paths].reverse())
    for (const [name, file] of await listTokenFiles(path)) files.set(name, file);
  if (files.size === 0) return;
  kubeConfig.users = kubeConfig.users.map((user) => {
    if (!files.has(user.name)) return user;
    const { token: _replacedByFile, ...rest } = user;
    return rest;
  });
  kubeConfig.addAuthenticator({
    isAuthProvider: ({ name }) => files.has(name),
    applyAuthentication: async ({ name }, options: RequestOptions) => {
      const token = (await readFile(files.get(name) ?? '', 'utf8')).trim();
      const headers = options.headers as OutgoingHttpHeaders | undefined;
      options.headers = { ...headers, Authorization: `Bearer ${token}` };
    },
  });
};

/** The locations of a kubeconfig. */
interface KubeconfigLocations {
  /** The path of a kubeconfig file. */
  readonly kubeconfig?: string | undefined;
  /** The context of the kubeconfig; its current context when absent. */
  readonly context?: string | undefined;
  /** A prefix of the paths of the service account of a pod. */
  readonly root?: string;
  /** The home directory; that of the user when absent. */
  readonly home?: string;
}

/** A configuration with a cluster, or the reason why it cannot be used. */
type ReadKubeconfig =
  | { readonly ok: true; readonly kubeConfig: KubeConfig }
  | { readonly ok: false; readonly problem: string };

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

const canAccess = (file: string): Promise<boolean> =>
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

const createFileSource = (path: string): Source => ({
  title: `kubeconfig ${path}`,
  load: (kubeConfig) => kubeConfig.loadFromFile(path),
  files: [path],
});

const findSource = async (locations: KubeconfigLocations): Promise<Source | undefined> => {
  if (locations.kubeconfig !== undefined) return createFileSource(locations.kubeconfig);
  const named = process.env['KUBECONFIG'] ?? '';
  if (named !== '')
    return {
      title: `KUBECONFIG ${named}`,
      load: (kubeConfig) => kubeConfig.loadFromDefault(),
      files: named.split(delimiter).filter((file) => file !== ''),
    };
  const root = locations.root ?? '';
  const host = process.env['KUBERNETES_SERVICE_HOST'] ?? '';
  if (host !== '' && (await canAccess(root + SERVICE_ACCOUNT_TOKEN)))
    return {
      title: 'service account',
      load: (kubeConfig) => kubeConfig.loadFromCluster(root),
      files: [],
    };
  const own = join(locations.home ?? homedir(), '.kube', 'config');
  return (await canAccess(own)) ? createFileSource(own) : undefined;
};

/** Returns the problem without any content of the file, which has credentials. */
const findProblem = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? `cannot be read (${error.code})`
    : 'is no kubeconfig';

const validateCluster = (kubeConfig: KubeConfig): string | undefined => {
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
  const source = await findSource(locations);
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
    const problem = validateCluster(kubeConfig);
    return problem === undefined
      ? { ok: true, kubeConfig }
      : { ok: false, problem: `the ${source.title} ${problem}` };
  } catch (error) {
    return { ok: false, problem: `the ${source.title} ${findProblem(error)}` };
  }
};
