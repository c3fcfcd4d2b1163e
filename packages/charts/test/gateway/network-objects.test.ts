import { describe, expect, it } from 'vitest';
import type { ManifestObject } from '../../src/render.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { DEFAULT_OBJECTS, gatewayObjects } from './gateway-chart.ts';
import { objectOf } from '../harness/rendered-objects.ts';

const state = { store: 'redis', url: 'rediss://state.example.com:6379' };

const toState = {
  to: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
  ports: [{ protocol: 'TCP', port: 6379 }],
};

/** Every part enabled with its required values only. */
const BARE = {
  stateSecret: { existingSecret: 'state' },
  muster: { state },
  autoscaling: { enabled: true },
  podDisruptionBudget: { enabled: true },
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: {} }],
    egress: { enabled: true, rules: [toState] },
  },
  serviceMonitor: { enabled: true },
  ingress: { enabled: true, hosts: [{ host: 'gateway.example.com' }] },
  httpRoute: { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['mcp.example.com'] },
  remoteMCPServer: { enabled: true },
};

/** Other values for the pod port, the Service port and the request timeout. */
const MOVED = {
  ...BARE,
  replicas: 3,
  autoscaling: { enabled: false },
  networkPolicy: { ...BARE.networkPolicy, egress: { enabled: false } },
  clusterDomain: 'cluster.internal',
  service: { port: 80 },
  muster: {
    state,
    http: { port: 9000, requestTimeoutSeconds: 600, allowedHosts: ['a.example.com'] },
  },
  httpRoute: {
    enabled: true,
    parentRefs: [{ name: 'public' }],
    timeouts: { request: '', backendRequest: '' },
    labels: { 'app.kubernetes.io/part-of': 'platform', 'app.kubernetes.io/version': 'mine' },
  },
};

const SELECTED = { 'app.kubernetes.io/name': 'gateway', 'app.kubernetes.io/instance': 'demo' };

const METADATA = {
  name: 'demo-gateway',
  namespace: 'demo-ns',
  labels: {
    ...SELECTED,
    'app.kubernetes.io/managed-by': 'Helm',
    'app.kubernetes.io/version': '5.13.0',
    'helm.sh/chart': 'gateway-5.13.0',
  },
};

const tcp = (port: number) => ({ protocol: 'TCP', port });
const selector = { matchLabels: SELECTED };
const fromCallers = (port: number) => ({
  from: [{ namespaceSelector: {} }],
  ports: [tcp(port)],
});

const routeRule = (port: number, rest: object = {}) => ({
  matches: [{ path: { type: 'Exact', value: '/mcp' } }],
  backendRefs: [{ name: 'demo-gateway', port }],
  ...rest,
});

/** The additional objects with their required values only, by what they do. */
const OBJECTS: readonly (readonly [title: string, expected: ManifestObject])[] = [
  [
    'scales by CPU',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: METADATA,
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'demo-gateway' },
        minReplicas: 2,
        maxReplicas: 5,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
          },
        ],
      },
    },
  ],
  [
    'permits the eviction of one pod at a time, and of pods that are not ready',
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: METADATA,
      spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector },
    },
  ],
  [
    'admits the callers to the port, and lets the gateway ask for names',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: METADATA,
      spec: {
        podSelector: selector,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [fromCallers(8090)],
        egress: [
          {
            to: [
              { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
            ],
            ports: [{ protocol: 'UDP', port: 53 }, tcp(53)],
          },
          toState,
        ],
      },
    },
  ],
  [
    'scrapes every pod of the Service',
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: METADATA,
      spec: {
        namespaceSelector: { matchNames: ['demo-ns'] },
        selector,
        endpoints: [{ targetPort: 'health', path: '/metrics', scheme: 'http', honorLabels: false }],
      },
    },
  ],
  [
    'exposes only /mcp through an Ingress',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: METADATA,
      spec: {
        rules: [
          {
            host: 'gateway.example.com',
            http: {
              paths: [
                {
                  path: '/mcp',
                  pathType: 'Exact',
                  backend: { service: { name: 'demo-gateway', port: { name: 'http' } } },
                },
              ],
            },
          },
        ],
      },
    },
  ],
  [
    'exposes only /mcp through an HTTPRoute, without a timeout for streams',
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: METADATA,
      spec: {
        parentRefs: [{ name: 'public' }],
        hostnames: ['mcp.example.com'],
        rules: [routeRule(8090, { timeouts: { request: '0s', backendRequest: '0s' } })],
      },
    },
  ],
  [
    'is available to agents of all namespaces, with the timeout of the gateway',
    {
      apiVersion: 'kagent.dev/v1alpha2',
      kind: 'RemoteMCPServer',
      metadata: { ...METADATA, name: 'gateway' },
      spec: {
        description: 'MCP gateway: the tools of all MCP servers and workflows.',
        url: 'http://demo-gateway.demo-ns.svc.cluster.local:8090/mcp',
        protocol: 'STREAMABLE_HTTP',
        timeout: '330s',
        sseReadTimeout: '330s',
        terminateOnClose: true,
        allowedNamespaces: { from: 'All' },
      },
    },
  ],
];
const KINDS = OBJECTS.map(([, { kind }]) => kind);

const specOf = (objects: readonly ManifestObject[], kind: string): unknown =>
  objectOf(objects, kind)['spec'];

it('The gateway has no additional objects by default.', () => {
  expect(DEFAULT_OBJECTS.filter(({ kind }) => KINDS.includes(kind))).toEqual([]);
});

describe('an additional object of the gateway', async () => {
  const objects = await gatewayObjects(BARE);

  it('is valid, and the Deployment of a scaled gateway has no replicas', () => {
    expect(kubernetesProblems(objects)).toEqual([]);
    expect(specOf(objects, 'Deployment')).not.toHaveProperty('replicas');
  });

  it.each(OBJECTS)('%s', (_title, expected) => {
    expect(objects.filter(({ kind }) => kind === expected.kind)).toEqual([expected]);
  });
});

it('Additional objects follow other ports and timeouts, and leave egress and the number of pods alone by default.', async () => {
  const objects = await gatewayObjects(MOVED);
  expect(kubernetesProblems(objects)).toEqual([]);
  expect(specOf(objects, 'RemoteMCPServer')).toMatchObject({
    url: 'http://demo-gateway.demo-ns.svc.cluster.internal:80/mcp',
    timeout: '600s',
    sseReadTimeout: '600s',
  });
  expect(specOf(objects, 'NetworkPolicy')).toEqual({
    podSelector: selector,
    policyTypes: ['Ingress'],
    ingress: [fromCallers(9000)],
  });
  expect(objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
  expect(specOf(objects, 'Deployment')).toHaveProperty('replicas', 3);
  expect(objectOf(objects, 'HTTPRoute').metadata.labels).toMatchObject({
    'app.kubernetes.io/part-of': 'platform',
    'app.kubernetes.io/version': 'mine',
    'app.kubernetes.io/name': 'gateway',
  });
  expect(specOf(objects, 'HTTPRoute')).toEqual({
    parentRefs: [{ name: 'public' }],
    rules: [routeRule(80)],
  });
});
