import { describe, expect, it } from 'vitest';
import { parseManifestObjects } from '../src/render.ts';
import { kubernetesProblems } from './harness/valid-objects.ts';

/** A valid render with one object of every kind that has rules. Each test breaks one place. */
const VALID_RENDER = `
kind: Deployment
apiVersion: apps/v1
metadata: { name: web, namespace: shop }
spec:
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers:
        - name: web
          ports: [{ name: http, containerPort: 8080 }]
          readinessProbe: { httpGet: { path: /readyz, port: http } }
      volumes:
        - name: settings
          projected: { sources: [{ configMap: { name: web, items: [{ key: a.yaml, path: a.yaml }] } }] }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: web, namespace: shop }, data: { a.yaml: 'a: 1' } }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop, labels: { app: web } }
spec: { selector: { app: web }, ports: [{ name: http, port: 80, targetPort: http }] }
---
{ apiVersion: v1, kind: ServiceAccount, metadata: { name: web, namespace: shop } }
---
{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: web, namespace: shop }, rules: [] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: web, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: web }
subjects: [{ kind: ServiceAccount, name: web, namespace: shop }]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 2 }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: shop }
spec: { minAvailable: 1, selector: { matchLabels: { tier: front } } }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web, namespace: shop }
spec: { podSelector: { matchLabels: { app: web } }, policyTypes: [Ingress], ingress: [{ from: [{ podSelector: {} }] }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: shop }
spec: { rules: [{ http: { paths: [{ path: /, backend: { service: { name: web, port: { name: http } } } }] } }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec: { rules: [{ backendRefs: [{ name: web, port: 80 }] }] }
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: { name: web, namespace: shop }
spec: { selector: { matchLabels: { app: web } }, endpoints: [{ port: http }] }
---
{ apiVersion: source.toolkit.fluxcd.io/v1, kind: OCIRepository, metadata: { name: web, namespace: shop } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: shop }
spec: { chartRef: { kind: OCIRepository, name: web } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: later, namespace: shop }
spec: { chartRef: { kind: OCIRepository, name: web }, dependsOn: [{ name: web }] }
---
apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata: { name: web, namespace: shop }
spec: { type: streamable-http, url: 'http://web.shop.svc/mcp' }
`;

const problemsOf = (text: string): readonly string[] =>
  kubernetesProblems(parseManifestObjects(text));

/** Old text, new text, and a line for each problem. */
const CASES: readonly (readonly [from: string, to: string, ...problems: readonly string[]])[] = [
  ['targetPort: http', 'targetPort: https', 'Service web: there is no port https in the pods'],
  [
    'selector: { app: web }, ports: [{ name: http, port: 80, targetPort: http }]',
    'selector: { app: wep }, ports: [{ name: http, port: 80 }]',
    'Service web: selects no pods',
  ],
  ['service: { name: web', 'service: { name: wep', 'Ingress web: there is no Service wep'],
  ['port: 80 }] }] }', 'port: 81 }] }] }', 'HTTPRoute web: the Service web has no port 81'],
  ['[{ port: http }]', '[{ port: web }]', 'ServiceMonitor web: no Service has the port web'],
  [
    '[{ port: http }]',
    '[{ targetPort: https }]',
    'ServiceMonitor web: no pod of a Service has the port https',
  ],
  [
    'podSelector: { matchLabels: { app: web } }',
    'podSelector: { matchLabels: { app: wep } }',
    'NetworkPolicy web: selects no pods',
  ],
  [
    'from: [{ podSelector: {} }]',
    'from: []',
    'NetworkPolicy web: has an empty list of peers, which means everyone',
  ],
  [
    'ingress: [{ from',
    'egress: [], ingress: [{ from',
    'NetworkPolicy web: has egress rules without effect',
  ],
  [
    '/readyz, port: http',
    '/readyz, port: a',
    'Deployment web: probes the port a, which the container does not have',
  ],
  ['key: a.yaml', 'key: b.yaml', 'Deployment web: the ConfigMap web has no key b.yaml'],
  [
    'kind: Deployment, name: web',
    'kind: Deployment, name: wep',
    'HorizontalPodAutoscaler web: there is no Deployment wep',
  ],
  [
    'spec:\n  template',
    'spec:\n  replicas: 1\n  template',
    'HorizontalPodAutoscaler web: Deployment web sets replicas itself',
  ],
  ['tier: front } } }', 'tier: back } } }', 'PodDisruptionBudget web: selects no pods'],
  ['kind: Role, name: web', 'kind: Role, name: wep', 'RoleBinding web: there is no Role wep'],
  [
    'ServiceAccount, name: web, namespace: shop }]',
    'ServiceAccount, name: wep, namespace: shop }]',
    'RoleBinding web: there is no ServiceAccount wep in shop',
  ],
  ['name: web } }\n---', 'name: wep } }\n---', 'HelmRelease web: there is no OCIRepository wep'],
  [
    'dependsOn: [{ name: web',
    'dependsOn: [{ name: wep',
    'HelmRelease later: there is no HelmRelease wep',
  ],
  [
    'HelmRelease\nmetadata: { name: later',
    'HelmRelease\nmetadata: { name: web',
    'HelmRelease web of helm.toolkit.fluxcd.io/v2 in shop is rendered twice',
  ],
  [
    "type: streamable-http, url: 'http://web.shop.svc/mcp'",
    'type: streamable-http',
    'MCPServer web: spec.url: url is required when type is streamable-http or sse',
  ],
];

describe('the references of rendered objects', () => {
  it('are valid in a correct render', () => {
    expect(problemsOf(VALID_RENDER)).toEqual([]);
  });

  it.each(CASES)('are refused with %j replaced by %j', (from, to, ...problems) => {
    expect(VALID_RENDER).toContain(from);
    expect(problemsOf(VALID_RENDER.replace(from, to))).toEqual(problems);
  });
});
