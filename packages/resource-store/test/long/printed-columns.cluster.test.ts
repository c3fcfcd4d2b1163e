import { createCustomResourceDefinition, type McpServerStatus } from '@gateway/crd-schemas';
import { connectToCluster } from '@gateway/kube-client';
import { openSharedCluster, type ClusterObject } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { openKubernetesStore } from '../../src/kubernetes/open-kubernetes-store.ts';

const KINDS = ['MCPServer', 'Workflow'] as const;
const URL = 'http://a.example/mcp';

/** A namespace whose definitions a store follows. */
const prepared = async () => {
  const cluster = await openSharedCluster();
  for (const kind of KINDS)
    await cluster.define(createCustomResourceDefinition(kind) as ClusterObject);
  const namespace = await cluster.namespace();
  const connected = await connectToCluster({
    ...{ kubeconfig: cluster.kubeconfig, fieldManager: 'gateway' },
  });
  if (!connected.ok) throw new Error(connected.problem);
  const { connection } = connected;
  const apply = (name: string, spec: object, kind = 'MCPServer'): Promise<ClusterObject> =>
    cluster.admin.apply({
      ...{ apiVersion: 'gateway.internal/v1alpha1', kind, metadata: { name, namespace }, spec },
    });
  await apply('github', { type: 'streamable-http', url: URL, autoStart: true });
  await apply('shell', { type: 'stdio', command: 'true' });
  await apply('plain', { steps: [{ id: 'a', tool: 'x_a' }] }, 'Workflow');
  const store = await openKubernetesStore({
    ...{ connection, namespaces: [namespace], allowStdio: false },
  });
  onTestFinished(async () => {
    await store.close();
    connection.close();
  });
  const path = `/apis/gateway.internal/v1alpha1/namespaces/${namespace}`;
  const rows = (resource: string, isWide = false) =>
    cluster.admin.rows(`${path}/${resource}`, isWide);
  return { store, rows, reference: { kind: 'MCPServer', namespace, name: 'github' } as const };
};

const connected = {
  ...{ state: 'Connected', tools: 7, restartCount: 0, consecutiveFailures: 0 },
  conditions: [
    {
      ...{ type: 'Ready', status: 'True', reason: 'Connected', message: 'It lists its tools.' },
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
} satisfies McpServerStatus;

it('shows what the gateway wrote in the columns of kubectl get mcpservers', async () => {
  const { store, rows, reference } = await prepared();
  const [unreported] = await rows('mcpservers');
  expect(unreported).toMatchObject({ Name: 'github', State: null, Tools: null, Reason: null });
  expect(await store.writeStatus(reference, connected)).toEqual({ kind: 'done' });
  // The store writes the status of a refused server by itself.
  await expect.poll(async () => (await rows('mcpservers'))[1]?.['State']).toBe('Stopped');
  const age = expect.stringMatching(/^\d+s$/u) as unknown;
  const github = { Name: 'github', Type: 'streamable-http', State: 'Connected', Tools: 7 };
  const shell = { Name: 'shell', Type: 'stdio', State: 'Stopped', Tools: null };
  expect(await rows('mcpservers')).toEqual([
    { ...github, Reason: 'Connected', Age: age },
    { ...shell, Reason: 'StdioNotAllowed', Age: age },
  ]);
  expect(await rows('mcpservers', true)).toMatchObject([
    { ...github, AutoStart: true, URL, Message: 'It lists its tools.' },
    { ...shell, AutoStart: false, URL: null, Message: expect.stringContaining('allowStdio') },
  ]);
});

it('shows in kubectl get workflows whether they are valid', async () => {
  const { rows } = await prepared();
  await expect.poll(async () => (await rows('workflows'))[0]?.['Valid']).toBe(true);
  expect(await rows('workflows')).toMatchObject([{ Name: 'plain', Steps: 1 }]);
});
