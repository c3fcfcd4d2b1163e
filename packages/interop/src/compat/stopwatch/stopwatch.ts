import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentedSteps, setupLines } from '../own-server/documented-steps.ts';
import { followSteps } from '../own-server/follow-steps.ts';
import { packedGateway, removeFromNpx } from '../own-server/packed-gateway.ts';
import { startShell, type Shell } from '../own-server/shell.ts';
import { REPOSITORY } from '../install/places.ts';

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
