import type { McpServerStatus } from '@gateway/crd-schemas';
import { expect, it } from 'vitest';
import { openedStore } from '../kubernetes/cluster-store.ts';
import { openNamespace, SERVER } from './cluster-namespace.ts';

/** A namespace whose definitions a store follows. */
const prepared = async () => {
  const { admin, kubeconfig, namespace, object, path } = await openNamespace();
  await admin.apply(object('MCPServer', 'github', { ...SERVER, autoStart: true }));
  await admin.apply(object('MCPServer', 'shell', { type: 'stdio', command: 'true' }));
  await admin.apply(object('Workflow', 'plain', { steps: [{ id: 'a', tool: 'x_a' }] }));
  const store = await openedStore(kubeconfig, { namespaces: [namespace] });
  const rows = (resource: string, isWide = false) => admin.rows(`${path}/${resource}`, isWide);
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
    { ...github, AutoStart: true, URL: SERVER.url, Message: 'It lists its tools.' },
    { ...shell, AutoStart: false, URL: null, Message: expect.stringContaining('allowStdio') },
  ]);
});

it('shows in kubectl get workflows whether they are valid', async () => {
  const { rows } = await prepared();
  await expect.poll(async () => (await rows('workflows'))[0]?.['Valid']).toBe(true);
  expect(await rows('workflows')).toMatchObject([{ Name: 'plain', Steps: 1 }]);
});
