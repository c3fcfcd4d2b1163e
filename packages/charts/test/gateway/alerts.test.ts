import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriesOf } from '../harness/promql.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';
import { gatewayObjects } from './gateway-chart.ts';
import { objectOf } from '../harness/rendered-objects.ts';

const read = (page: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../docs', page), 'utf8');
const METRICS = read('reference/metrics.md');
const GUIDE = read('charts/gateway.md');

const ENABLED = { serviceMonitor: { enabled: true }, prometheusRule: { enabled: true } };

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const alertsOf = async (prometheusRule: object): Promise<readonly Alert[]> => {
  const objects = await gatewayObjects({ ...ENABLED, prometheusRule });
  expect(kubernetesProblems(objects)).toEqual([]);
  const { spec } = objectOf(objects, 'PrometheusRule') as unknown as {
    readonly spec: { readonly groups: readonly [{ readonly rules: readonly Alert[] }] };
  };
  return spec.groups[0].rules;
};

/** The labels of each series that a pod reports, from the list of metrics. */
const reported = new Map<string, readonly string[]>(
  [...METRICS.matchAll(/^- `(\w+)`(?: by ([^(]*))? \((\w+)\):/gmu)].flatMap(
    ([, name = '', cells = '', type]) => {
      const labels = [...cells.matchAll(/`(\w+)`/gu)].map(([, label = '']) => label);
      return type === 'histogram'
        ? [[`${name}_bucket`, [...labels, 'le']]]
        : [[name, labels] as const];
    },
  ),
);
/** Metrics of Prometheus and of the process, which no table lists. */
const GENERAL = new Map<string, readonly string[]>([
  ['up', []],
  ['nodejs_eventloop_lag_p99_seconds', []],
]);
/** Labels that the Prometheus operator adds. */
const ADDED = ['namespace', 'service', 'pod'];

describe('the alerts of the gateway', () => {
  let alerts: readonly Alert[];
  beforeAll(async () => {
    alerts = await alertsOf({ enabled: true });
  });

  it('are PromQL over existing metrics with existing labels, of this gateway only', () => {
    expect(reported.size).toBeGreaterThan(20);
    for (const { alert, expr } of alerts) {
      const { metrics, labels } = seriesOf(expr);
      const known = metrics.map((name) => reported.get(name) ?? GENERAL.get(name));
      expect(known, `${alert}: ${metrics.join(', ')}`).not.toContain(undefined);
      const allowed = [...ADDED, ...known.flatMap((names) => names ?? [])];
      expect(
        labels.filter((label) => !allowed.includes(label)),
        alert,
      ).toEqual([]);
      expect(expr).not.toMatch(/\{(?!namespace="demo-ns",service="demo-gateway")/u);
    }
  });

  it('have unique names, a severity and texts that name existing labels', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, expr, labels, annotations } of alerts) {
      expect(labels['severity'], alert).toMatch(/^(critical|warning|info)$/u);
      expect(Object.keys(annotations).toSorted()).toEqual(['description', 'summary']);
      const text = Object.values(annotations).join(' ');
      const named = [...text.matchAll(/\{\{ \$labels\.(\w+) \}\}/gu)].map(([, name]) => name);
      expect(text.split('{{')).toHaveLength(named.length + 1);
      expect(seriesOf(expr).labels, alert).toEqual(expect.arrayContaining(named));
    }
  });

  it('are listed in the guide', () => {
    const listed = [...GUIDE.matchAll(/^\| `(Gateway\w+)` +\|/gmu)].map(([, name]) => name);
    expect(listed).toEqual(alerts.map(({ alert }) => alert));
  });

  it('can be omitted, labelled and extended', async () => {
    const additional = { alert: 'Idle', expr: 'sum(gateway_sessions) == 0' };
    const changed = await alertsOf({
      enabled: true,
      disabled: ['GatewaySlow'],
      alertLabels: { team: 'platform' },
      additionalRules: [additional],
    });
    expect(changed.map(({ alert }) => alert)).toEqual([
      ...alerts.map(({ alert }) => alert).filter((alert) => alert !== 'GatewaySlow'),
      'Idle',
    ]);
    expect(changed[0]?.labels).toEqual({ severity: 'critical', team: 'platform' });
    expect(changed.at(-1)).toEqual(additional);
  });
});
