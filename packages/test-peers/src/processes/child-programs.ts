import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the process ids of the programs from its input, one list per line, and ends them when this process has ended. */
const GUARD = `while read -r line; do pids="$line"; done
[ -z "$pids" ] || kill -9 $pids
rm -rf -- "$0"`;

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** Programs that write their logs to a folder. They end with this process, also when it is killed, and the folder is removed then. */
export class ChildPrograms {
  readonly #folder: string;
  readonly #children = new Set<ChildProcess>();
  readonly #guard: ChildProcess & { readonly stdin: NonNullable<ChildProcess['stdin']> };

  constructor(folder: string) {
    this.#folder = folder;
    this.#guard = spawn('/bin/sh', ['-c', GUARD, folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Not in the group of this process, which a terminal signals as a whole.
      detached: true,
    });
    this.#guard.stdin.on('error', () => undefined);
  }

  /** Starts a program. @param name of its log */
  start(name: string, file: string, args: readonly string[]): ChildProcess {
    const log = openSync(this.#logOf(name), 'a');
    const child = spawn(file, args, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.#children.add(child);
    child.once('error', () => this.#forget(child));
    child.once('exit', () => this.#forget(child));
    this.#tellGuard();
    return child;
  }

  /** Returns what a program has logged. */
  logOf(name: string): string {
    return readFileSync(this.#logOf(name), 'utf8');
  }

  /** Kills a program and waits for its end. */
  async kill(child: ChildProcess): Promise<void> {
    if (!isRunning(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Kills all programs and removes the folder. */
  async close(): Promise<void> {
    await Promise.all([...this.#children].map((child) => this.kill(child)));
    const ended = once(this.#guard, 'exit');
    this.#guard.stdin.end();
    await ended;
  }

  #logOf(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #forget(child: ChildProcess): void {
    this.#children.delete(child);
    this.#tellGuard();
  }

  #tellGuard(): void {
    const pids = [...this.#children].flatMap(({ pid }) => pid ?? []);
    this.#guard.stdin.write(`${pids.join(' ')}\n`);
  }
}

/** Returns whether a program has ended. */
export const hasEnded = (child: ChildProcess): boolean => !isRunning(child);
