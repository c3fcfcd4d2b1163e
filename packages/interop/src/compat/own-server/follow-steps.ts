import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@gateway/test-peers';
import type { DocumentedStep } from './documented-steps.ts';

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

const WITHIN_MS = 60_000;
const PAUSE_MS = 50;
const USUAL = 'http://127.0.0.1:8090';
const LOG = 'serve.log';

/** A command of the page, and what it printed. */
export interface FollowedStep {
  readonly command: string;
  readonly output: string;
  readonly processorSeconds: number;
}

/** How the steps of the page are followed. */
export interface FollowOptions {
  readonly shell: Shell;
  /** The folder that the page calls `my-gateway`, once its command has created it. */
  readonly folder: string;
  /** Called after each step that runs a command. */
  readonly onStep?: (step: FollowedStep) => void;
}

/**
 * Does what the page says: files are saved, commands run. The gateway gets a free port. A command whose output follows the state of
 * the gateway, `gateway servers`, is repeated as a person does, until it prints what the page shows.
 *
 * @throws when a command prints something else
 */
export async function followSteps(
  steps: readonly DocumentedStep[],
  options: FollowOptions,
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'file') {
      writeFileSync(join(options.folder, step.name), step.text);
    } else {
      const followed = await follow(step, options);
      options.onStep?.(followed);
    }
  }
}

async function follow(
  { command, prints }: Extract<DocumentedStep, { kind: 'command' }>,
  { shell, folder }: FollowOptions,
): Promise<FollowedStep> {
  if (command.startsWith('gateway serve '))
    return serve({ command, prints }, { shell, log: join(folder, LOG) });
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const { output, processorSeconds } = await shell.run(command);
    if (output.includes(prints)) return { command, output, processorSeconds };
    if (command !== 'gateway servers' || Date.now() > end)
      throw new Error(`"${command}" does not print "${prints}" but "${output}"`);
    await pause();
  }
}

async function serve(
  { command, prints }: { readonly command: string; readonly prints: string },
  { shell, log }: { readonly shell: Shell; readonly log: string },
): Promise<FollowedStep> {
  const url = `http://127.0.0.1:${String(await freePort())}`;
  const [port] = url.split(':').slice(-1);
  await shell.run(`export GATEWAY_URL=${url}/mcp`);
  const options = `--port ${port ?? ''} --no-health-listener`;
  const { processorSeconds } = await shell.run(`${command} ${options} > '${log}' 2>&1 &`);
  const expected = prints.replaceAll(USUAL, url);
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const output = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (output.includes(expected)) return { command, output, processorSeconds };
    if (Date.now() > end) throw new Error(`"${command}" does not print "${expected}": ${output}`);
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
