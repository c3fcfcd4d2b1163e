import type { LogFormat, LogLevel } from '@gateway/service-host';

/** The arguments of `agent-manager serve`. */
export interface ServeArguments {
  readonly host: string;
  readonly port: number;
  readonly store?: string;
  readonly kubernetes?: true;
  readonly kubeconfig?: string;
  /** The first is the default. */
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

/** The store of releases. */
export type ReleaseStoreKind =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'kubernetes'; readonly kubeconfig?: string };

/** Returns the chosen store, or the reason why the options choose none. */
export function storeOf({
  store,
  kubernetes,
  kubeconfig,
}: Pick<ServeArguments, 'store' | 'kubernetes' | 'kubeconfig'>):
  | { readonly ok: true; readonly store: ReleaseStoreKind }
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

/** The arguments of `serve` with the chosen store. */
export interface ServeOptions extends ServeArguments {
  readonly releases: ReleaseStoreKind;
}
