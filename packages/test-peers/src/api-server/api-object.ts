/** A Kubernetes object as the server stores it. Fields that it does not read are preserved. */
export interface ApiObject {
  readonly [field: string]: unknown;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly [field: string]: unknown;
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly generation?: number;
  };
}

/** A kind that the API serves. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

/** The kinds of a cluster with Flux and the agent runtime. */
export const SERVED_KINDS: readonly ServedKind[] = [
  { group: 'helm.toolkit.fluxcd.io', version: 'v2', kind: 'HelmRelease', resource: 'helmreleases' },
  {
    group: 'source.toolkit.fluxcd.io',
    version: 'v1',
    kind: 'OCIRepository',
    resource: 'ocirepositories',
  },
  { group: 'kagent.dev', version: 'v1alpha2', kind: 'Agent', resource: 'agents' },
  { group: 'kagent.dev', version: 'v1alpha2', kind: 'ModelConfig', resource: 'modelconfigs' },
  { group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments' },
  { group: '', version: 'v1', kind: 'Pod', resource: 'pods' },
  { group: '', version: 'v1', kind: 'Event', resource: 'events' },
];

/** Returns the name of a resource as in messages of the API: `helmreleases.helm.toolkit.fluxcd.io`. */
export const resourceText = ({ group, resource }: ServedKind): string =>
  group === '' ? resource : `${resource}.${group}`;

/** Returns the `apiVersion` of a list of the kind. */
export const apiListVersion = ({ group, version }: ServedKind): string =>
  group === '' ? version : `${group}/${version}`;
