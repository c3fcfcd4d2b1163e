import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BUNDLED_PROGRAM } from '@gateway/repo-checks';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = at(`../../node_modules/.writer-${String(process.pid)}`);
const bundle = `${outDir}/writer.mjs`;

/** Makes `fixtures/writer.ts`, from the sources as they are, ready to be run by the tests of a file. */
export const bundledWriter = (): void => {
  beforeAll(() => {
    buildSync({
      ...BUNDLED_PROGRAM,
      entryPoints: { writer: at('fixtures/writer.ts') },
      outdir: outDir,
      minify: true,
      conditions: ['@gateway/source'],
    });
  });
  afterAll(() => rm(outDir, { recursive: true, force: true }));
};

/** The end of a writer: its last output, or the signal that killed it. */
export interface Ending {
  readonly answer: unknown;
  readonly signal: string | null;
}

/** A writer that runs. */
export interface Writer {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Its first answer. */
  readonly ready: Promise<unknown>;
  readonly ended: Promise<Ending>;
}

/** Starts the writer; `prefix` is a command that runs it. */
export const startWriter = (args: readonly string[], prefix: readonly string[] = []): Writer => {
  const [command = '', ...rest] = [...prefix, process.execPath, bundle, ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const lines = (): readonly string[] => output.split('\n').slice(0, -1);
  const ready = new Promise<unknown>((resolve, reject) => {
    child.once('close', () => {
      reject(new Error('the writer ended before it was ready'));
    });
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const [first] = lines();
      if (first !== undefined) resolve(JSON.parse(first));
    });
  });
  // Who does not wait for it sees how the writer ended.
  ready.catch(() => undefined);
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (_code, signal) => {
      const last = lines().at(-1);
      resolve({ answer: last === undefined ? undefined : JSON.parse(last), signal });
    });
  });
  return { child, ready, ended };
};
