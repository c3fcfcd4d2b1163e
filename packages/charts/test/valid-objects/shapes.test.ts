import { describe, expect, it } from 'vitest';
import { parseManifestObjects } from '../../src/render.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { problemsOf, problemsWhen, VALID_RENDER, type BrokenCase } from './broken-render.ts';

const CONTAINER = 'spec.template.spec.containers[0]';

const CASES: readonly BrokenCase[] = [
  [
    'an unknown field',
    'mountPath',
    'mountpath',
    `Deployment web: ${CONTAINER}.volumeMounts[0].mountPath: is required\nDeployment web: ${CONTAINER}.volumeMounts[0].mountpath: is no field`,
  ],
  [
    'a field at the wrong place',
    'env: [',
    'envs: [',
    `Deployment web: ${CONTAINER}.envs: is no field`,
  ],
  [
    'a text for a number',
    'containerPort: 8080',
    "containerPort: '8080'",
    `Deployment web: ${CONTAINER}.ports[0].containerPort: must be a number, is string`,
  ],
  [
    'a number for a text',
    'value: fast',
    'value: 1',
    `Deployment web: ${CONTAINER}.env[0].value: must be a string, is number`,
  ],
  [
    'a map for a list',
    "data: { a.yaml: 'a: 1' }",
    'data: []',
    'ConfigMap web: data: must be a map, is a list',
  ],
  [
    'a list for a port',
    'port: http } }',
    'port: [] } }',
    `Deployment web: ${CONTAINER}.readinessProbe.httpGet.port: is none of the allowed types: a list`,
  ],
  [
    'nothing for a map',
    'labels: { app: web, tier: front }',
    'labels:',
    'Deployment web: spec.template.metadata.labels: must be a map, is null',
  ],
  [
    'a quantity that is none',
    '1Gi',
    '1GB',
    'PersistentVolumeClaim web: spec.resources.requests.storage: is no Quantity: "1GB"',
  ],
  [
    'a missing field',
    'maxReplicas: 2',
    '',
    'HorizontalPodAutoscaler web: spec.maxReplicas: is required',
  ],
  [
    'a version that there is not',
    'policy/v1',
    'policy/v1beta1',
    'PodDisruptionBudget web: nobody knows this apiVersion and kind',
  ],
  [
    'a kind of another group',
    'kind: Role\n',
    'kind: Ingress\n',
    'Ingress web: nobody knows this apiVersion and kind',
  ],
  [
    'a list of objects',
    'kind: ServiceAccount,',
    'kind: ServiceAccountList,',
    'ServiceAccountList web: items: is required\nServiceAccountList web: metadata.name: is no field\nServiceAccountList web: metadata.namespace: is no field',
  ],
  [
    'a custom kind that nobody knows',
    'kind: OCIRepository\n',
    'kind: GitRepository\n',
    'GitRepository web: nobody knows this apiVersion and kind',
  ],
  [
    'an unknown field of an HTTPRoute',
    'backendRefs',
    'backendRef',
    'HTTPRoute web: spec.rules[0].backendRef: is no field',
  ],
  [
    'a wrong interval of a ServiceMonitor',
    'interval: 30s',
    'interval: 30',
    'ServiceMonitor web: spec.endpoints[0].interval: must be string',
  ],
  [
    'a release without a chart',
    'chartRef: { kind: OCIRepository, name: web } }',
    'releaseName: web }',
    'HelmRelease web: spec.chart: is required\nHelmRelease web: spec.chartRef: is required\nHelmRelease web: spec: must match exactly one schema in oneOf',
  ],
  [
    'a chart that is no OCI URL',
    'oci://',
    'https://',
    'OCIRepository web: spec.url: must match pattern "^oci://.*$"',
  ],
  [
    'a RemoteMCPServer without a text',
    'description: The shop, ',
    '',
    'RemoteMCPServer web: spec.description: is required',
  ],
  [
    'an MCPServer without a URL',
    "type: streamable-http, url: 'http://web.shop.svc/mcp'",
    'type: streamable-http',
    'MCPServer web: spec.url: url is required when type is streamable-http or sse',
  ],
  [
    'a Workflow with a typing mistake',
    'tool: x_web_look',
    'tol: x_web_look',
    'Workflow web: spec.steps[0].tol: unknown field\nWorkflow web: spec.steps[0]: one of tool, forEach, or parallel is required',
  ],
];

describe('shapes of rendered objects', () => {
  it('are valid in a correct render', () => {
    expect(problemsOf(VALID_RENDER)).toEqual([]);
  });

  it.each(CASES)('report %s', (_name, from, to, problem) => {
    // Objects that refer to the broken object are reported too; only its own problems count here.
    const kind = problem.split(' ', 1)[0] ?? '';
    const own = problemsWhen(from, to).filter((text) => text.startsWith(`${kind} web:`));
    expect(own).toEqual(problem.split('\n'));
  });

  it('report an object without a name', () => {
    expect(problemsOf('{ apiVersion: v1, kind: ConfigMap }')).toEqual([
      'ConfigMap ?: metadata.name: is required',
    ]);
  });

  it('take a quantity as a number, and a port by name or number', () => {
    expect(problemsWhen('storage: 1Gi', 'storage: 1073741824')).toEqual([]);
    expect(problemsWhen('/readyz, port: http', '/readyz, port: 8080')).toEqual([]);
  });

  it('of gateway kinds are validated with the API group of the installation', () => {
    const server = parseManifestObjects(VALID_RENDER).filter(({ kind }) => kind === 'MCPServer');
    expect(kubernetesProblems(server, { apiGroup: 'gateway.internal' })).toEqual([]);
    expect(kubernetesProblems(server, { apiGroup: 'mcp.example.com' })).toEqual([
      'MCPServer web: nobody knows this apiVersion and kind',
    ]);
  });
});
