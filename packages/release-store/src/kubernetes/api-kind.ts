import type { ObjectName } from '@gateway/agent-releases';

/** A kind of object as the Kubernetes API addresses it. */
export interface ApiKind {
  readonly kind: string;
  /** As sentences say it of several. */
  readonly several: string;
  /** The empty one is the core of Kubernetes. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Who brings the kind into a cluster that does not have it. */
  readonly broughtBy: string;
}

const flux = { broughtBy: 'Flux' } as const;
const runtime = {
  group: 'kagent.dev',
  version: 'v1alpha2',
  broughtBy: 'the agent runtime',
} as const;
const cluster = { version: 'v1', broughtBy: 'Kubernetes' } as const;

/** The kinds that are read or written. */
export const API_KINDS = {
  HelmRelease: {
    ...flux,
    kind: 'HelmRelease',
    several: 'HelmReleases',
    group: 'helm.toolkit.fluxcd.io',
    version: 'v2',
    resource: 'helmreleases',
  },
  OCIRepository: {
    ...flux,
    kind: 'OCIRepository',
    several: 'OCIRepositories',
    group: 'source.toolkit.fluxcd.io',
    version: 'v1',
    resource: 'ocirepositories',
  },
  Agent: { ...runtime, kind: 'Agent', several: 'Agents', resource: 'agents' },
  ModelConfig: {
    ...runtime,
    kind: 'ModelConfig',
    several: 'ModelConfigs',
    resource: 'modelconfigs',
  },
  Deployment: {
    ...cluster,
    kind: 'Deployment',
    several: 'Deployments',
    group: 'apps',
    resource: 'deployments',
  },
  Pod: { ...cluster, kind: 'Pod', several: 'Pods', group: '', resource: 'pods' },
  Event: { ...cluster, kind: 'Event', several: 'Events', group: '', resource: 'events' },
} as const satisfies Readonly<Record<string, ApiKind>>;

/** `group/version` as objects carry it, or the version alone for the core. */
export const apiVersionOf = ({ group, version }: ApiKind): string =>
  group === '' ? version : `${group}/${version}`;

/** Path of all objects of a kind in a namespace. */
export const collectionPath = (kind: ApiKind, namespace: string): string =>
  `${kind.group === '' ? '/api' : '/apis'}/${apiVersionOf(kind)}/namespaces/${encodeURIComponent(namespace)}/${kind.resource}`;

/** Path of one object. */
export const objectPath = (kind: ApiKind, { namespace, name }: ObjectName): string =>
  `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;

const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const MAX_OBJECT_NAME_CHARS = 253;

/** Whether an object can have this name at all (RFC 1123 subdomain). One that cannot is not asked for: `..` would be another path. */
export const isObjectName = (name: string): boolean =>
  name.length <= MAX_OBJECT_NAME_CHARS && SUBDOMAIN.test(name);

/** Whether there can be an object of this name in such a namespace. */
export const isPlace = ({ namespace, name }: ObjectName): boolean =>
  isObjectName(namespace) && isObjectName(name);
