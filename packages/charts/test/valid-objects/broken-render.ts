import { parseManifestObjects, type ManifestObject } from '../../src/render.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';

/** A valid render with one object of every kind that has rules. Each test breaks one place. */
export const VALID_RENDER = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, labels: { app: web } }
spec:
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
          ports: [{ name: http, containerPort: 8080 }]
          env: [{ name: MODE, value: fast }]
          readinessProbe: { httpGet: { path: /readyz, port: http } }
          volumeMounts: [{ name: settings, mountPath: /etc/web }]
      volumes:
        - name: settings
          projected: { sources: [{ configMap: { name: web, items: [{ key: a.yaml, path: a.yaml }] } }] }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: web, namespace: shop }, data: { a.yaml: 'a: 1' } }
---
{ apiVersion: v1, kind: Secret, metadata: { name: web, namespace: shop }, data: { key: c2VjcmV0 } }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop, labels: { app: web } }
spec: { selector: { app: web }, ports: [{ name: http, port: 80, targetPort: http }] }
---
{ apiVersion: v1, kind: ServiceAccount, metadata: { name: web, namespace: shop } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: web, namespace: shop }
rules: [{ apiGroups: [''], resources: [configmaps], verbs: [get] }]
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
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 1
  maxReplicas: 2
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 80 } } }]
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
spec:
  rules:
    - host: web.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { name: http } } } }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web, namespace: shop }
spec: { parentRefs: [{ name: public }], rules: [{ backendRefs: [{ name: web, port: 80 }] }] }
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: { name: web, namespace: shop }
spec: { selector: { matchLabels: { app: web } }, endpoints: [{ port: http, interval: 30s }] }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: web, namespace: shop }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: { name: web, namespace: shop }
spec: { url: 'oci://registry.example.com/charts/web', interval: 10m, ref: { semver: '>=1.0.0' } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: web, namespace: shop }
spec: { interval: 10m, chartRef: { kind: OCIRepository, name: web } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: later, namespace: shop }
spec: { interval: 10m, chartRef: { kind: OCIRepository, name: web }, dependsOn: [{ name: web }], values: { any: thing } }
---
apiVersion: kagent.dev/v1alpha2
kind: RemoteMCPServer
metadata: { name: web, namespace: shop }
spec: { description: The shop, url: 'http://web.shop.svc/mcp', allowedNamespaces: { from: All } }
---
apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata: { name: web, namespace: shop }
spec: { type: streamable-http, url: 'http://web.shop.svc/mcp' }
---
apiVersion: gateway.internal/v1alpha1
kind: Workflow
metadata: { name: web, namespace: shop }
spec: { steps: [{ id: look, tool: x_web_look }] }
`;

/** A change of the valid render: old text, new text, expected problems. */
export type BrokenCase = readonly [name: string, from: string, to: string, problems: string];

const parsed = new Map<string, readonly ManifestObject[]>();

/** Reads each document once, since most of them are the same in every case. */
const objectsOfDocument = (text: string): readonly ManifestObject[] => {
  const objects = parsed.get(text) ?? parseManifestObjects(text);
  parsed.set(text, objects);
  return objects;
};

/** The problems of a rendered text. */
export const problemsOf = (text: string): readonly string[] =>
  kubernetesProblems(text.split('\n---\n').flatMap(objectsOfDocument));

/** Returns the problems of the valid render after a replacement of the first match. */
export const problemsWhen = (from: string, to: string): readonly string[] => {
  if (!VALID_RENDER.includes(from)) throw new Error(`the sound render has no ${from}`);
  return problemsOf(VALID_RENDER.replace(from, to));
};
