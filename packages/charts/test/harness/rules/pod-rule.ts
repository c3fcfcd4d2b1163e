import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Container, PodSpec, Probe, Volume } from 'kubernetes-types/core/v1.js';
import type { ManifestObject } from '../../../src/render.ts';
import type { Problem } from '../shape-problems.ts';
import { labelProblems, repeatedProblems } from './metadata-rules.ts';
import { as, checkCondition, type RenderedChart, type Rule } from './rendered.ts';

type Path = Problem['path'];

const PORT_NAME = /^(?=.*[a-z])[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/u;
const HANDLERS = ['exec', 'grpc', 'httpGet', 'tcpSocket'] as const;
const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

const portNames = ({ ports = [] }: Container): readonly string[] =>
  ports.flatMap(({ name }) => (name === undefined ? [] : [name]));

const probeProblems = (probe: Probe, container: Container, path: Path): readonly Problem[] => {
  const handlers = HANDLERS.filter((handler) => probe[handler] !== undefined);
  const port = probe.httpGet?.port ?? probe.tcpSocket?.port;
  return [
    ...checkCondition(handlers.length === 1, path, `must have one of ${HANDLERS.join(', ')}`),
    ...checkCondition(
      typeof port !== 'string' || portNames(container).includes(port),
      path,
      `asks at the port ${String(port)}, which the container does not have`,
    ),
  ];
};

const portProblems = (container: Container, path: Path): readonly Problem[] => [
  ...repeatedProblems(portNames(container), [...path, 'ports']),
  ...portNames(container)
    .filter((name) => !PORT_NAME.test(name))
    .map((name) => ({ path: [...path, 'ports'], message: `${name} is no name of a port` })),
];

const envProblems = ({ env = [] }: Container, path: Path): readonly Problem[] => [
  ...repeatedProblems(
    env.map(({ name }) => name),
    [...path, 'env'],
  ),
  ...env
    .filter(({ value, valueFrom }) => value !== undefined && valueFrom !== undefined)
    .map(({ name }) => ({
      path: [...path, 'env'],
      message: `${name} has both value and valueFrom`,
    })),
];

const mountProblems = (
  { volumeMounts = [] }: Container,
  volumes: ReadonlySet<string | undefined>,
  path: Path,
): readonly Problem[] => [
  ...repeatedProblems(
    volumeMounts.map(({ mountPath }) => mountPath),
    [...path, 'volumeMounts'],
  ),
  ...volumeMounts
    .filter(({ name }) => !volumes.has(name))
    .map(({ name }) => ({
      path: [...path, 'volumeMounts'],
      message: `mounts ${name}, which is no volume`,
    })),
];

const containerProblems = (
  container: Container,
  volumes: ReadonlySet<string | undefined>,
  path: Path,
): readonly Problem[] => [
  ...checkCondition((container.image ?? '') !== '', [...path, 'image'], 'is required'),
  ...portProblems(container, path),
  ...envProblems(container, path),
  ...mountProblems(container, volumes, path),
  ...PROBES.flatMap((name) => {
    const probe = container[name];
    return probe === undefined ? [] : probeProblems(probe, container, [...path, name]);
  }),
];

interface KeyedSource {
  readonly name?: string;
  readonly items?: readonly { readonly key: string }[];
}

const keysOf = (object: ManifestObject): readonly string[] => {
  const { data = {}, binaryData = {} } = as<{
    readonly data?: object;
    readonly binaryData?: object;
  }>(object);
  return [...Object.keys(data), ...Object.keys(binaryData)];
};

const sourceProblems = (
  source: KeyedSource | undefined,
  beside: ManifestObject,
  rendered: RenderedChart,
  path: Path,
): readonly Problem[] => {
  const found = rendered.find('ConfigMap', source?.name ?? '', beside);
  if (found === undefined) return [];
  const keys = keysOf(found);
  return (source?.items ?? [])
    .filter(({ key }) => !keys.includes(key))
    .map(({ key }) => ({
      path,
      message: `the ConfigMap ${found.metadata.name} has no key ${key}`,
    }));
};

const volumeProblems = (
  volume: Volume,
  beside: ManifestObject,
  rendered: RenderedChart,
  path: Path,
): readonly Problem[] => {
  const sources = Object.keys(volume).filter((key) => key !== 'name');
  const projected = volume.projected?.sources ?? [];
  return [
    ...checkCondition(sources.length === 1, path, 'must have one source'),
    ...[volume.configMap, ...projected.map(({ configMap }) => configMap)].flatMap((source) =>
      sourceProblems(source, beside, rendered, path),
    ),
  ];
};

/** The names of the claims that a StatefulSet makes for each pod. */
const claimsOf = (object: ManifestObject): readonly (string | undefined)[] =>
  object.kind === 'StatefulSet'
    ? (as<StatefulSet>(object).spec?.volumeClaimTemplates ?? []).map(
        ({ metadata }) => metadata?.name,
      )
    : [];

const podSpecProblems = (
  spec: PodSpec,
  beside: ManifestObject,
  rendered: RenderedChart,
): readonly Problem[] => {
  const path = ['spec', 'template', 'spec'];
  const { containers, initContainers = [], volumes = [] } = spec;
  const names = new Set([...volumes.map(({ name }) => name), ...claimsOf(beside)]);
  const all = { containers, initContainers };
  return [
    ...checkCondition(containers.length > 0, [...path, 'containers'], 'must not be empty'),
    ...repeatedProblems(
      [...containers, ...initContainers].map(({ name }) => name),
      [...path, 'containers'],
    ),
    ...repeatedProblems(
      volumes.map(({ name }) => name),
      [...path, 'volumes'],
    ),
    ...volumes.flatMap((volume, at) =>
      volumeProblems(volume, beside, rendered, [...path, 'volumes', at]),
    ),
    ...Object.entries(all).flatMap(([list, items]) =>
      items.flatMap((item, at) => containerProblems(item, names, [...path, list, at])),
    ),
  ];
};

/** Pods have containers with images, mounts with volumes, probes with ports, and each name once. */
export const podRule: Rule = (object, rendered) => {
  const workload = rendered.workloads.find((one) => one.object === object);
  if (workload === undefined) return [];
  const { spec, metadata } = workload.template;
  const path = ['spec', 'template'];
  if (spec === undefined) return [{ path: [...path, 'spec'], message: 'is required' }];
  return [
    ...labelProblems(metadata?.labels, [...path, 'metadata', 'labels']),
    ...podSpecProblems(spec, object, rendered),
  ];
};
