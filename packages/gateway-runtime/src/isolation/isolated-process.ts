import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { JsonMap } from '@gateway/crd-schemas';
import type { IsolationMessage } from './isolation-program.ts';
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
  readonly #ended = new AbortController();

  /** @param memoryBytes heap limit of the process */
  constructor(memoryBytes: number) {
    this.#child = startProgram(memoryBytes);
    for (const event of ['disconnect', 'exit'])
      this.#child.once(event, () => {
        this.#ended.abort();
      });
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
      await this.#exchange(part);
    }
    const result = new ValueUnpacker();
    for (;;) {
      const part = await this.#exchange(null);
      if (part === null) return result.value as JsonMap;
      result.add(part);
    }
  }

  /** Sends a part of the work, or asks for a part of the result with `null`, and returns the answer. */
  async #exchange(part: string | null): Promise<string | null> {
    const answered = once(this.#child, 'message', { signal: this.#ended.signal });
    // The exit reports the failure.
    this.#child.send({ part }, () => undefined);
    const [answer] = (await answered) as [IsolationMessage];
    return answer.part;
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
