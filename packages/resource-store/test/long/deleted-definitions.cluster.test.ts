import { startApiProxy } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { createResourceKey } from '../../src/index.ts';
import { openedStore } from '../kubernetes/cluster-store.ts';
import { openNamespace, SERVER } from './cluster-namespace.ts';

const WORKFLOW = { description: 'A workflow.', steps: [{ id: 'one', tool: 'x_a' }] };

it.each([
  ['MCPServer', SERVER, 'servers'],
  ['Workflow', WORKFLOW, 'workflows'],
] as const)(
  'an %s that was created again after it was read is not deleted',
  async (kind, spec, part) => {
    const { cluster, admin, namespace, object } = await openNamespace();
    const former = object(kind, 'a', spec);
    const again = { ...former, metadata: { ...former.metadata, labels: { a: 'new' } } };
    await admin.apply(former);
    const user = { token: await cluster.administratorToken() };
    const { proxy, kubeconfig } = await startApiProxy(cluster, user);
    const store = await openedStore(kubeconfig, { namespaces: [namespace] });
    // Another client deletes the object and creates it again before the first deletion.
    proxy.fault = async ({ verb }) => {
      if (verb !== 'delete') return false;
      proxy.fault = undefined;
      await admin.remove(former);
      await admin.apply(again);
      return false;
    };
    const key = createResourceKey('a', namespace);
    expect(await store[part].remove(key)).toEqual({
      kind: 'failed',
      text: `${kind} ${namespace}/a was deleted and created again meanwhile, and the new one is kept; try again to delete it`,
    });
    expect((await admin.read(former)).metadata).toMatchObject({ labels: { a: 'new' } });
    expect(await store[part].remove(key)).toEqual({ kind: 'done' });
    await expect(admin.read(former)).rejects.toThrow('404');
  },
);
