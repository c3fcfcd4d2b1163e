import { beforeAll, describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { templateTexts } from '../harness/template-texts.ts';

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

/** Values, and the refusal; an empty text where the chart takes them. */
const CASES: readonly (readonly [string, Values, string])[] = [
  ['the defaults', {}, ''],
  [
    'a port on the nodes for a Service that has none',
    { service: { nodePort: 30_090 } },
    'service.nodePort is 30090, and a Service of type ClusterIP has none: set service.type, or omit it',
  ],
  ['a port on the nodes', { service: { type: 'NodePort', nodePort: 30_090 } }, ''],

  ...(
    [
      ['the API server of muster.kubernetes', { kubernetes: { enabled: true } }],
      [
        'the issuers of muster.auth',
        {
          http: { publicUrl: 'https://gateway.example.com' },
          auth: { mode: 'resource-server', issuers: [{ issuer: 'https://login.example.com' }] },
        },
      ],
    ] as const
  ).map(
    ([needed, muster]) =>
      [
        `egress without ${needed}`,
        policy({ egress: { enabled: true } }, { muster }),
        `networkPolicy.egress.enabled without networkPolicy.egress.rules does not allow ${needed}: add rules for it`,
      ] as const,
  ),
  [
    'alerts without the metrics that they read',
    { prometheusRule: { enabled: true } },
    'prometheusRule.enabled needs serviceMonitor.enabled, whose labels its alerts select',
  ],
  [
    'alerts',
    {
      serviceMonitor: { enabled: true },
      prometheusRule: { enabled: true, disabled: ['GatewayDown'] },
    },
    '',
  ],
  [
    'an alert that there is not',
    {
      serviceMonitor: { enabled: true },
      prometheusRule: { enabled: true, disabled: ['GatewayDown', 'Down'] },
    },
    'prometheusRule.disabled has Down, and the alerts of the chart are GatewayDown, GatewayServerNotConnected, GatewayServerUnhealthy, GatewayServerRestarts, GatewayServerRequestsFail, GatewayServerQueueFull, GatewayOverloaded, GatewaySlow, GatewayEventLoopBlocked, GatewayAuditRecordsLost, GatewayToolsChanged',
  ],

  ['equal numbers of pods', scaling({ minReplicas: 3, maxReplicas: 3 }), ''],
  [
    'more pods at least than at most',
    scaling({ minReplicas: 4, maxReplicas: 3 }),
    'autoscaling.minReplicas 4 is above autoscaling.maxReplicas 3',
  ],
  ['a switched-off autoscaler', { autoscaling: { minReplicas: 4, maxReplicas: 3 } }, ''],
  [
    'nothing to follow',
    scaling({ targetCPUUtilizationPercentage: 0 }),
    'autoscaling.enabled needs something to follow: set autoscaling.targetCPUUtilizationPercentage, autoscaling.targetMemoryUtilizationPercentage or autoscaling.metrics',
  ],
  [
    'memory instead of CPU',
    scaling({ targetCPUUtilizationPercentage: 0, targetMemoryUtilizationPercentage: 80 }),
    '',
  ],
  [
    'metrics of somebody else instead of CPU',
    scaling({ targetCPUUtilizationPercentage: 0, metrics: [{ type: 'External' }] }),
    '',
  ],
  [
    'CPU without a request of it',
    { ...scaling({}), resources: { requests: null, limits: { memory: '1Gi' } } },
    'autoscaling.targetCPUUtilizationPercentage is a share of resources.requests.cpu, which is not set',
  ],
  [
    'CPU with a limit, which stands for a request',
    { ...scaling({}), resources: { requests: null, limits: { cpu: '1' } } },
    '',
  ],
  [
    'memory without a request of it',
    {
      ...scaling({ targetMemoryUtilizationPercentage: 80 }),
      resources: { requests: null, limits: null },
    },
    'autoscaling.targetCPUUtilizationPercentage is a share of resources.requests.cpu, which is not set',
  ],

  ['a budget without a bound', budget({}), ''],
  ['one pod that may go', budget({ maxUnavailable: 1 }), ''],
  ['a share that may go', budget({ maxUnavailable: '1%' }), ''],
  [
    'both bounds',
    budget({ minAvailable: 1, maxUnavailable: 1 }),
    'podDisruptionBudget.minAvailable and podDisruptionBudget.maxUnavailable exclude each other: set one of them',
  ],
  [
    'no pod that may go',
    budget({ maxUnavailable: 0 }),
    'podDisruptionBudget.maxUnavailable 0 evicts no pod, so no node can be drained',
  ],
  [
    'no share that may go',
    budget({ maxUnavailable: '0%' }),
    'podDisruptionBudget.maxUnavailable 0% evicts no pod, so no node can be drained',
  ],
  [
    'a single pod that has to stay',
    budget({ minAvailable: 1 }),
    'podDisruptionBudget.minAvailable 1 keeps 1 of 1 pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods',
  ],
  ['one of two pods that has to stay', budget({ minAvailable: 1 }, { replicas: 2 }), ''],
  ['half of two pods', budget({ minAvailable: '50%' }, { replicas: 2 }), ''],
  [
    'more than half of two pods, rounded up',
    budget({ minAvailable: '51%' }, { replicas: 2 }),
    'podDisruptionBudget.minAvailable 51% keeps 2 of 2 pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods',
  ],
  [
    'as many pods as the autoscaler leaves',
    { ...scaling({ minReplicas: 2 }), ...budget({ minAvailable: 2 }, { replicas: 9 }) },
    'podDisruptionBudget.minAvailable 2 keeps 2 of 2 pods, so no node can be drained: set podDisruptionBudget.maxUnavailable instead, or run more pods',
  ],
  ['no pods at all', budget({ minAvailable: 1 }, { replicas: 0 }), ''],

  ['a policy with callers', policy({}), ''],
  [
    'a policy without callers',
    policy({ from: [], metricsFrom: [{ podSelector: {} }] }),
    'networkPolicy.enabled needs networkPolicy.from: nobody could reach the gateway; name its callers, or [{namespaceSelector: {}}] for every pod of the cluster',
  ],
  [
    'remote servers behind a policy that allows DNS only',
    policy(
      { egress: { enabled: true } },
      { mcpservers: { a: server, b: { spec: { type: 'stdio', command: 'b' } }, c: server } },
    ),
    'networkPolicy.egress.enabled without networkPolicy.egress.rules allows DNS only, so the gateway could not reach the servers a, c: add rules for them',
  ],
  [
    'remote servers with rules',
    policy({ egress: { enabled: true, rules: [{}] } }, { mcpservers: { a: server } }),
    '',
  ],
  [
    'no remote server behind a policy that allows DNS only',
    policy({ egress: { enabled: true } }, { mcpservers: { b: { spec: { type: 'stdio' } } } }),
    '',
  ],

  ['a timeout as long as the interval', monitor('1m', '60s'), ''],
  [
    'a timeout longer than the interval',
    monitor('1m', '1m1ms'),
    'serviceMonitor.scrapeTimeout 1m1ms is longer than serviceMonitor.interval 1m',
  ],
  [
    'a timeout longer than the interval, in other units',
    monitor('1m30s', '1h'),
    'serviceMonitor.scrapeTimeout 1h is longer than serviceMonitor.interval 1m30s',
  ],

  ['an Ingress with a host', ingress({}), ''],
  [
    'an Ingress without hosts',
    ingress({ hosts: [] }),
    'ingress.enabled needs ingress.hosts: name the hosts that the gateway is served at',
  ],
  [
    'a host twice',
    ingress({ hosts: [{ host: 'a.example.com' }, { host: 'a.example.com' }] }),
    'ingress.hosts names a host twice',
  ],
  [
    'a host that is a wildcard',
    ingress({ hosts: [{ host: '*.example.com' }, { host: '*.example.org' }] }),
    'ingress.hosts has *.example.com, but the gateway accepts known host names only: add them to muster.http.allowedHosts ("*" allows every host)',
  ],
  ['a wildcard with names', ingress({ hosts: [{ host: '*.example.com' }] }, allowedHosts), ''],
  [
    'a certificate for a host that is not served',
    ingress({ tls: [{ hosts: ['gateway.example.com', 'gatway.example.com'] }] }),
    'ingress.tls names gatway.example.com, which is not in ingress.hosts',
  ],
  ['a certificate for all hosts of a domain', ingress({ tls: [{ hosts: ['*.example.com'] }] }), ''],

  ['a route with all it needs', route({}), ''],
  [
    'a route without a Gateway',
    route({ parentRefs: [] }),
    'httpRoute.enabled needs httpRoute.parentRefs: name the Gateway that the route belongs to',
  ],
  [
    'a route without hosts',
    route({ hostnames: [] }),
    'httpRoute.enabled needs httpRoute.hostnames: the gateway serves hosts that it knows by name only; without hostnames, name those of the Gateway in muster.http.allowedHosts',
  ],
  ['a route with the hosts of its Gateway', route({ hostnames: [] }, allowedHosts), ''],
  [
    'a route of a wildcard',
    route({ hostnames: ['*.example.com'] }),
    'httpRoute.hostnames has *.example.com, but the gateway accepts known host names only: add them to muster.http.allowedHosts ("*" allows every host)',
  ],
  [
    'more time for one try than for all',
    route({ timeouts: { request: '10s', backendRequest: '10001ms' } }),
    'httpRoute.timeouts.backendRequest 10001ms is longer than httpRoute.timeouts.request 10s',
  ],
  ['as much time', route({ timeouts: { request: '10s', backendRequest: '10s' } }), ''],
  ['no bound for all', route({ timeouts: { request: '0s', backendRequest: '10s' } }), ''],

  ['agents everywhere', remote({ from: 'All' }), ''],
  [
    'agents of selected namespaces, and no selector',
    remote({ from: 'Selector' }),
    'remoteMCPServer.allowedNamespaces.from: Selector needs remoteMCPServer.allowedNamespaces.selector',
  ],
  [
    'a selector that nobody reads',
    remote({ from: 'All', selector: { matchLabels: { a: 'b' } } }),
    'remoteMCPServer.allowedNamespaces.selector is for from: Selector, not for from: All',
  ],
];

describe('additional objects of the gateway', () => {
  let texts: readonly string[];
  beforeAll(async () => {
    texts = await templateTexts(
      'gateway',
      '{{ include "gateway.networkProblem" . }}',
      CASES.map(([, values]) => values),
    );
  });

  it.each(CASES.map(([name, , text], at) => [name, text, at] as const))(
    'judges %s',
    (_name, text, at) => {
      expect(texts[at]).toBe(text);
    },
  );

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
