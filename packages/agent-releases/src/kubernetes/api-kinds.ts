import type { ApiKind } from '@gateway/kube-client';

/** A kind of object of an agent platform. */
export interface AgentApiKind extends ApiKind {
  /** Its plural in messages. */
  readonly plural: string;
  /** The product that installs the kind. */
  readonly installedBy: string;
}

const flux = { installedBy: 'Flux' } as const;
const runtime = {
  group: 'kagent.dev',
  version: 'v1alpha2',
  installedBy: 'the agent runtime',
} as const;
const cluster = { version: 'v1', installedBy: 'Kubernetes' } as const;

/** The kinds that are read or written. */
export const API_KINDS = {
  HelmRelease: {
    ...flux,
    kind: 'HelmRelease',
    plural: 'HelmReleases',
    group: 'helm.toolkit.fluxcd.io',
    version: 'v2',
    resource: 'helmreleases',
  },
  OCIRepository: {
    ...flux,
    kind: 'OCIRepository',
    plural: 'OCIRepositories',
    group: 'source.toolkit.fluxcd.io',
    version: 'v1',
    resource: 'ocirepositories',
  },
  Agent: { ...runtime, kind: 'Agent', plural: 'Agents', resource: 'agents' },
  ModelConfig: {
    ...runtime,
    kind: 'ModelConfig',
    plural: 'ModelConfigs',
    resource: 'modelconfigs',
  },
  Deployment: {
    ...cluster,
    kind: 'Deployment',
    plural: 'Deployments',
    group: 'apps',
    resource: 'deployments',
  },
  Pod: { ...cluster, kind: 'Pod', plural: 'Pods', group: '', resource: 'pods' },
  Event: { ...cluster, kind: 'Event', plural: 'Events', group: '', resource: 'events' },
} as const satisfies Readonly<Record<string, AgentApiKind>>;

/** A rule of a Kubernetes role. */
interface ApiRule {
  readonly apiGroup: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

const createRule = ({ group, resource }: ApiKind, ...verbs: readonly string[]): ApiRule => ({
  apiGroup: group,
  resource,
  verbs,
});

/** Every request of this adapter in each managed namespace. The role of the chart allows exactly these. */
export const API_RULES: readonly ApiRule[] = [
  createRule(API_KINDS.HelmRelease, 'get', 'list', 'watch', 'create', 'update', 'delete'),
  createRule(API_KINDS.OCIRepository, 'get', 'list', 'watch', 'create', 'delete'),
  createRule(API_KINDS.Agent, 'get', 'list', 'delete'),
  createRule(API_KINDS.ModelConfig, 'list'),
  createRule(API_KINDS.Deployment, 'get'),
  createRule(API_KINDS.Pod, 'list'),
  createRule(API_KINDS.Event, 'list'),
];
