import { reportMissing } from '@gateway/test-peers';
import { fluxDefinitions } from './definitions/definition-files.ts';
import { KUBERNETES_PROGRAMS, kubernetesProgram } from './programs/kubernetes-programs.ts';

const prepareCluster = async (): Promise<void> => {
  for (const name of KUBERNETES_PROGRAMS) await kubernetesProgram(name);
  await fluxDefinitions();
};

await reportMissing({ cluster: prepareCluster }, process.argv.slice(2));
