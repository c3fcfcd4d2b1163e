import { fork, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { JsonMap } from '@gateway/crd-schemas';
import { connectLink, createChannel, portToChild } from '@gateway/process-link';
import type { Isolation } from './isolation-contract.ts';
import { ValuePacker } from './packed-value.ts';
import { ValueUnpacker } from './unpacked-value.ts';

const MIB = 1024 * 1024;

/** True when the package runs from its sources. */
const isSource = import.meta.url.endsWith('.ts');
const PROGRAM = new URL(`./isolation-program.${isSource ? 'ts' : 'js'}`, import.meta.url);

/** Windows needs the directory of the system; nothing else of the environment is passed on. */
const environment = (): NodeJS.ProcessEnv => {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
};

/** Requests of other callers come before large renderings. */
const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The system may refuse it, or the process has ended.
  }
};

const startProgram = (memoryBytes: number): ChildProcess => {
  const child = fork(fileURLToPath(PROGRAM), {
    execArgv: [
      `--max-old-space-size=${String(Math.ceil(memoryBytes / MIB))}`,
      '--max-semi-space-size=8',
      ...(isSource ? ['--conditions=@gateway/source'] : []),
    ],
    env: environment(),
    serialization: 'advanced',
    // The standard output of a gateway may be a protocol.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  // The exit reports the failure.
  child.on('error', () => undefined);
  if (child.pid !== undefined) lowerPriority(child.pid);
  // Neither the process nor its channel keeps the gateway running.
  child.unref();
  child.channel?.unref();
  return child;
};

/** A process that does isolated work, with a heap of its own: when it runs out of memory, only this process ends. */
export class IsolatedProcess {
  readonly #child: ChildProcess;
  readonly #remote: Isolation;

  /** @param memoryBytes heap limit of the process */
  constructor(memoryBytes: number) {
    this.#child = startProgram(memoryBytes);
    const port = createChannel<'isolation'>(portToChild(this.#child)).port('isolation');
    this.#remote = connectLink<Isolation>(port, {});
  }

  /** True when the system has started the process. */
  get isStarted(): boolean {
    return this.#child.pid !== undefined;
  }

  /** True until the process ends or is killed. */
  get isAlive(): boolean {
    const { connected, exitCode, signalCode, killed } = this.#child;
    return connected && exitCode === null && signalCode === null && !killed;
  }

  /** Does work. Rejects when the process ends before. One at a time. */
  async do(work: JsonMap): Promise<JsonMap> {
    const packer = new ValuePacker(work);
    for (let part = packer.next(); part !== undefined; part = packer.next()) {
      await this.#remote.push(part);
    }
    const result = new ValueUnpacker();
    for (let part = await this.#remote.pull(); part !== ''; part = await this.#remote.pull()) {
      result.add(part);
    }
    return result.value as JsonMap;
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
