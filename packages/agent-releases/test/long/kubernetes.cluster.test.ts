import { describe } from 'vitest';
import { agentTests } from '../cluster/agents.ts';
import { callerTests } from '../cluster/callers.ts';
import { permissionTests } from '../cluster/permissions.ts';
import { readTests } from '../cluster/reads.ts';
import { watchTests } from '../cluster/watches.ts';
import { writeTests } from '../cluster/writes.ts';
import { agentStoreSuite } from '../suite/agent-store-suite.ts';
import { useCluster } from '../support/real-cluster.ts';

const shared = useCluster();

agentStoreSuite({
  name: 'a real Kubernetes API',
  isOpenWithoutModels: false,
  open: async () => {
    const { apply, remove, open } = await shared.start();
    const write = async (object: object): Promise<void> => {
      await apply(object);
    };
    return {
      store: await open(),
      another: () => open(),
      outsider: {
        writeRelease: write,
        deleteRelease: (metadata) =>
          remove({ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata }),
        writeModelConfig: write,
      },
    };
  },
});

describe('agents in a real cluster', () => {
  agentTests(shared);
});
describe('reads of a real cluster', () => {
  readTests(shared);
});
describe('writes to a real cluster', () => {
  writeTests(shared);
});
describe('watches of a real cluster', () => {
  watchTests(shared);
});
describe('the stores of callers', () => {
  callerTests(shared);
});
describe('the permissions of agent-manager', () => {
  permissionTests(shared);
});
