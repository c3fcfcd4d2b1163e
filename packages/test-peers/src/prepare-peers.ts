import process from 'node:process';
import { readFluxDefinitions } from './cluster/definitions.ts';
import { findProgram, resolveProgram, PeerMissing, reportMissing } from './programs.ts';
import { resolveBrowserProgram } from './browser.ts';
import { buildDex, resolveHaproxy, findRedisProgram, resolveRegistryProgram } from './services.ts';
import { KUBERNETES_PROGRAMS, buildKubernetesProgram } from './cluster/start-cluster.ts';

const prepareCluster = async (): Promise<void> => {
  for (const name of KUBERNETES_PROGRAMS) await buildKubernetesProgram(name);
  await readFluxDefinitions();
};

const PEERS = {
  browser: resolveBrowserProgram,
  cluster: prepareCluster,
  dex: buildDex,
  fish: () => resolveProgram(['fish']),
  go: () =>
    findProgram('go') === undefined
      ? Promise.reject(new PeerMissing('Go is not in PATH'))
      : Promise.resolve(),
  haproxy: resolveHaproxy,
  redis: findRedisProgram,
  registry: resolveRegistryProgram,
  zsh: () => resolveProgram(['zsh']),
};

await reportMissing(PEERS, process.argv.slice(2));
