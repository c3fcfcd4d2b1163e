import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

const END = '--- end of the command';
const RESULT = new RegExp(`\\n${END} (\\d+)\\n.*\\n(\\d+)m([\\d.]+)s (\\d+)m([\\d.]+)s\\n`, 'u');

/** The output of a command on both streams, its exit code, and the processor time of all commands so far that have ended. */
export interface ShellOutput {
  readonly output: string;
  readonly code: number;
  readonly processorSeconds: number;
}

/** A shell of a person: folders, variables and aliases stay from one command to the next. */
export interface Shell {
  readonly run: (command: string) => Promise<ShellOutput>;
  /** Ends the shell and all programs that it started. */
  readonly close: () => Promise<void>;
}

/** Starts a shell in a folder. One command at a time. */
export function startShell(cwd: string, env: Readonly<Record<string, string>> = {}): Shell {
  // A group of its own, which ends as a whole.
  const child = spawn('bash', ['--noprofile', '--norc'], {
    ...{ cwd, detached: true, stdio: ['pipe', 'pipe', 'inherit'] },
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  let unread = '';
  let onOutput = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    unread += chunk;
    onOutput();
  });
  const end = (): void => {
    endGroup(child);
  };
  process.once('exit', end);
  child.stdin.write('exec 2>&1\nshopt -s expand_aliases\n');

  return {
    run: (command) =>
      new Promise((resolve, reject) => {
        void ended.then(() => {
          reject(new Error(`The shell ended in "${command}": ${unread}`));
        });
        onOutput = () => {
          const [all, code, ...times] = RESULT.exec(unread) ?? [];
          if (all === undefined) return;
          const output = unread.slice(0, unread.indexOf(all));
          unread = '';
          const processorSeconds = secondsOf(times);
          resolve({ output, code: Number(code), processorSeconds });
        };
        // The commands do not read those that follow.
        child.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n${END} %s\\n' "$?"; times\n`);
      }),
    close: async () => {
      process.off('exit', end);
      end();
      await ended;
    },
  };
}

const secondsOf = (times: readonly string[]): number => {
  const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = times.map(Number);
  return (userMinutes + systemMinutes) * 60 + user + system;
};

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, 'SIGKILL');
}
