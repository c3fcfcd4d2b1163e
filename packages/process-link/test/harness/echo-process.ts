import { BUNDLED_PROGRAM } from '@gateway/repo-checks';
import { buildSync } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { connectLink, createChannel, portToChild } from '../../src/index.ts';
import type { LinkOptions } from '../../src/link.ts';
import { ECHO_MEMBERS, type EchoContract } from '../fixtures/echo-contract.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = at(`../../node_modules/.echo-${String(process.pid)}-${String(Date.now())}`);

/** Bundles the test process from the sources for the tests of a file. */
export const bundledEchoProcess = (): void => {
  beforeAll(() => {
    buildSync({
      ...BUNDLED_PROGRAM,
      entryPoints: { echo: at('../fixtures/echo-process.ts') },
      outdir: outDir,
      conditions: ['@gateway/source'],
    });
  });
  afterAll(() => rm(outDir, { recursive: true, force: true }));
};

/** Options of {@link startEcho}. */
export interface EchoOptions extends LinkOptions {
  readonly serialization?: 'json' | 'advanced';
}

/** A running test process. */
export interface EchoProcess {
  readonly child: ChildProcess;
  readonly remote: EchoContract;
  /** Sends SIGKILL and resolves when the process has ended. */
  readonly kill: () => Promise<void>;
}

/** Starts the test process and connects to it. It ends with the test. */
export const startEcho = ({
  serialization = 'advanced',
  ...options
}: EchoOptions = {}): EchoProcess => {
  const child = fork(`${outDir}/echo.mjs`, { serialization, stdio: ['ignore', 1, 2, 'ipc'] });
  child.on('error', () => undefined);
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = createChannel<'echo'>(portToChild(child)).port('echo');
  const kill = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { child, remote: connectLink<EchoContract>(port, ECHO_MEMBERS, options), kill };
};

/** Returns the code of the error with which a promise rejects; `undefined` when it resolves. */
export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );
