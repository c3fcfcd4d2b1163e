import type { Manifests } from '@gateway/agent-manager-client';
import { defined } from '../values/lenient.ts';
import type { AgentChart } from '../chart/agent-chart.ts';
import { API_VERSIONS } from '../store/api-versions.ts';
import type { HelmRelease, Json, ObjectName, OciRepository } from '../store/objects.ts';
import { valuesOf } from '../values/values-of.ts';
import { manifestText } from './manifest-text.ts';

const LABELS = { 'app.kubernetes.io/managed-by': 'agent-manager' };

/** The settings of the service that composed objects depend on. */
export interface ComposeParts {
  readonly chart: AgentChart;
  readonly flux: {
    readonly helmReleaseInterval: string;
    readonly ociRepositoryInterval: string;
    readonly serviceAccountName?: string;
  };
}

const composedSource = ({ chart, flux }: ComposeParts, namespace: string): OciRepository => ({
  apiVersion: API_VERSIONS.ociRepository,
  kind: 'OCIRepository',
  metadata: { name: chart.name, namespace, labels: LABELS },
  spec: {
    interval: flux.ociRepositoryInterval,
    url: chart.ociUrl,
    ref: { semver: chart.semver },
  },
});

const composedSources = new WeakMap<ComposeParts, Map<string, OciRepository>>();

/** Returns the source of the chart, which all agents of a managed namespace share. */
export const ociRepository = (parts: ComposeParts, namespace: string): OciRepository => {
  const known = composedSources.get(parts) ?? new Map<string, OciRepository>();
  composedSources.set(parts, known);
  const source = known.get(namespace) ?? composedSource(parts, namespace);
  known.set(namespace, source);
  return source;
};

/** Returns the release of an agent with these values. */
export const helmRelease = (
  { chart, flux }: ComposeParts,
  { namespace, name }: ObjectName,
  values: Json,
): HelmRelease => ({
  apiVersion: API_VERSIONS.helmRelease,
  kind: 'HelmRelease',
  metadata: { name, namespace, labels: LABELS },
  spec: defined({
    interval: flux.helmReleaseInterval,
    chartRef: { kind: 'OCIRepository', name: chart.name, namespace },
    serviceAccountName: flux.serviceAccountName,
    values,
  }),
});

/** Texts of sources, of which there is nearly always one. */
const sourceTexts = new WeakMap<OciRepository, string>();

const sourceText = (source: OciRepository): string => {
  const text = sourceTexts.get(source) ?? manifestText(source);
  sourceTexts.set(source, text);
  return text;
};

/** Returns the manifests of an agent as text. */
export const manifestsOf = (release: HelmRelease, source: OciRepository): Manifests => ({
  ociRepository: sourceText(source),
  helmRelease: manifestText(release),
  values: valuesOf(release),
});
