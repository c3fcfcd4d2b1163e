import { describe, expect, it } from 'vitest';
import type { ManifestObject } from '../../src/render.ts';
import { expectTexts, mapTable, type TextTable } from '../harness/template-texts.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { gatewayObjects } from './gateway-chart.ts';
import { deploymentOf, objectOf } from '../harness/rendered-objects.ts';

const CALLERS = [{ namespaceSelector: {} }];
const SCRAPERS = [{ podSelector: {} }];

const rendered = async (muster: object): Promise<readonly ManifestObject[]> => {
  const objects = await gatewayObjects({
    muster,
    service: { type: 'LoadBalancer' },
    serviceMonitor: { enabled: true },
    networkPolicy: { enabled: true, from: CALLERS, metricsFrom: SCRAPERS },
  });
  expect(kubernetesProblems(objects)).toEqual([]);
  return objects;
};

const specOf = (objects: readonly ManifestObject[], kind: string): unknown =>
  objectOf(objects, kind)['spec'];

const containerOf = (objects: readonly ManifestObject[]) =>
  deploymentOf(objects).template.spec.containers[0];

const probesAt = (port: string) => ({
  startupProbe: { httpGet: { path: '/healthz', port } },
  readinessProbe: { httpGet: { path: '/readyz', port } },
  livenessProbe: { httpGet: { path: '/healthz', port } },
});

const rule = (from: unknown, port: number) => ({ from, ports: [{ protocol: 'TCP', port }] });

describe.each([
  ['by default', {}, 8090, 9464],
  ['with other ports', { http: { port: 9000 }, health: { port: 9001 } }, 9000, 9001],
])('the port for probes and metrics, %s', (_title, muster, port, healthPort) => {
  it('belongs to the pods, is scraped, and is no port of the Service, which can be public', async () => {
    const objects = await rendered(muster);
    const container = containerOf(objects);
    expect(container).toMatchObject({
      ports: [
        { name: 'http', containerPort: port, protocol: 'TCP' },
        { name: 'health', containerPort: healthPort, protocol: 'TCP' },
      ],
      ...probesAt('health'),
    });
    const option = container?.args.indexOf('--health-port') ?? -1;
    expect(container?.args[option + 1]).toBe(String(healthPort));
    expect(specOf(objects, 'ServiceMonitor')).toMatchObject({
      endpoints: [{ targetPort: 'health', path: '/metrics' }],
    });
    const { ports } = specOf(objects, 'Service') as { readonly ports: readonly unknown[] };
    expect(ports).toEqual([
      { name: 'http', port: 8090, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
    ]);
  });

  it('admits scrapers, which cannot reach the port of the callers', async () => {
    expect(specOf(await rendered(muster), 'NetworkPolicy')).toMatchObject({
      ingress: [rule(CALLERS, port), rule(SCRAPERS, healthPort)],
    });
  });
});

it('a gateway without the port for probes and metrics is probed and scraped on the port of the endpoint', async () => {
  const objects = await rendered({ health: { enabled: false, port: 9001 } });
  const container = containerOf(objects);
  expect(container).toMatchObject(probesAt('http'));
  expect(container?.['ports']).toEqual([{ name: 'http', containerPort: 8090, protocol: 'TCP' }]);
  expect(container?.args).not.toContain('--health-port');
  const { endpoints } = specOf(objects, 'ServiceMonitor') as { readonly endpoints: unknown };
  expect(endpoints).toEqual([
    { port: 'http', path: '/metrics', scheme: 'http', honorLabels: false },
  ]);
  expect(specOf(objects, 'NetworkPolicy')).toMatchObject({
    ingress: [rule(CALLERS, 8090), rule(SCRAPERS, 8090)],
  });
});

const SAME = 'set one of them to another port';

/** Values of `muster`, and the refusal; empty for accepted values. */
const CASES: TextTable = {
  'muster.health.host is "127.0.0.1", which is not reachable from outside the pod: omit it': {
    health: { host: '127.0.0.1' },
  },
  '': [
    { health: { host: '127.0.0.1', enabled: false } },
    { health: { host: '::' } },
    { http: { port: 9464 }, health: { port: 8090 } },
    { http: { port: 9464 }, health: { enabled: false } },
  ],
  'muster.health.port is 0, but probes need a port that they know: omit it': {
    health: { port: 0 },
  },
  [`muster.health.port and muster.http.port are both 8090 (defaults 9464 and 8090): ${SAME}`]: {
    health: { port: 8090 },
  },
  [`muster.health.port and muster.http.port are both 9464 (defaults 9464 and 8090): ${SAME}`]: {
    http: { port: 9464 },
  },
};

it('refuses an address for probes and metrics that cannot work, naming the value', async () => {
  await expectTexts(
    'gateway',
    '{{ include "gateway.problem" . }}',
    mapTable(CASES, '', (muster) => ({ muster })),
  );
});
