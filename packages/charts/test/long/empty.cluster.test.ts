import { join } from 'node:path';
import { startOwnCluster, type OwnCluster } from '@gateway/test-peers';
import { beforeAll, expect, it } from 'vitest';
import { prepareCharts } from '../../src/assemble-charts.ts';
import { runHelm } from '../../src/helm.ts';
import { kubectl } from '../harness/kubectl.ts';

let own: OwnCluster;

beforeAll(async () => {
  own = await startOwnCluster();
  return () => own.close();
});

const install = async (namespace: string, ...values: readonly string[]) => {
  const chart = join(await prepareCharts(), 'standalone');
  const place = ['--kubeconfig', own.cluster.kubeconfig, '--namespace', namespace];
  return runHelm(['install', 'platform', chart, ...place, '--create-namespace', ...values]);
};

it('the chart standalone installs with its defaults without agent runtime, Flux and further namespaces', async () => {
  expect(await install('agent-platform')).toMatchObject({ code: 0 });
  const get = (...args: readonly string[]) =>
    kubectl(own.cluster.kubeconfig, '--namespace', 'agent-platform', 'get', ...args, '-o', 'name');
  expect((await get('mcpservers')).trim().split('\n')).toEqual([
    'mcpserver.gateway.internal/agent-manager',
    'mcpserver.gateway.internal/mcp-kubernetes',
  ]);
  expect(await get('rolebindings')).toContain('platform-agent-manager');
});

it('a namespace of agents that does not exist is refused by the cluster', async () => {
  const { code, stderr } = await install('other', '--set', 'agent-manager.kagent.namespace=kagent');
  expect(stderr).toContain('namespaces "kagent" not found');
  expect(code).toBe(1);
});
