import { formatError } from '@gateway/crd-schemas';
import type { HorizontalPodAutoscalerSpec } from 'kubernetes-types/autoscaling/v2.js';
import type { Container, PodSpec, PodTemplateSpec, Service } from 'kubernetes-types/core/v1.js';
import type { Ingress, NetworkPolicy, NetworkPolicySpec } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import type { RoleBinding } from 'kubernetes-types/rbac/v1.js';
import type { ManifestObject } from '../../src/render.ts';
import { customObjectProblems } from './custom-objects.ts';

/** Options of the validation. */
export interface ValidationOptions {
  /** API group of the gateway's own kinds; `gateway.internal` when absent. */
  readonly apiGroup?: string;
}

interface Render {
  ofKind(kind: string): readonly ManifestObject[];
  /** Returns the object of a kind with a name, in the namespace of another one. */
  find(kind: string, name: string, beside: ManifestObject): ManifestObject | undefined;
  /** The templates of pods in the namespace of an object whose labels match. */
  podsOf(beside: ManifestObject, labels: Labels): readonly PodTemplateSpec[];
}

type Labels = Readonly<Record<string, string>>;

/** Returns what an object refers to and the render does not have, or what makes it useless. */
type Rule = (object: ManifestObject, render: Render) => readonly (string | false)[];

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names the interface of the kind
const as = <T>(object: ManifestObject): T => object as unknown as T;

const templateOf = (object: ManifestObject): PodTemplateSpec | undefined =>
  /^(?:Deployment|StatefulSet|DaemonSet|Job)$/u.test(object.kind)
    ? as<{ readonly spec: { readonly template: PodTemplateSpec } }>(object).spec.template
    : undefined;

const isSelected = (labels: Labels, selector: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

const readRender = (objects: readonly ManifestObject[]): Render => {
  const isBeside = (object: ManifestObject, other: ManifestObject): boolean =>
    object.metadata.namespace === other.metadata.namespace;
  return {
    ofKind: (kind) => objects.filter((object) => object.kind === kind),
    find: (kind, name, beside) =>
      objects.find(
        (object) =>
          object.kind === kind && object.metadata.name === name && isBeside(object, beside),
      ),
    podsOf: (beside, selector) =>
      objects
        .filter((object) => isBeside(object, beside))
        .flatMap((object) => templateOf(object) ?? [])
        .filter(({ metadata }) => isSelected(metadata?.labels ?? {}, selector)),
  };
};

const portsOf = (service: ManifestObject) => as<Service>(service).spec?.ports ?? [];

const portNamesOf = (containers: readonly Container[]): readonly (string | undefined)[] =>
  containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));

const openPorts = (service: ManifestObject, render: Render) =>
  portNamesOf(
    render
      .podsOf(service, as<Service>(service).spec?.selector ?? {})
      .flatMap(({ spec }) => spec?.containers ?? []),
  );

const backendProblem = (
  name: string,
  port: string | number | undefined,
  object: ManifestObject,
  render: Render,
): string | false => {
  const service = render.find('Service', name, object);
  if (service === undefined) return `there is no Service ${name}`;
  return (
    !portsOf(service).some((one) => one.port === port || one.name === port) &&
    `the Service ${name} has no port ${String(port)}`
  );
};

interface Route {
  readonly spec: {
    readonly rules?: readonly {
      readonly backendRefs?: readonly { readonly name: string; readonly port?: number }[];
    }[];
  };
}

interface Monitor {
  readonly spec: {
    readonly selector: { readonly matchLabels?: Labels };
    readonly endpoints: readonly { readonly port?: string; readonly targetPort?: string }[];
  };
}

interface Release {
  readonly spec: {
    readonly chartRef: { readonly kind: string; readonly name: string };
    readonly dependsOn?: readonly { readonly name: string }[];
  };
}

const bindingRule: Rule = (object, render) => {
  const { roleRef, subjects = [] } = as<RoleBinding>(object);
  const accounts = render.ofKind('ServiceAccount').map(({ metadata }) => metadata);
  return [
    !render
      .ofKind(roleRef.kind)
      .some(
        ({ kind, metadata }) =>
          metadata.name === roleRef.name &&
          (kind === 'ClusterRole' || metadata.namespace === object.metadata.namespace),
      ) &&
      !/^(?:view|edit|system:.+)$/u.test(roleRef.name) &&
      `there is no ${roleRef.kind} ${roleRef.name}`,
    ...subjects.map(
      ({ kind, name, namespace }) =>
        kind === 'ServiceAccount' &&
        !accounts.some((one) => one.name === name && one.namespace === namespace) &&
        `there is no ServiceAccount ${name} in ${String(namespace)}`,
    ),
  ];
};

const RULES: Readonly<Record<string, Rule>> = {
  ClusterRoleBinding: bindingRule,
  RoleBinding: bindingRule,
  Service: (object, render) => [
    render.podsOf(object, as<Service>(object).spec?.selector ?? {}).length === 0 &&
      'selects no pods',
    ...portsOf(object).map(
      ({ targetPort }) =>
        typeof targetPort === 'string' &&
        !openPorts(object, render).includes(targetPort) &&
        `there is no port ${targetPort} in the pods`,
    ),
  ],
  Ingress: (object, render) =>
    (as<Ingress>(object).spec?.rules ?? [])
      .flatMap(({ http }) => http?.paths ?? [])
      .map(
        ({ backend: { service } }) =>
          service !== undefined &&
          backendProblem(service.name, service.port?.name ?? service.port?.number, object, render),
      ),
  HTTPRoute: (object, render) =>
    (as<Route>(object).spec.rules ?? [])
      .flatMap(({ backendRefs = [] }) => backendRefs)
      .map(({ name, port }) => backendProblem(name, port, object, render)),
  ServiceMonitor: (object, render) => {
    const { selector, endpoints } = as<Monitor>(object).spec;
    const services = render
      .ofKind('Service')
      .filter(({ metadata }) => isSelected(metadata.labels ?? {}, selector.matchLabels ?? {}));
    const names = services.flatMap((service) => portsOf(service).map(({ name }) => name));
    const open = services.flatMap((service) => openPorts(service, render));
    return endpoints.flatMap(({ port, targetPort }) => [
      port !== undefined && !names.includes(port) && `no Service has the port ${port}`,
      targetPort !== undefined &&
        !open.includes(targetPort) &&
        `no pod of a Service has the port ${targetPort}`,
    ]);
  },
  NetworkPolicy: (object, render) => {
    const spec: NetworkPolicySpec = as<NetworkPolicy>(object).spec ?? { podSelector: {} };
    const { podSelector, policyTypes = [], ingress = [], egress } = spec;
    const peers = [...ingress.map(({ from }) => from), ...(egress ?? []).map(({ to }) => to)];
    return [
      render.podsOf(object, podSelector.matchLabels ?? {}).length === 0 && 'selects no pods',
      egress !== undefined && !policyTypes.includes('Egress') && 'has egress rules without effect',
      peers.some((list) => list?.length === 0) &&
        'has an empty list of peers, which means everyone',
    ];
  },
  HorizontalPodAutoscaler: (object, render) => {
    const { kind, name } = as<{ readonly spec: HorizontalPodAutoscalerSpec }>(object).spec
      .scaleTargetRef;
    const target = render.find(kind, name, object);
    return [
      target === undefined && `there is no ${kind} ${name}`,
      target !== undefined &&
        as<{ readonly spec: { readonly replicas?: number } }>(target).spec.replicas !== undefined &&
        `${kind} ${name} sets replicas itself`,
    ];
  },
  PodDisruptionBudget: (object, render) => [
    render.podsOf(object, as<PodDisruptionBudget>(object).spec?.selector?.matchLabels ?? {})
      .length === 0 && 'selects no pods',
  ],
  HelmRelease: (object, render) => {
    const { chartRef, dependsOn = [] } = as<Release>(object).spec;
    return [chartRef, ...dependsOn.map(({ name }) => ({ kind: 'HelmRelease', name }))].map(
      ({ kind, name }) =>
        render.find(kind, name, object) === undefined && `there is no ${kind} ${name}`,
    );
  },
};

/** Probes name ports of their container, and volumes keys of rendered ConfigMaps. */
const podRule: Rule = (object, render) => {
  const spec: PodSpec = templateOf(object)?.spec ?? { containers: [] };
  const { containers, volumes = [] } = spec;
  const probes = containers.flatMap((container) =>
    [container.startupProbe, container.readinessProbe, container.livenessProbe].map((probe) => {
      const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port;
      return (
        typeof port === 'string' &&
        !portNamesOf([container]).includes(port) &&
        `probes the port ${port}, which the container does not have`
      );
    }),
  );
  const maps = volumes.flatMap(({ configMap, projected }) => [
    configMap,
    ...(projected?.sources ?? []).map((source) => source.configMap),
  ]);
  const keys = maps.flatMap((map) => {
    const found = render.find('ConfigMap', map?.name ?? '', object);
    if (found === undefined) return [];
    const { data = {}, binaryData = {} } = found as { data?: object; binaryData?: object };
    return (map?.items ?? []).map(
      ({ key }) =>
        !Object.hasOwn({ ...data, ...binaryData }, key) &&
        `the ConfigMap ${found.metadata.name} has no key ${key}`,
    );
  });
  return [...probes, ...keys];
};

const identityOf = ({ apiVersion, kind, metadata }: ManifestObject): string =>
  `${kind} ${metadata.name} of ${apiVersion} in ${metadata.namespace ?? 'no namespace'}`;

/**
 * Returns problems of rendered objects, one line each, such as `Service demo: selects no pods`: references to what the complete render does
 * not have, which a cluster accepts, and fields of custom resources. A real API server checks all other fields in `test/long/apply.cluster.test.ts`.
 */
export function kubernetesProblems(
  objects: readonly ManifestObject[],
  { apiGroup }: ValidationOptions = {},
): readonly string[] {
  const render = readRender(objects);
  const identities = objects.map(identityOf);
  return [
    ...objects.flatMap((object) => {
      const fields = customObjectProblems(object, apiGroup).map(formatError);
      const references = [
        ...podRule(object, render),
        ...(RULES[object.kind]?.(object, render) ?? []),
      ].filter((problem) => problem !== false);
      return [...fields, ...references].map(
        (problem) => `${object.kind} ${object.metadata.name}: ${problem}`,
      );
    }),
    ...identities
      .filter((identity, at) => identities.indexOf(identity) !== at)
      .map((identity) => `${identity} is rendered twice`),
  ];
}
