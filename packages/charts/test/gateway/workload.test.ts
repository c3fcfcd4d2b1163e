import { describe, expect, it } from 'vitest';
import { objectsOfBuild } from '../harness/built-chart.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { DEFAULT_OBJECTS, FULL_OBJECTS, gatewayObjects } from './gateway-chart.ts';
import { deploymentOf, objectOf } from '../harness/rendered-objects.ts';

const { template } = deploymentOf(DEFAULT_OBJECTS);
const [container] = template.spec.containers;

it('The gateway chart renders by default an account without permissions, one ConfigMap, a Service and a Deployment.', () =>
  expect(DEFAULT_OBJECTS.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'ServiceAccount demo-gateway',
    'ConfigMap demo-gateway-config',
    'Service demo-gateway',
    'Deployment demo-gateway',
  ]));

describe('the pods', () => {
  it('run without permissions in the cluster and with two writable folders', () => {
    expect(template.spec['automountServiceAccountToken']).toBe(false);
    expect(container?.['volumeMounts']).toEqual([
      { name: 'config', mountPath: '/etc/gateway', readOnly: true },
      { name: 'state', mountPath: '/var/lib/gateway' },
      { name: 'tmp', mountPath: '/tmp' },
    ]);
    expect(template.spec.volumes.slice(1)).toEqual([
      { name: 'state', emptyDir: { sizeLimit: '2Gi' } },
      { name: 'tmp', emptyDir: { sizeLimit: '256Mi' } },
    ]);
  });

  it('listen on all addresses on the ports of the Service and of probes', () => {
    expect(container?.args.join(' ')).toBe(
      'serve --config-dir /etc/gateway --host 0.0.0.0 --port 8090 --health-port 9464 --expose meta --log-format json --log-level info',
    );
    expect(container).toMatchObject({
      image: 'registry.gateway.internal/gateway:5.13.0',
      ports: [
        { name: 'http', containerPort: 8090 },
        { name: 'health', containerPort: 9464 },
      ],
    });
    expect(objectOf(DEFAULT_OBJECTS, 'Service')['spec']).toMatchObject({
      type: 'ClusterIP',
      ports: [{ port: 8090, targetPort: 'http' }],
    });
  });

  it('leave the Service before SIGTERM, and have time for requests in progress', () => {
    expect(container?.['lifecycle']).toEqual({
      preStop: { exec: { command: ['node', '-e', 'setTimeout(() => {}, 5000)'] } },
    });
    expect(template.spec['terminationGracePeriodSeconds']).toBe(30);
    expect(deploymentOf(DEFAULT_OBJECTS).strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
  });

  it('are selected by labels that values cannot replace', () =>
    expect(deploymentOf(FULL_OBJECTS).template.metadata.labels).toEqual({
      'app.kubernetes.io/instance': 'demo',
      'app.kubernetes.io/name': 'gateway',
      'app.kubernetes.io/version': '5.13.0',
      team: 'platform',
    }));
});

describe('objects that values enable', () => {
  it('stores state on a claim with one pod at a time, without preStop when it is 0', async () => {
    const objects = await gatewayObjects({
      persistence: { enabled: true, storageClassName: 'fast', annotations: { keep: 'yes' } },
      preStopSeconds: 0,
      image: { registry: '', tag: '1e3' },
      serviceAccount: { create: false },
    });
    expect(kubernetesProblems(objects)).toEqual([]);
    const { strategy, template: pods } = deploymentOf(objects);
    expect(strategy).toEqual({ type: 'Recreate' });
    expect(pods.spec.volumes[1]).toEqual({
      name: 'state',
      persistentVolumeClaim: { claimName: 'demo-gateway-state' },
    });
    expect(pods.spec['serviceAccountName']).toBe('default');
    expect(pods.spec.containers[0]).toMatchObject({ image: 'gateway:1e3' });
    expect(pods.spec.containers[0]).not.toHaveProperty('lifecycle');
    expect(objectOf(objects, 'PersistentVolumeClaim')).toMatchObject({
      metadata: { annotations: { keep: 'yes' } },
      spec: { storageClassName: 'fast', resources: { requests: { storage: '2Gi' } } },
    });
    expect(objects.some(({ kind }) => kind === 'ServiceAccount')).toBe(false);
  });

  it('accepts an existing claim and account, a digest, and permissions in its namespace', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const objects = await gatewayObjects({
      persistence: { enabled: true, existingClaim: '1e3' },
      serviceAccount: { create: false, name: 'shared' },
      image: { digest },
      muster: { kubernetes: { enabled: true } },
    });
    const { spec } = deploymentOf(objects).template;
    expect(spec.volumes[1]?.['persistentVolumeClaim']).toEqual({ claimName: '1e3' });
    expect(spec).toMatchObject({
      serviceAccountName: 'shared',
      automountServiceAccountToken: true,
      containers: [{ image: `registry.gateway.internal/gateway@${digest}` }],
    });
    expect(objects.map(({ kind }) => kind).join(' ')).toBe(
      'ConfigMap ClusterRole ClusterRoleBinding Role RoleBinding Service Deployment',
    );
    expect(objectOf(objects, 'ClusterRoleBinding')['subjects']).toEqual([
      { kind: 'ServiceAccount', name: 'shared', namespace: 'demo-ns' },
    ]);
  });

  it('preserves the selector labels of the Service next to additional ones', async () => {
    const objects = await gatewayObjects({
      service: { labels: { 'app.kubernetes.io/name': 'mine', team: '1e3' } },
    });
    expect(objectOf(objects, 'Service').metadata.labels).toMatchObject({
      'app.kubernetes.io/name': 'gateway',
      team: '1e3',
    });
  });

  it('has a build version that is valid in labels and images', async () => {
    const objects = await objectsOfBuild('gateway', `5.14.0+${'b'.repeat(55)}.${'c'.repeat(9)}`);
    expect(kubernetesProblems(objects)).toEqual([]);
    const label = `5.14.0_${'b'.repeat(55)}`;
    expect(objectOf(objects, 'Service').metadata.labels).toMatchObject({
      'app.kubernetes.io/version': label,
      'helm.sh/chart': `gateway-5.14.0_${'b'.repeat(48)}`,
    });
    const { metadata, spec } = deploymentOf(objects).template;
    expect(metadata.labels['app.kubernetes.io/version']).toBe(label);
    expect(spec.containers[0]).toMatchObject({
      image: `registry.gateway.internal/gateway:${label}.${'c'.repeat(9)}`,
    });
  });

  it('writes names that look like other types as texts', async () => {
    const objects = await gatewayObjects(
      {
        fullnameOverride: 'true',
        mcpservers: { '0x1': { spec: { type: 'stdio', command: 'a' } } },
      },
      { namespace: '007' },
    );
    expect(objects.map(({ metadata }) => `${metadata.namespace ?? ''} ${metadata.name}`)).toEqual([
      '007 true',
      '007 true-config',
      '007 true-mcpservers',
      '007 true',
      '007 true',
    ]);
  });
});
