import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BUNDLED_PROGRAM } from '@gateway/repo-checks';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { eventually, isAlive } from '../harness/downstream.ts';
import { fixture } from '../harness/fixture.ts';

/** Path of the bundled parent: in one file with its libraries, which starts fast. */
const outDir = fileURLToPath(
  new URL(`../../node_modules/.orphans-${process.pid}`, import.meta.url),
);

beforeAll(() => {
  buildSync({
    ...BUNDLED_PROGRAM,
    entryPoints: { parent: fixture('doomed-parent.ts') },
    outdir: outDir,
    conditions: ['@gateway/source'],
  });
});
afterAll(() => rm(outDir, { recursive: true, force: true }));

const startParent = async () => {
  const parent = spawn(
    process.execPath,
    [`${outDir}/parent.mjs`, fixture('raw-stdio.mjs'), '--stubborn', '--grandchild'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  onTestFinished(() => void parent.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')));
    parent.once('exit', (code) => reject(new Error(`the parent ended with ${code ?? 'a signal'}`)));
  });
  return { parent, pids: JSON.parse(line) as number[] };
};

it.each([
  ['is killed', 'SIGKILL'],
  ['is terminated without a handler', 'SIGTERM'],
  ['crashes', 'SIGUSR1'],
  ['exits without closing', 'SIGUSR2'],
] as const)(
  'children that ignore the end of stdin and SIGTERM, and their children have ended after the gateway %s',
  async (_how, signal) => {
    const { parent, pids } = await startParent();
    expect(pids.map(isAlive)).toEqual([true, true]);
    parent.kill(signal);
    await eventually('all are gone', () => !pids.some(isAlive));
  },
);
