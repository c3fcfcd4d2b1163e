import process from 'node:process';
import { installedProgram } from './installed-program.ts';
import { reportMissing } from './report-missing.ts';
import { PeerMissing, findProgram } from './run-program.ts';

const PEERS = {
  fish: () => installedProgram('fish'),
  go: () =>
    findProgram('go') === undefined
      ? Promise.reject(new PeerMissing('Go is not in PATH'))
      : Promise.resolve(),
  zsh: () => installedProgram('zsh'),
};

await reportMissing(PEERS, process.argv.slice(2));
