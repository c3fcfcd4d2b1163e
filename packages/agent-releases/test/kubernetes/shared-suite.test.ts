import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { agentStoreSuite } from '../suite/agent-store-suite.ts';
import type { StoredObject } from '@gateway/test-peers';
import { startCluster } from '../support/cluster.ts';

agentStoreSuite({
  name: 'the Kubernetes API',
  isOpenWithoutModels: false,
  open: async () => {
    const cluster = await startCluster();
    const apply = async (object: KubernetesObject): Promise<void> =>
      void cluster.api.apply(object as StoredObject);
    return {
      store: await cluster.open(),
      another: () => cluster.open(),
      outsider: {
        writeRelease: apply,
        deleteRelease: async (name) => cluster.api.remove('HelmRelease', name),
        writeModelConfig: apply,
      },
    };
  },
});
