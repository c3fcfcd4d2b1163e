import { describe, expect, it } from 'vitest';
import { valuesOfCase } from '../harness/render-cases.ts';
import { configOf, gatewayObjects } from './gateway-chart.ts';

const SELECTED = {
  'app.kubernetes.io/name': 'gateway-valkey',
  'app.kubernetes.io/instance': 'demo',
};

const PASSWORD = { name: 'gateway-state', key: '1e3' };

describe('the Valkey server of the release', async () => {
  const objects = await gatewayObjects(valuesOfCase('gateway', 'valkey'));
  const own = objects.filter(({ metadata }) => metadata.name === 'demo-gateway-valkey');
  const specOf = (kind: string) => own.find((object) => object.kind === kind)?.['spec'];

  it('is a StatefulSet with a volume, a Service, and a policy that admits the gateway alone', () => {
    expect(specOf('StatefulSet')).toMatchObject({
      serviceName: 'demo-gateway-valkey',
      selector: { matchLabels: SELECTED },
      template: {
        metadata: { labels: SELECTED, annotations: { note: 'true' } },
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              image: 'mirror.example.com/valkey/valkey:8.1',
              env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: PASSWORD } }],
              ports: [{ name: 'valkey', containerPort: 6379, protocol: 'TCP' }],
              startupProbe: { tcpSocket: { port: 'valkey' }, failureThreshold: 60 },
              livenessProbe: { tcpSocket: { port: 'valkey' }, failureThreshold: 6 },
              resources: { limits: { memory: '1536Mi' } },
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast' },
        },
      ],
    });
    expect(specOf('Service')).toMatchObject({
      selector: SELECTED,
      ports: [{ port: 6379, targetPort: 'valkey' }],
    });
    const gateway = { ...SELECTED, 'app.kubernetes.io/name': 'gateway' };
    expect(specOf('NetworkPolicy')).toEqual({
      podSelector: { matchLabels: SELECTED },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: gateway } }],
          ports: [{ protocol: 'TCP', port: 6379 }],
        },
      ],
    });
  });

  it('has the state of the gateway', () => {
    expect(configOf(objects)['state']).toMatchObject({
      store: 'redis',
      url: 'redis://demo-gateway-valkey:6379',
      prefix: 'team:',
    });
  });
});

it('the ServiceMonitor has the settings of the values, in their namespace', async () => {
  const objects = await gatewayObjects(valuesOfCase('gateway', 'everything-around'));
  expect(objects.find(({ kind }) => kind === 'ServiceMonitor')).toMatchObject({
    metadata: {
      namespace: 'monitoring',
      labels: { release: 'prometheus' },
      annotations: { note: 'true' },
    },
    spec: {
      namespaceSelector: { matchNames: ['demo-ns'] },
      endpoints: [
        {
          interval: '1m',
          scrapeTimeout: '15s',
          honorLabels: true,
          relabelings: [{ targetLabel: 'node' }],
          metricRelabelings: [{ action: 'drop', regex: 'nodejs_.*' }],
        },
      ],
    },
  });
});
