import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BUNDLED_PROGRAM } from '@gateway/repo-checks';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const resolvePath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = resolvePath(`../../node_modules/.writer-${String(process.pid)}`);

/** Makes `fixtures/writer.ts`, from the sources as they are, ready to be run by the tests of a file. */
export const bundledWriter = (): void => {
  beforeAll(() => {
    buildSync({
      ...BUNDLED_PROGRAM,
      entryPoints: { writer: resolvePath('../fixtures/writer.ts') },
      outdir: outDir,
      conditions: ['@gateway/source'],
    });
  });
  afterAll(() => rm(outDir, { recursive: true, force: true }));
};

/** A writer that runs. */
export interface Writer {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** The last output of the process, and the way it ended. */
  readonly ended: Promise<{ readonly answers: readonly unknown[]; readonly signal: unknown }>;
}

export const startWriter = (...args: readonly string[]): Writer => {
  const child = spawn(process.execPath, [`${outDir}/writer.mjs`, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const ended = once(child, 'close').then(([, signal]: readonly unknown[]) => ({
    answers: output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown),
    signal,
  }));
  return { child, ended };
};
