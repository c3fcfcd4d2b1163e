import type { AgentManifests } from '@gateway/agent-manager-client';
import { Document, type Scalar, visit } from 'yaml';
import type { AgentChart } from '../chart/agent-chart.ts';
import {
  API_VERSIONS,
  type HelmRelease,
  type Json,
  type KubernetesObject,
  type ObjectName,
  type OciRepository,
} from '../store/agent-store.ts';
import { pickDefined, readReleaseValues } from '../values/lenient.ts';

/** The fields of `metadata` that the API server sets. */
const SERVER_KEYS: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Matches characters that YAML accepts only as escapes in double quotes. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/gu;
/** Matches strings that need double quotes: escaped characters, control characters except tab and newline, and lone surrogates. */
const QUOTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\p{Surrogate}]/u;

const escape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The string that YAML 1.1 reads as a special value. */
const VALUE_MARK = '=';
/** Matches strings with leading blanks or blank lines, which a block scalar does not preserve. */
const BLANK_LINES = /^\s|\n[\t ]+(?:\n|$)/u;

const needsQuotes = (text: string): boolean =>
  text === VALUE_MARK || QUOTED.test(text) || BLANK_LINES.test(text);

const quoteIfNeeded = (_key: unknown, scalar: Scalar): void => {
  if (typeof scalar.value === 'string' && needsQuotes(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
};

/** Returns JSON as YAML in the order of its keys. Strings that any version of YAML reads as another type are quoted. */
export const formatYamlText = (value: unknown): string => {
  const document = new Document(value, {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, { Scalar: quoteIfNeeded });
  return document.toString({ lineWidth: 0, blockQuote: 'literal' }).replaceAll(ESCAPED, escape);
};

/** Returns the manifest of an object without its status and without the fields that the API server sets. */
export const renderManifestFile = ({
  apiVersion,
  kind,
  metadata,
  spec,
}: KubernetesObject): string =>
  formatYamlText(
    pickDefined({
      apiVersion,
      kind,
      metadata: Object.fromEntries(
        Object.entries(metadata).filter(([key]) => !SERVER_KEYS.has(key)),
      ),
      spec,
    }),
  );

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

/** Returns the source of the chart, which all agents of a managed namespace share. */
export const createOciRepository = (
  { chart, flux }: ComposeParts,
  namespace: string,
): OciRepository => ({
  apiVersion: API_VERSIONS.ociRepository,
  kind: 'OCIRepository',
  metadata: { name: chart.name, namespace, labels: LABELS },
  spec: {
    interval: flux.ociRepositoryInterval,
    url: chart.ociUrl,
    ref: { semver: chart.semver },
  },
});

/** Returns the release of an agent with these values. */
export const createHelmRelease = (
  { chart, flux }: ComposeParts,
  { namespace, name }: ObjectName,
  values: Json,
): HelmRelease => ({
  apiVersion: API_VERSIONS.helmRelease,
  kind: 'HelmRelease',
  metadata: { name, namespace, labels: LABELS },
  spec: pickDefined({
    interval: flux.helmReleaseInterval,
    chartRef: { kind: 'OCIRepository', name: chart.name, namespace },
    serviceAccountName: flux.serviceAccountName,
    values,
  }),
});

/** Returns the manifests of an agent as text. */
export const toManifests = (release: HelmRelease, source: OciRepository): AgentManifests => ({
  ociRepository: renderManifestFile(source),
  helmRelease: renderManifestFile(release),
  values: readReleaseValues(release),
});
