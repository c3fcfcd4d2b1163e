import type { LogFormat, LogLevel } from '../logging/log-level.ts';

/** What `agent-manager serve` is given. */
export interface ServeArguments {
  readonly host: string;
  readonly port: number;
  readonly store?: string;
  readonly kubernetes?: true;
  readonly kubeconfig?: string;
  /** The first is the default one. */
  readonly namespaces: readonly [string, ...string[]];
  readonly chartUrl: string;
  readonly chartSemver: string;
  readonly helmreleaseInterval: string;
  readonly ocirepositoryInterval: string;
  readonly serviceAccountName?: string;
  readonly skillsRepositories?: readonly string[];
  readonly skillsApiUrl?: string;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
}

/** Where releases are kept. */
export type ReleasesPlace =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'kubernetes'; readonly kubeconfig?: string };

/** The one place that is chosen, or why none is. */
export function storeOf({
  store,
  kubernetes,
  kubeconfig,
}: Pick<ServeArguments, 'store' | 'kubernetes' | 'kubeconfig'>):
  | { readonly ok: true; readonly store: ReleasesPlace }
  | { readonly ok: false; readonly problem: string } {
  if (kubernetes === true)
    return {
      ok: true,
      store: { kind: 'kubernetes', ...(kubeconfig !== undefined && { kubeconfig }) },
    };
  if (store === undefined)
    return {
      ok: false,
      problem: "one of the options '--store <dir>' and '--kubernetes' is needed",
    };
  if (kubeconfig !== undefined)
    return { ok: false, problem: "option '--kubeconfig <file>' needs the option '--kubernetes'" };
  return { ok: true, store: { kind: 'directory', path: store } };
}
