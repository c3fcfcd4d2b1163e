/** An OpenID provider whose tokens the API server accepts. */
export interface TrustedIssuer {
  /** With the scheme `https`. */
  readonly issuer: string;
  readonly clientId: string;
  /** The authority of the provider as PEM. */
  readonly ca: string;
  /** By default `sub`. */
  readonly usernameClaim?: string;
  /** By default `groups`. */
  readonly groupsClaim?: string;
}

/** How a cluster differs from the default. */
export interface ClusterOptions {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Without the watch cache, lists and watches read etcd. By default true. */
  readonly watchCache?: boolean;
  readonly oidc?: TrustedIssuer;
  /** Records requests, for `requests()`. By default false. */
  readonly audit?: boolean;
  /**
   * Starts kube-controller-manager: garbage collection by owner, deletion of namespaces, and the service account `default`. By default
   * false.
   */
  readonly controllerManager?: boolean;
}
