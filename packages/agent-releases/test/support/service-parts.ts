import {
  createAgentChart,
  createAgentService,
  type AgentService,
  type AgentServiceParts,
} from '../../src/index.ts';
import type { Json, KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore, type MemoryStore, type MemoryStoreOptions } from './memory-store.ts';

const CHART = createAgentChart({
  ociUrl: 'oci://registry.gateway.internal/charts/agent',
  semver: 'x.x.x',
});

type Parts = Partial<AgentServiceParts>;

/** Returns a service under test, with this store. */
export const createService = (parts: Pick<AgentServiceParts, 'store'> & Parts): AgentService =>
  createAgentService({
    chart: CHART,
    namespaces: ['default'],
    version: '0.4.0',
    flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
    ...parts,
  });

/** Returns a service over a store in memory. */
export const setUpService = (
  options: MemoryStoreOptions = {},
  parts: Parts = {},
): { readonly store: MemoryStore; readonly service: AgentService } => {
  const store = memoryStore(options);
  return { store, service: createService({ store, ...parts }) };
};

const API_VERSIONS = {
  HelmRelease: 'helm.toolkit.fluxcd.io/v2',
  OCIRepository: 'source.toolkit.fluxcd.io/v1',
  Agent: 'kagent.dev/v1alpha2',
  ModelConfig: 'kagent.dev/v1alpha2',
};

/** Returns an object of the namespace `default`. */
export const object = (
  kind: keyof typeof API_VERSIONS,
  name: string,
  spec?: Json,
  metadata: Json = {},
): KubernetesObject => ({
  apiVersion: API_VERSIONS[kind],
  kind,
  metadata: { name, namespace: 'default', ...metadata },
  ...(spec !== undefined && { spec }),
});

/** A reference to the source of the agent chart. */
export const AGENT_CHART = { kind: 'OCIRepository', name: 'agent' };

/** Returns the release of an agent of the chart, with these fields of its `spec`. */
export const release = (name: string, spec: Json = {}, metadata: Json = {}): KubernetesObject =>
  object('HelmRelease', name, { chartRef: AGENT_CHART, ...spec }, metadata);

/** Returns an Agent, made by the release with this name when there is one. */
export const agent = (name: string, owner?: string, namespace = 'default'): KubernetesObject => {
  const labels = {
    'helm.toolkit.fluxcd.io/name': owner,
    'helm.toolkit.fluxcd.io/namespace': namespace,
  };
  return object('Agent', name, undefined, owner === undefined ? {} : { labels });
};

/** The label of objects that a Git repository owns. */
export const FROM_GIT = { labels: { 'kustomize.toolkit.fluxcd.io/name': 'flux-system' } };

/** Lists what a store has, as `kind name`. */
export const listContents = (store: MemoryStore): readonly string[] =>
  store.contents().map(({ kind = '', metadata }) => `${kind} ${metadata.name}`);

/** The outcome of an operation that is refused with this message. */
export const refusal = (message: string) => ({ ok: false, error: { message } });
