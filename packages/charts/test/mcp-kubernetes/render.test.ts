import { describe, expect, it } from 'vitest';
import type { ManifestObject } from '../../src/render.ts';
import { deploymentOf, validObjects } from '../harness/rendered-objects.ts';
import { valuesOfCase } from '../harness/render-cases.ts';
import { requirement } from '../requirement.ts';

const parseManifestObjects = (values: unknown) => validObjects('mcp-kubernetes', values);

const one = (objects: readonly ManifestObject[], kind: string): ManifestObject | undefined =>
  objects.find((object) => object.kind === kind);

describe('the cluster-management server', async () => {
  const [plain, named] = await Promise.all([
    parseManifestObjects({}),
    parseManifestObjects({
      mcpServer: {
        managementCluster: 'alpha',
        name: 'reader',
        labels: { 'gateway.internal/tool-group': 'mine' },
      },
    }),
  ]);

  requirement('2.3/stamping-standalone', () => {
    it('has the tool group infrastructure and no family', () => {
      const server = one(plain, 'MCPServer');
      expect(server?.metadata).toMatchObject({
        name: 'mcp-kubernetes',
        labels: { 'gateway.internal/tool-group': 'infrastructure' },
      });
      expect(server?.['spec']).not.toHaveProperty('family');
    });

    it('joins the family of its kind with a management cluster; labels override the default', () => {
      const server = one(named, 'MCPServer');
      expect(server?.metadata).toMatchObject({
        name: 'reader',
        labels: {
          'gateway.internal/tool-group': 'mine',
          'gateway.internal/management-cluster': 'alpha',
        },
      });
      expect(server?.['spec']).toHaveProperty('family', {
        name: 'kubernetes',
        instanceArg: 'management_cluster',
      });
    });
  });

  it('can read the cluster without Secrets and without running commands', () => {
    const rules = one(plain, 'ClusterRole')?.['rules'] as readonly {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly verbs: readonly string[];
    }[];
    expect(rules.map(({ verbs }) => verbs)).toEqual(rules.map(() => ['get', 'list', 'watch']));
    const core = rules.filter(({ apiGroups }) =>
      apiGroups.some((group) => ['', '*'].includes(group)),
    );
    const resources = core.flatMap((rule) => rule.resources);
    expect(resources).toContain('pods/log');
    expect(rules.flatMap((rule) => [...rule.apiGroups, ...rule.resources])).not.toContain('*');
    for (const refused of ['secrets', 'pods/exec', 'pods/attach', 'nodes/proxy'])
      expect(resources).not.toContain(refused);
    expect(one(plain, 'ClusterRoleBinding')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: one(plain, 'ClusterRole')?.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'demo-mcp-kubernetes', namespace: 'demo-ns' }],
    });
  });

  it('has every addition of the values in its pods, and registers its Service', async () => {
    const objects = await parseManifestObjects(valuesOfCase('mcp-kubernetes', 'full'));
    const { replicas, template } = deploymentOf(objects);
    expect([replicas, template.metadata]).toMatchObject([
      2,
      { labels: { team: 'sre' }, annotations: { note: '1e3' } },
    ]);
    expect(template.spec).toMatchObject({
      serviceAccountName: 'reader',
      automountServiceAccountToken: true,
      imagePullSecrets: [{ name: 'pull' }],
      priorityClassName: 'low',
      nodeSelector: { pool: 'tools' },
      tolerations: [{ key: 'tools', operator: 'Exists' }],
      topologySpreadConstraints: [
        { labelSelector: { matchLabels: { 'app.kubernetes.io/instance': 'demo' } }, maxSkew: 1 },
      ],
      initContainers: [{ name: 'wait' }],
      containers: [
        {
          image: 'registry.example.org/tools/mcp-kubernetes:1.2.3',
          args: ['serve', '--transport=streamable-http', '--http-addr=:8080', '--in-cluster'],
          env: [{ name: 'LOG_LEVEL', value: 'debug' }],
          envFrom: [{ secretRef: { name: 'reader' } }],
          startupProbe: { tcpSocket: { port: 'http' } },
          volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
        },
        { name: 'proxy' },
      ],
      volumes: [{ name: 'scratch', emptyDir: {} }],
    });
    expect(one(objects, 'Service')).toMatchObject({
      metadata: { annotations: { note: 'on' } },
      spec: { ports: [{ port: 80, targetPort: 'http' }] },
    });
    expect(one(objects, 'ClusterRole')?.['rules']).toContainEqual({
      apiGroups: ['cluster.x-k8s.io'],
      resources: ['*'],
      verbs: ['get', 'list', 'watch'],
    });
    expect(one(objects, 'MCPServer')?.['spec']).toEqual({
      autoStart: false,
      type: 'streamable-http',
      url: 'http://demo-mcp-kubernetes.demo-ns.svc.cluster.example:80/mcp',
      description: 'Reads the cluster "alpha".',
      family: { name: 'kubernetes', instanceArg: 'management_cluster' },
    });
  });

  it('omits permissions and registration when disabled', async () => {
    const objects = await parseManifestObjects({
      rbac: { create: false },
      mcpServer: { enabled: false },
    });
    expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Service', 'Deployment']);
  });
});
