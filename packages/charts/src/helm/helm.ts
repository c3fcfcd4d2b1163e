import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helmBinary } from './helm-binary.ts';

/** Result of a Helm run: output and exit code. */
export interface HelmRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const HOME = fileURLToPath(new URL('../../node_modules/.cache/helm/home', import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A run takes 0.1 s and 60 MB; garbage collection and more threads would cost a third of the time. */
const SHORT_LIVED = { GOGC: 'off', GOMEMLIMIT: '512MiB', GOMAXPROCS: '1' };

let binary: Promise<string> | undefined;

/** Runs Helm with a separate home directory, so that the user's Helm settings are not used. */
export async function helm(args: readonly string[], cwd?: string): Promise<HelmRun> {
  binary ??= helmBinary();
  const file = await binary;
  await mkdir(HOME, { recursive: true });
  const env = {
    ...SHORT_LIVED,
    PATH: process.env['PATH'],
    // Of the cache of the Kubernetes API.
    HOME,
    HELM_CACHE_HOME: join(HOME, 'cache'),
    HELM_CONFIG_HOME: join(HOME, 'config'),
    HELM_DATA_HOME: join(HOME, 'data'),
  };
  return await new Promise((resolve) => {
    const options = { env, cwd, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(file, [...args], options, (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
        stdout,
        stderr,
      });
    });
  });
}
