import process from 'node:process';
import { readFluxDefinitions } from './cluster/definitions.ts';
import { findProgram, installedProgram, PeerMissing, reportMissing } from './programs.ts';
import { browserProgram } from './browser.ts';
import { dexProgram, haproxyProgram, findRedisProgram, registryProgram } from './services.ts';
import { KUBERNETES_PROGRAMS, kubernetesProgram } from './cluster/start-cluster.ts';

const prepareCluster = async (): Promise<void> => {
  for (const name of KUBERNETES_PROGRAMS) await kubernetesProgram(name);
  await readFluxDefinitions();
};

const PEERS = {
  browser: browserProgram,
  cluster: prepareCluster,
  dex: dexProgram,
  fish: () => installedProgram(['fish']),
  go: () =>
    findProgram('go') === undefined
      ? Promise.reject(new PeerMissing('Go is not in PATH'))
      : Promise.resolve(),
  haproxy: haproxyProgram,
  redis: findRedisProgram,
  registry: registryProgram,
  zsh: () => installedProgram(['zsh']),
};

await reportMissing(PEERS, process.argv.slice(2));
