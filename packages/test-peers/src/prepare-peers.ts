import process from 'node:process';
import { installedProgram } from './installed-program.ts';
import { reportMissing } from './report-missing.ts';

const PEERS = { fish: () => installedProgram('fish'), zsh: () => installedProgram('zsh') };

await reportMissing(PEERS, process.argv.slice(2));
