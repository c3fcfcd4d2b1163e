import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@gateway/test-peers';
import { execFileSync } from 'node:child_process';
import { REPOSITORY } from '../../places.ts';
import { tmpdir } from 'node:os';
import { documentedSteps, setupLines } from './documented-steps.ts';
import { followSteps, type Shell, startShell } from './follow-steps.ts';

/** The version of pnpm that the repository pins. */
const PNPM = 'pnpm@10.34.8';

/** Packs the built gateway into a new folder, as it would be published. @returns the path of the tarball */
async function packedGateway(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const app = join(REPOSITORY, 'apps/gateway');
  await runProgram('npx', ['--yes', PNPM, 'pack', '--pack-destination', folder], { cwd: app });
  const [tarball = ''] = readdirSync(folder);
  return join(folder, tarball);
}

/** Removes what `npx` installed of a tarball from its cache. */
function removeFromNpx(tarball: string): void {
  if (tarball === '') return;
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const installed = join(cache, '_npx');
  for (const name of readdirSync(installed)) {
    const folder = join(installed, name);
    if (dependsOn(folder, tarball)) rmSync(folder, { recursive: true, force: true });
  }
}

const dependsOn = (folder: string, tarball: string): boolean => {
  try {
    const { _npx } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly _npx?: { readonly packages?: readonly string[] };
    };
    return _npx?.packages?.some((name) => name.includes(tarball)) ?? false;
  } catch {
    return false;
  }
};

/** A step from nothing to the first call of a server of one's own. */
export interface StopwatchStep {
  readonly step: string;
  /** Since the start of the first step, in seconds. */
  readonly seconds: number;
  /** Of all commands that have ended, in seconds of processor time. The gateway itself has not ended. */
  readonly processorSeconds: number;
}

/** The ways of the quick start to the command. */
export const WAYS = ['npx', 'clone'] as const;

/** Follows the quick start in an empty folder to the first call of a server, and measures it. The packing is not part of it. */
export async function measure(way: (typeof WAYS)[number]): Promise<readonly StopwatchStep[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-stopwatch-')));
  const tarball = way === 'npx' ? await packedGateway(join(folder, 'packed')) : '';
  const shell = startShell(folder);
  try {
    return await measuredSteps({ way, tarball, shell, folder });
  } finally {
    await shell.close();
    removeFromNpx(tarball);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measurement {
  readonly way: (typeof WAYS)[number];
  readonly tarball: string;
  readonly shell: Shell;
  readonly folder: string;
}

async function measuredSteps({ way, tarball, shell, folder }: Measurement) {
  const begin = performance.now();
  const steps: StopwatchStep[] = [];
  const mark = (step: string, processorSeconds: number): void => {
    steps.push({ step, seconds: (performance.now() - begin) / 1_000, processorSeconds });
  };
  for (const line of setupLines(way)) {
    const command = line.replace('<this repository>', REPOSITORY).replace('<package>', tarball);
    const { code, output, processorSeconds } = await shell.run(command);
    if (code !== 0) throw new Error(`${line}: ${output.slice(-2_000)}`);
    mark(line, processorSeconds);
  }
  await followSteps(documentedSteps('first'), {
    shell,
    folder: join(folder, 'my-gateway'),
    onStep: ({ command, processorSeconds }) => {
      mark(command, processorSeconds);
    },
  });
  return steps;
}
