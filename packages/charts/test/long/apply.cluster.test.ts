import { startOwnCluster, type Cluster } from '@gateway/test-peers';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHARTS } from '../../src/assemble-charts.ts';
import type { ManifestObject } from '../../src/render.ts';
import {
  applyObjects,
  createNamespaces,
  defineGatewayKinds,
  defineRenderedKinds,
} from '../harness/applied-objects.ts';
import { RENDER_CASES, renderCase } from '../harness/render-cases.ts';
import { renderedObjects } from '../harness/rendered-objects.ts';

let cluster: Cluster;

/** API groups of installations in the cases. */
const GROUPS = ['mcp.example.com', 'tools.example.org'];

beforeAll(async () => {
  const own = await startOwnCluster();
  cluster = own.cluster;
  await defineRenderedKinds(cluster);
  for (const group of GROUPS) await defineGatewayKinds(cluster, group);
  return () => own.close();
});

const APPLICATIONS = CHARTS.filter((chart) => chart !== 'library');

const expectApplied = async (
  objects: readonly ManifestObject[],
  namespace: string,
): Promise<void> => {
  await createNamespaces(cluster, objects, namespace);
  expect(await applyObjects(cluster, objects, { namespace, dryRun: true })).toEqual([]);
  expect(await applyObjects(cluster, objects, { namespace })).toEqual([]);
};

describe('a real API server takes, in a dry run and then in truth, the objects of', () => {
  it.each(APPLICATIONS)('the chart %s with its defaults', async (chart) => {
    await expectApplied(await renderedObjects(chart), 'demo-ns');
  });

  it.each(RENDER_CASES.map((one) => [`${one.chart}/${one.name}`, one] as const))(
    'the case %s',
    async (_name, one) => {
      await expectApplied((await renderCase(one)).objects, one.namespace);
    },
  );
});

it('a field that a chart does not know is refused by this server', async () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'one' },
    automountToken: true,
  };
  await createNamespaces(cluster, [object], 'demo-ns');
  const [refusal] = await applyObjects(cluster, [object], { namespace: 'demo-ns', dryRun: true });
  expect(refusal).toContain('field not declared in schema');
});
