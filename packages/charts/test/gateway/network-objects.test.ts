import { beforeAll, describe, expect, it } from 'vitest';
import type { ManifestObject } from '../../src/render.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { gatewayObjects } from './gateway-chart.ts';

const AROUND = [
  'HTTPRoute',
  'HorizontalPodAutoscaler',
  'Ingress',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'RemoteMCPServer',
  'ServiceMonitor',
];

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

const onlyOf = (objects: readonly ManifestObject[], kind: string): unknown => {
  const found = objects.filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
};

const specOf = (objects: readonly ManifestObject[], kind: string): unknown =>
  (onlyOf(objects, kind) as { readonly spec: unknown }).spec;

describe('the gateway without additional objects', () => {
  it('is alone', async () => {
    const objects = await gatewayObjects({});
    expect(objects.map(({ kind }) => kind).filter((kind) => AROUND.includes(kind))).toEqual([]);
  });
});

describe('additional objects of the gateway', () => {
  let objects: readonly ManifestObject[];
  beforeAll(async () => {
    objects = await gatewayObjects(BARE);
  });

  it('exists once each and is valid', () => {
    expect(
      objects
        .map(({ kind }) => kind)
        .filter((kind) => AROUND.includes(kind))
        .toSorted(),
    ).toEqual(AROUND);
    expect(kubernetesProblems(objects)).toEqual([]);
  });

  it('scales by CPU, and the Deployment has no replicas', () => {
    expect(onlyOf(objects, 'HorizontalPodAutoscaler')).toEqual({
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
    });
    expect(specOf(objects, 'Deployment')).not.toHaveProperty('replicas');
  });

  it('permits the eviction of one pod at a time, and of pods that are not ready', () => {
    expect(onlyOf(objects, 'PodDisruptionBudget')).toEqual({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: METADATA,
      spec: {
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: SELECTED },
      },
    });
  });

  it('admits the callers to the port, and lets the gateway ask for names', () => {
    expect(onlyOf(objects, 'NetworkPolicy')).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: METADATA,
      spec: {
        podSelector: { matchLabels: SELECTED },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 8090 }] }],
        egress: [
          {
            to: [
              { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
            ],
            ports: [
              { protocol: 'UDP', port: 53 },
              { protocol: 'TCP', port: 53 },
            ],
          },
          toState,
        ],
      },
    });
  });

  it('scrapes every pod of the Service', () => {
    expect(onlyOf(objects, 'ServiceMonitor')).toEqual({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: METADATA,
      spec: {
        namespaceSelector: { matchNames: ['demo-ns'] },
        selector: { matchLabels: SELECTED },
        endpoints: [{ targetPort: 'health', path: '/metrics', scheme: 'http', honorLabels: false }],
      },
    });
  });

  it('exposes only /mcp through an Ingress', () => {
    expect(onlyOf(objects, 'Ingress')).toEqual({
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
    });
  });

  it('exposes only /mcp through an HTTPRoute, without a timeout for streams', () => {
    expect(onlyOf(objects, 'HTTPRoute')).toEqual({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: METADATA,
      spec: {
        parentRefs: [{ name: 'public' }],
        hostnames: ['mcp.example.com'],
        rules: [
          {
            matches: [{ path: { type: 'Exact', value: '/mcp' } }],
            backendRefs: [{ name: 'demo-gateway', port: 8090 }],
            timeouts: { request: '0s', backendRequest: '0s' },
          },
        ],
      },
    });
  });

  it('is available to agents of all namespaces, with the timeout of the gateway', () => {
    expect(onlyOf(objects, 'RemoteMCPServer')).toEqual({
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
    });
  });
});

describe('additional objects of a gateway with other ports and timeouts', () => {
  let objects: readonly ManifestObject[];
  beforeAll(async () => {
    objects = await gatewayObjects(MOVED);
  });

  it('follows them', () => {
    expect(kubernetesProblems(objects)).toEqual([]);
    expect(specOf(objects, 'RemoteMCPServer')).toMatchObject({
      url: 'http://demo-gateway.demo-ns.svc.cluster.internal:80/mcp',
      timeout: '600s',
      sseReadTimeout: '600s',
    });
  });

  it('leaves egress open by default', () => {
    expect(specOf(objects, 'NetworkPolicy')).toEqual({
      podSelector: { matchLabels: SELECTED },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 9000 }] }],
    });
  });

  it('leaves the number of pods to the Deployment', () => {
    expect(objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
    expect(specOf(objects, 'Deployment')).toHaveProperty('replicas', 3);
  });

  it('uses hosts and timeouts of the Gateway, and accepts labels', () => {
    expect(onlyOf(objects, 'HTTPRoute')).toMatchObject({
      metadata: {
        labels: {
          'app.kubernetes.io/part-of': 'platform',
          'app.kubernetes.io/version': 'mine',
          'app.kubernetes.io/name': 'gateway',
        },
      },
    });
    expect(specOf(objects, 'HTTPRoute')).toEqual({
      parentRefs: [{ name: 'public' }],
      rules: [
        {
          matches: [{ path: { type: 'Exact', value: '/mcp' } }],
          backendRefs: [{ name: 'demo-gateway', port: 80 }],
        },
      ],
    });
  });
});
