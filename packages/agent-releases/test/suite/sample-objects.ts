import type {
  HelmRelease,
  Json,
  ModelConfig,
  ObjectName,
  OciRepository,
} from '../../src/store/agent-store.ts';

/** The default namespace of the objects in these tests. */
export const NAMESPACE = 'default';

/** The name of an object in that namespace. */
export const toName = (name: string, namespace = NAMESPACE): ObjectName => ({
  namespace,
  name,
});

/** The release of an agent, as agent-manager composes it. */
export const releaseOf = (name: string, values: Json = {}, namespace = NAMESPACE): HelmRelease => ({
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'agent-manager' } },
  spec: {
    interval: '10m',
    chartRef: { kind: 'OCIRepository', name: 'agent', namespace },
    values: { agent: { name }, modelConfig: { name: 'sonnet' }, ...values },
  },
});

/** The source of the chart for the agents of a namespace. */
export const chartSource = (name: string, namespace = NAMESPACE): OciRepository => ({
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'OCIRepository',
  metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'agent-manager' } },
  spec: {
    interval: '30m',
    url: 'oci://registry.gateway.internal/charts/agent',
    ref: { semver: 'x.x.x' },
  },
});

/** A model that agents may use. */
export const modelConfig = (name: string, namespace = NAMESPACE): ModelConfig => ({
  apiVersion: 'kagent.dev/v1alpha2',
  kind: 'ModelConfig',
  metadata: { name, namespace },
  spec: { provider: 'Anthropic', model: 'sonnet' },
});
