import type { Service } from 'kubernetes-types/core/v1.js';
import type {
  Ingress,
  IngressBackend,
  NetworkPolicy,
  NetworkPolicySpec,
} from 'kubernetes-types/networking/v1.js';
import type { ManifestObject } from '../../../src/render.ts';
import type { Problem } from '../shape-problems.ts';
import { repeatedProblems } from './metadata-rules.ts';
import {
  as,
  isInSameNamespace,
  isSelected,
  checkCondition,
  type RenderedChart,
  type Rule,
  type Workload,
} from './rendered.ts';

type Path = Problem['path'];

const HOST = /^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

const portsOf = (service: ManifestObject) => as<Service>(service).spec?.ports ?? [];

/** The workloads whose pods a Service selects. */
const podsOf = (service: ManifestObject, rendered: RenderedChart): readonly Workload[] => {
  const { selector = {} } = as<Service>(service).spec ?? {};
  return rendered.workloads.filter(
    ({ object, labels }) => isInSameNamespace(object, service) && isSelected(labels, selector),
  );
};

/** The names of the ports of pods. */
const portNamesOf = (pods: readonly Workload[]): readonly (string | undefined)[] =>
  pods.flatMap(({ template }) =>
    (template.spec?.containers ?? []).flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
  );

/** A Service has ports, pods, and a port of theirs behind each port that it names. */
export const serviceRule: Rule = (object, rendered) => {
  const { selector = {}, type } = as<Service>(object).spec ?? {};
  const ports = portsOf(object);
  const names = ports.map(({ name }) => name ?? '');
  const pods = podsOf(object, rendered);
  const open = portNamesOf(pods);
  const closed = ports.filter(
    ({ targetPort }) => typeof targetPort === 'string' && !open.includes(targetPort),
  );
  if (type === 'ExternalName') return [];
  return [
    ...checkCondition(ports.length > 0, ['spec', 'ports'], 'must not be empty'),
    ...checkCondition(
      ports.length < 2 || names.every((name) => name !== ''),
      ['spec', 'ports'],
      'must all have names',
    ),
    ...repeatedProblems(names, ['spec', 'ports']),
    ...checkCondition(
      Object.keys(selector).length > 0 && pods.length > 0,
      ['spec', 'selector'],
      'selects no pods of this render',
    ),
    ...closed.map(({ targetPort }) => ({
      path: ['spec', 'ports'],
      message: `there is no port ${String(targetPort)} in the pods`,
    })),
  ];
};

const backendProblems = (
  { service }: IngressBackend,
  object: ManifestObject,
  rendered: RenderedChart,
  path: Path,
): readonly Problem[] => {
  if (service === undefined) return [];
  const found = rendered.find('Service', service.name, object);
  if (found === undefined) return [{ path, message: `there is no Service ${service.name}` }];
  const { name, number } = service.port ?? {};
  return checkCondition(
    portsOf(found).some((port) => (name === undefined ? port.port === number : port.name === name)),
    path,
    `the Service ${service.name} has no port ${name ?? String(number)}`,
  );
};

/** An Ingress refers to ports of Services and has valid hosts. */
export const ingressRule: Rule = (object, rendered) => {
  const { rules = [], defaultBackend } = as<Ingress>(object).spec ?? {};
  return [
    ...checkCondition(
      rules.length > 0 || defaultBackend !== undefined,
      ['spec'],
      'must have rules or a defaultBackend',
    ),
    ...rules.flatMap(({ host, http }, at) => [
      ...checkCondition(
        host === undefined || HOST.test(host),
        ['spec', 'rules', at, 'host'],
        'is no name of a host',
      ),
      ...(http?.paths ?? []).flatMap(({ path = '/', backend }, which) => {
        const place = ['spec', 'rules', at, 'http', 'paths', which];
        return [
          ...checkCondition(path.startsWith('/'), [...place, 'path'], 'must begin with "/"'),
          ...backendProblems(backend, object, rendered, [...place, 'backend']),
        ];
      }),
    ]),
  ];
};

/** Returns the lists of peers of a policy; undefined for explicit access from everywhere. */
const peersOf = ({ ingress = [], egress = [] }: NetworkPolicySpec) => [
  ...ingress.map(({ from }) => from),
  ...egress.map(({ to }) => to),
];

/** A NetworkPolicy selects pods of the render, and admits every peer only explicitly. */
export const networkPolicyRule: Rule = (object, rendered) => {
  const { spec } = as<NetworkPolicy>(object);
  if (spec === undefined) return [{ path: ['spec'], message: 'is required' }];
  const wanted = spec.podSelector.matchLabels ?? {};
  const pods = rendered.workloads.filter(
    (workload) => isInSameNamespace(workload.object, object) && isSelected(workload.labels, wanted),
  );
  const types = spec.policyTypes ?? [];
  return [
    ...checkCondition(pods.length > 0, ['spec', 'podSelector'], 'selects no pods of this render'),
    ...checkCondition(types.length > 0, ['spec', 'policyTypes'], 'must not be empty'),
    ...checkCondition(
      spec.egress === undefined || types.includes('Egress'),
      ['spec', 'policyTypes'],
      'does not name Egress, of which there are rules',
    ),
    ...checkCondition(
      peersOf(spec).every((list) => list === undefined || list.length > 0),
      ['spec'],
      'has an empty list of peers, which means everyone',
    ),
  ];
};

interface Route {
  readonly spec: {
    readonly parentRefs?: readonly unknown[];
    readonly rules?: readonly {
      readonly backendRefs?: readonly {
        readonly kind?: string;
        readonly name: string;
        readonly namespace?: string;
        readonly port?: number;
      }[];
    }[];
  };
}

/** An HTTPRoute refers to a Gateway and to ports of Services. */
export const httpRouteRule: Rule = (object, rendered) => {
  const { parentRefs = [], rules = [] } = as<Route>(object).spec;
  const path = ['spec', 'rules'];
  return [
    ...checkCondition(parentRefs.length > 0, ['spec', 'parentRefs'], 'must not be empty'),
    ...rules
      .flatMap(({ backendRefs = [] }) => backendRefs)
      .filter(({ kind = 'Service', namespace }) => kind === 'Service' && namespace === undefined)
      .flatMap(({ name, port }) => {
        const service = rendered.find('Service', name, object);
        if (service === undefined) return [{ path, message: `there is no Service ${name}` }];
        return checkCondition(
          portsOf(service).some((one) => one.port === port),
          path,
          `the Service ${name} has no port ${String(port)}`,
        );
      }),
  ];
};

interface Monitor {
  readonly spec: {
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly endpoints: readonly { readonly port?: string; readonly targetPort?: string }[];
  };
}

/** A ServiceMonitor selects Services of the render that have the ports which it scrapes, or whose pods have them. */
export const serviceMonitorRule: Rule = (object, rendered) => {
  const { selector, endpoints } = as<Monitor>(object).spec;
  const services = rendered
    .ofKind('Service')
    .filter(({ metadata }) => isSelected(metadata.labels ?? {}, selector.matchLabels ?? {}));
  const names = services.flatMap((service) => portsOf(service).map(({ name }) => name));
  if (services.length === 0)
    return [{ path: ['spec', 'selector'], message: 'selects no Service of this render' }];
  const open = portNamesOf(services.flatMap((service) => podsOf(service, rendered)));
  const path = ['spec', 'endpoints'];
  return endpoints.flatMap(({ port, targetPort }) => [
    ...checkCondition(
      port === undefined || names.includes(port),
      path,
      `no Service has the port ${String(port)}`,
    ),
    ...checkCondition(
      targetPort === undefined || open.includes(targetPort),
      path,
      `no pod of a Service has the port ${String(targetPort)}`,
    ),
  ]);
};
