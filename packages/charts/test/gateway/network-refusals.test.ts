import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { expectTexts, type TextTable } from '../harness/template-texts.ts';

type Values = Readonly<Record<string, unknown>>;

const scaling = (values: Values): Values => ({ autoscaling: { enabled: true, ...values } });
const budget = (values: Values, further: Values = {}): Values => ({
  podDisruptionBudget: { enabled: true, ...values },
  ...further,
});
const policy = (values: Values, further: Values = {}): Values => ({
  networkPolicy: { enabled: true, from: [{ podSelector: {} }], ...values },
  ...further,
});
const monitor = (interval: string, scrapeTimeout: string): Values => ({
  serviceMonitor: { enabled: true, interval, scrapeTimeout },
});
const ingress = (values: Values, further: Values = {}): Values => ({
  ingress: { enabled: true, hosts: [{ host: 'gateway.example.com' }], ...values },
  ...further,
});
const route = (values: Values, further: Values = {}): Values => ({
  httpRoute: {
    enabled: true,
    parentRefs: [{ name: 'public' }],
    hostnames: ['gateway.example.com'],
    ...values,
  },
  ...further,
});
const remote = (allowedNamespaces: Values): Values => ({
  remoteMCPServer: { enabled: true, allowedNamespaces },
});
const allowedHosts = { muster: { http: { allowedHosts: ['a.example.com'] } } };
const server = { spec: { type: 'streamable-http', url: 'https://mcp.example.com/mcp' } };

const CASES: TextTable = {
  '': [
    {},
    { service: { type: 'NodePort', nodePort: 30_090 } },
    {
      serviceMonitor: { enabled: true },
      prometheusRule: { enabled: true, disabled: ['GatewayDown'] },
    },
    scaling({ minReplicas: 3, maxReplicas: 3 }),
    { autoscaling: { minReplicas: 4, maxReplicas: 3 } },
    scaling({ targetCPUUtilizationPercentage: 0, targetMemoryUtilizationPercentage: 80 }),
    scaling({ targetCPUUtilizationPercentage: 0, metrics: [{ type: 'External' }] }),
    { ...scaling({}), resources: { requests: null, limits: { cpu: '1' } } },
    budget({}),
    budget({ maxUnavailable: 1 }),
    budget({ maxUnavailable: '1%' }),
    budget({ minAvailable: 1 }, { replicas: 2 }),
    budget({ minAvailable: '50%' }, { replicas: 2 }),
    budget({ minAvailable: 1 }, { replicas: 0 }),
    policy({}),
    policy({ egress: { enabled: true, rules: [{}] } }, { mcpservers: { a: server } }),
    policy({ egress: { enabled: true } }, { mcpservers: { b: { spec: { type: 'stdio' } } } }),
    monitor('1m', '60s'),
    ingress({}),
    ingress({ hosts: [{ host: '*.example.com' }] }, allowedHosts),
    ingress({ tls: [{ hosts: ['*.example.com'] }] }),
    route({}),
    route({ hostnames: [] }, allowedHosts),
    route({ timeouts: { request: '10s', backendRequest: '10s' } }),
    route({ timeouts: { request: '0s', backendRequest: '10s' } }),
    remote({ from: 'All' }),
  ],
  'service.nodePort is 30090, and a Service of type ClusterIP has none: set service.type, or omit it':
    { service: { nodePort: 30_090 } },
  'prometheusRule.enabled needs serviceMonitor.enabled, whose labels its alerts select': {
    prometheusRule: { enabled: true },
  },
  'prometheusRule.disabled has Down, and the alerts of the chart are GatewayDown, GatewayServerNotConnected, GatewayServerUnhealthy, GatewayServerRestarts, GatewayServerRequestsFail, GatewayServerQueueFull, GatewayOverloaded, GatewaySlow, GatewayEventLoopBlocked, GatewayAuditRecordsLost, GatewayToolsChanged':
    {
      serviceMonitor: { enabled: true },
      prometheusRule: { enabled: true, disabled: ['GatewayDown', 'Down'] },
    },
  'autoscaling.minReplicas 4 is above autoscaling.maxReplicas 3': scaling({
    minReplicas: 4,
    maxReplicas: 3,
  }),
  'autoscaling.enabled needs something to follow: set autoscaling.targetCPUUtilizationPercentage, autoscaling.targetMemoryUtilizationPercentage or autoscaling.metrics':
    scaling({ targetCPUUtilizationPercentage: 0 }),
  'autoscaling.targetCPUUtilizationPercentage is a share of resources.requests.cpu, which is not set':
    [
      { ...scaling({}), resources: { requests: null, limits: { memory: '1Gi' } } },
      {
        ...scaling({ targetMemoryUtilizationPercentage: 80 }),
        resources: { requests: null, limits: null },
      },
    ],
  'podDisruptionBudget.minAvailable and podDisruptionBudget.maxUnavailable exclude each other: set one of them':
    budget({ minAvailable: 1, maxUnavailable: 1 }),
  'podDisruptionBudget.maxUnavailable 0 evicts no pod, so no node can be drained': budget({
    maxUnavailable: 0,
  }),
  'podDisruptionBudget.maxUnavailable 0% evicts no pod, so no node can be drained': budget({
    maxUnavailable: '0%',
  }),
  'podDisruptionBudget.minAvailable 1 keeps 1 of 1 pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods':
    budget({ minAvailable: 1 }),
  'podDisruptionBudget.minAvailable 51% keeps 2 of 2 pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods':
    budget({ minAvailable: '51%' }, { replicas: 2 }),
  'podDisruptionBudget.minAvailable 2 keeps 2 of 2 pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods':
    { ...scaling({ minReplicas: 2 }), ...budget({ minAvailable: 2 }, { replicas: 9 }) },
  'networkPolicy.enabled needs networkPolicy.from: nobody could reach the gateway; name its callers, or [{namespaceSelector: {}}] for every pod of the cluster':
    policy({ from: [], metricsFrom: [{ podSelector: {} }] }),
  'networkPolicy.egress.enabled without networkPolicy.egress.rules allows DNS only, so the gateway could not reach the servers a, c: add rules for them':
    policy(
      { egress: { enabled: true } },
      { mcpservers: { a: server, b: { spec: { type: 'stdio', command: 'b' } }, c: server } },
    ),
  'serviceMonitor.scrapeTimeout 1m1ms is longer than serviceMonitor.interval 1m': monitor(
    '1m',
    '1m1ms',
  ),
  'serviceMonitor.scrapeTimeout 1h is longer than serviceMonitor.interval 1m30s': monitor(
    '1m30s',
    '1h',
  ),
  'ingress.enabled needs ingress.hosts: name the hosts that the gateway is served at': ingress({
    hosts: [],
  }),
  'ingress.hosts names a host twice': ingress({
    hosts: [{ host: 'a.example.com' }, { host: 'a.example.com' }],
  }),
  'ingress.hosts has *.example.com, but the gateway accepts known host names only: add them to muster.http.allowedHosts ("*" allows every host)':
    ingress({ hosts: [{ host: '*.example.com' }, { host: '*.example.org' }] }),
  'ingress.tls names gatway.example.com, which is not in ingress.hosts': ingress({
    tls: [{ hosts: ['gateway.example.com', 'gatway.example.com'] }],
  }),
  'httpRoute.enabled needs httpRoute.parentRefs: name the Gateway that the route belongs to': route(
    { parentRefs: [] },
  ),
  'httpRoute.enabled needs httpRoute.hostnames: the gateway serves hosts that it knows by name only; without hostnames, name those of the Gateway in muster.http.allowedHosts':
    route({ hostnames: [] }),
  'httpRoute.hostnames has *.example.com, but the gateway accepts known host names only: add them to muster.http.allowedHosts ("*" allows every host)':
    route({ hostnames: ['*.example.com'] }),
  'httpRoute.timeouts.backendRequest 10001ms is longer than httpRoute.timeouts.request 10s': route({
    timeouts: { request: '10s', backendRequest: '10001ms' },
  }),
  'remoteMCPServer.allowedNamespaces.from: Selector needs remoteMCPServer.allowedNamespaces.selector':
    remote({ from: 'Selector' }),
  'remoteMCPServer.allowedNamespaces.selector is for from: Selector, not for from: All': remote({
    from: 'All',
    selector: { matchLabels: { a: 'b' } },
  }),
  'networkPolicy.egress.enabled without networkPolicy.egress.rules does not allow the API server of muster.kubernetes: add rules for it':
    policy({ egress: { enabled: true } }, { muster: { kubernetes: { enabled: true } } }),
  'networkPolicy.egress.enabled without networkPolicy.egress.rules does not allow the issuers of muster.auth: add rules for it':
    policy(
      { egress: { enabled: true } },
      {
        muster: {
          http: { publicUrl: 'https://gateway.example.com' },
          auth: { mode: 'resource-server', issuers: [{ issuer: 'https://login.example.com' }] },
        },
      },
    ),
};

describe('additional objects of the gateway', () => {
  it('are refused, naming the value, or accepted', async () => {
    await expectTexts('gateway', '{{ include "gateway.networkProblem" . }}', CASES);
  });

  it('fails the render with the text', async () => {
    const rendered = await render('gateway', route({ parentRefs: [] }));
    expect(rendered).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        'httpRoute.enabled needs httpRoute.parentRefs: name the Gateway that the route belongs to',
      ) as string,
    });
  });

  it.each([
    ['podDisruptionBudget.minAvailable', { podDisruptionBudget: { minAvailable: 'half' } }],
    ['ingress.hosts.0.host', { ingress: { hosts: [{ host: 'https://a.example.com' }] } }],
    ['ingress.hosts.0', { ingress: { hosts: [{ host: 'a.example.com', paths: ['/metrics'] }] } }],
  ])('has a schema that refuses a wrong %s', async (path, values) => {
    const rendered = await render('gateway', values);
    expect(rendered).toMatchObject({ ok: false, error: expect.stringContaining(path) as string });
  });
});
