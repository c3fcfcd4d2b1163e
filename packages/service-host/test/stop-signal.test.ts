import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const loader = resolve(import.meta.dirname, '../../repo-checks/bin/load-typescript.mjs');
const program = resolve(import.meta.dirname, 'fixtures/wait-for-signal.ts');

let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

/** Starts the program and resolves with it and its lines once it waits for a signal. */
async function start(): Promise<{
  readonly process: ChildProcess;
  readonly next: () => Promise<unknown>;
}> {
  const started = spawn(process.execPath, ['--import', loader, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => (await lines.next()).value;
  expect(await next()).toBe('waiting');
  return { process: started, next };
}

describe('the stop signal', () => {
  it('is SIGINT too', async () => {
    const { process, next } = await start();
    process.kill('SIGINT');
    expect(await next()).toBe('received SIGINT');
  });

  it('leaves the process running after the first signal and ends it at the next', async () => {
    const { process, next } = await start();
    process.kill('SIGTERM');
    expect(await next()).toBe('received SIGTERM');
    // The program prints this line when a second signal no longer counts as the first.
    expect(await next()).toBe('ready for another');
    process.kill('SIGTERM');
    expect(await once(process, 'exit')).toEqual([null, 'SIGTERM']);
  });
});
