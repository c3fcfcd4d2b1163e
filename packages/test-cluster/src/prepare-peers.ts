import { reportMissing } from '@gateway/test-peers';
import { fluxDefinitions } from './definitions/definition-files.ts';
import { KUBERNETES_PROGRAMS, kubernetesProgram } from './programs/kubernetes-programs.ts';
import { registryProgram } from './registry/registry-program.ts';

const prepareCluster = async (): Promise<void> => {
  for (const name of KUBERNETES_PROGRAMS) await kubernetesProgram(name);
  await fluxDefinitions();
};

const PEERS = { cluster: prepareCluster, registry: registryProgram };

await reportMissing(PEERS, process.argv.slice(2));
