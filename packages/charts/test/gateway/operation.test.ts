import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gatewayObjects } from './gateway-chart.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/charts/gateway.md'), 'utf8');

const STATE = { existingSecret: 'gateway-state' };

const ENABLED = {
  autoscaling: { enabled: true },
  podDisruptionBudget: { enabled: true },
  networkPolicy: { enabled: true, from: [{ podSelector: {} }] },
  serviceMonitor: { enabled: true },
  prometheusRule: { enabled: true },
  valkey: { enabled: true },
  stateSecret: STATE,
};

const EXTERNAL = {
  replicas: 3,
  stateSecret: STATE,
  muster: { state: { store: 'redis', url: 'rediss://state.example.com:6379' } },
};

/** What the guide names, and a part of what the chart renders for it. */
const NEEDS = [
  ['`replicas`', 'replicas: 3', 'external'],
  ['`autoscaling`', 'kind: HorizontalPodAutoscaler', 'enabled'],
  ['`podDisruptionBudget`', 'kind: PodDisruptionBudget', 'enabled'],
  ['`topologySpreadConstraints`', 'topologySpreadConstraints:', 'external'],
  ['`networkPolicy`', 'kind: NetworkPolicy', 'enabled'],
  ['`serviceMonitor`', 'kind: ServiceMonitor', 'enabled'],
  ['`prometheusRule`', 'kind: PrometheusRule', 'enabled'],
  ['[probes](#probes)', 'startupProbe:', 'external'],
  ['[probes](#probes)', 'readinessProbe:', 'external'],
  ['[probes](#probes)', 'livenessProbe:', 'external'],
  ['`resources`', 'resources:', 'external'],
  ['`valkey`', 'kind: StatefulSet', 'enabled'],
  ['`muster.state`', 'rediss://state.example.com:6379', 'external'],
] as const;

/** Returns the keys with scalar values and the kinds of objects as lines `key: value`. */
const linesOf = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    `${key}: ${typeof child === 'object' ? '' : String(child)}`,
    ...linesOf(child),
  ]);
};

describe('the gateway chart', () => {
  const rendered = { enabled: '', external: '' };
  beforeAll(async () => {
    rendered.enabled = linesOf(await gatewayObjects(ENABLED)).join('\n');
    rendered.external = linesOf(await gatewayObjects(EXTERNAL)).join('\n');
  });

  it.each(NEEDS)('renders %s (%s), and its guide names it', (name, part, values) => {
    expect(rendered[values]).toContain(part);
    expect(GUIDE).toContain(`\n| ${name}`);
  });
});
