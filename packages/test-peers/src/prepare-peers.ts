import process from 'node:process';
import { fluxDefinitions } from './definitions/definition-files.ts';
import { installedProgram } from './installed-program.ts';
import { browserProgram } from './peers/browser-program.ts';
import { dexProgram } from './peers/dex-program.ts';
import { haproxyProgram } from './peers/haproxy-program.ts';
import { redisProgram } from './peers/redis-program.ts';
import { KUBERNETES_PROGRAMS, kubernetesProgram } from './programs/kubernetes-programs.ts';
import { registryProgram } from './registry/registry-program.ts';
import { reportMissing } from './report-missing.ts';
import { PeerMissing, findProgram } from './run-program.ts';

const prepareCluster = async (): Promise<void> => {
  for (const name of KUBERNETES_PROGRAMS) await kubernetesProgram(name);
  await fluxDefinitions();
};

const PEERS = {
  browser: browserProgram,
  cluster: prepareCluster,
  dex: dexProgram,
  fish: () => installedProgram('fish'),
  go: () =>
    findProgram('go') === undefined
      ? Promise.reject(new PeerMissing('Go is not in PATH'))
      : Promise.resolve(),
  haproxy: haproxyProgram,
  redis: redisProgram,
  registry: registryProgram,
  zsh: () => installedProgram('zsh'),
};

await reportMissing(PEERS, process.argv.slice(2));
