import type { KubernetesObject } from '@gateway/agent-releases';
import {
  AGENT_RUNTIME_DEFINITIONS,
  fluxDefinitions,
  startOwnCluster,
  type Cluster,
  type ClusterObject,
} from '@gateway/test-cluster';
import { beforeAll } from 'vitest';
import { openStore } from '../support/cluster.ts';
import { agentStoreSuite } from '../suite/agent-store-suite.ts';

const COLLECTIONS = [
  'helm.toolkit.fluxcd.io/v2/namespaces/NAMESPACE/helmreleases',
  'source.toolkit.fluxcd.io/v1/namespaces/NAMESPACE/ocirepositories',
  'kagent.dev/v1alpha2/namespaces/NAMESPACE/modelconfigs',
  'kagent.dev/v1alpha2/namespaces/NAMESPACE/agents',
];

let cluster: Cluster;

beforeAll(async () => {
  const own = await startOwnCluster();
  cluster = own.cluster;
  for (const definition of [...(await fluxDefinitions()), ...AGENT_RUNTIME_DEFINITIONS])
    await cluster.define(definition);
  await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant' } });
  return () => own.close();
});

/** Deletes the objects of the test before. */
const empty = async (): Promise<void> => {
  for (const namespace of ['default', 'tenant'])
    for (const path of COLLECTIONS)
      await cluster.admin.expect('DELETE', `/apis/${path.replace('NAMESPACE', namespace)}`);
};

const write = async (object: KubernetesObject): Promise<void> => {
  await cluster.admin.apply(object as unknown as ClusterObject);
};

agentStoreSuite({
  name: 'a real Kubernetes API',
  isOpenWithoutModels: false,
  open: async () => {
    await empty();
    const open = () => openStore({ kubeconfig: cluster.kubeconfig });
    return {
      store: await open(),
      another: open,
      outsider: {
        writeRelease: write,
        deleteRelease: async (metadata) =>
          cluster.admin.remove({
            apiVersion: 'helm.toolkit.fluxcd.io/v2',
            kind: 'HelmRelease',
            metadata: { ...metadata },
          }),
        writeModelConfig: write,
      },
    };
  },
});
