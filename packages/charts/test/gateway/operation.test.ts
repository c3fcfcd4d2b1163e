import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { valuesOf } from '../../generated.ts';

const GUIDE = readFileSync(new URL('../../../../docs/charts/gateway.md', import.meta.url), 'utf8');

/** The values for the operation of several replicas. */
const NAMES = [
  ...['replicas', 'autoscaling', 'podDisruptionBudget', 'topologySpreadConstraints'],
  ...['networkPolicy', 'serviceMonitor', 'prometheusRule', 'probes', 'resources', 'valkey'],
];

it('The guide of the gateway chart names the values for its operation.', () => {
  const values = valuesOf['gateway']?.parse({}) as Readonly<Record<string, unknown>>;
  for (const name of NAMES) expect(values).toHaveProperty(name);
  const rows = [...GUIDE.matchAll(/^\| (?:`([\w.]+)`|\[(probes)\]\(#probes\))/gmu)];
  expect(rows.map(([, name, link]) => name ?? link)).toEqual(
    expect.arrayContaining([...NAMES, 'muster.state']),
  );
});
