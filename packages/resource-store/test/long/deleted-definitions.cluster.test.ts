import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import { connectToCluster } from '@gateway/kube-client';
import { openSharedCluster, startApiProxy, type ClusterObject } from '@gateway/test-peers';
import { expect, it, onTestFinished } from 'vitest';
import { createResourceKey } from '../../src/index.ts';
import { openKubernetesStore } from '../../src/kubernetes/open-kubernetes-store.ts';

const API_VERSION = 'gateway.internal/v1alpha1';
const SERVER = { type: 'streamable-http', url: 'http://a.example/mcp' };
const WORKFLOW = { description: 'A workflow.', steps: [{ id: 'one', tool: 'x_a' }] };

/** A store of a new namespace, with an object that another client deletes and creates again before each deletion. */
const prepared = async (kind: 'MCPServer' | 'Workflow', spec: object) => {
  const cluster = await openSharedCluster();
  for (const one of ['MCPServer', 'Workflow'] as const)
    await cluster.define(createCustomResourceDefinition(one) as ClusterObject);
  const namespace = await cluster.namespace();
  const object = { apiVersion: API_VERSION, kind, metadata: { namespace, name: 'a' }, spec };
  await cluster.admin.apply(object);
  const user = { token: await cluster.administratorToken() };
  const { proxy, kubeconfig } = await startApiProxy(cluster, user);
  const connected = await connectToCluster({ kubeconfig, fieldManager: 'gateway' });
  if (!connected.ok) throw new Error(connected.problem);
  const { connection } = connected;
  const store = await openKubernetesStore({
    connection,
    namespaces: [namespace],
    allowStdio: false,
  });
  onTestFinished(async () => {
    await store.close();
    connection.close();
  });
  proxy.fault = async ({ verb }) => {
    if (verb !== 'delete') return false;
    proxy.fault = undefined;
    await cluster.admin.remove(object);
    await cluster.admin.apply({
      ...object,
      metadata: { ...object.metadata, labels: { a: 'new' } },
    });
    return false;
  };
  return { store, key: createResourceKey('a', namespace), read: () => cluster.admin.read(object) };
};

it.each([
  ['MCPServer', SERVER, 'servers'],
  ['Workflow', WORKFLOW, 'workflows'],
] as const)(
  'an %s that was created again after it was read is not deleted',
  async (kind, spec, part) => {
    const { store, key, read } = await prepared(kind, spec);
    expect(await store[part].remove(key)).toEqual({
      ...{ kind: 'failed' },
      text: `${kind} ${key.namespace}/a was deleted and created again meanwhile, and the new one is kept; try again to delete it`,
    });
    expect((await read()).metadata).toMatchObject({ labels: { a: 'new' } });
    expect(await store[part].remove(key)).toEqual({ kind: 'done' });
    await expect(read()).rejects.toThrow('404');
  },
);
