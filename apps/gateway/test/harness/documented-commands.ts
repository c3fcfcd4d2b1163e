import { createTestConfigDirectory } from '@gateway/repo-checks';
import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { curl } from './curl.ts';
import { REPOSITORY } from './example-copy.ts';
import { CLI } from './gateway.ts';
import { shellWords } from './shell-words.ts';

/** The exit code of a documented command, and its output on both streams. */
export interface CommandOutput {
  readonly code: number;
  readonly output: string;
}

/** Runs commands as they are printed, with the repository as working directory. */
export interface DocumentedCommands {
  /** Runs one; `env` is added to the environment. */
  run(command: string, env?: Readonly<Record<string, string>>): Promise<CommandOutput>;
  close(): void;
}

interface Answer extends CommandOutput {
  readonly id: number;
}

/**
 * Starts a process that runs `gateway …` and `node <file> …` one after the other without starting anew for each. `curl …` is sent from
 * here. What is more than a program with arguments, and the first command of each other program, goes through a real shell.
 */
export function documentedCommands(): DocumentedCommands {
  const programs = createTestConfigDirectory();
  programs.write('gateway', `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  chmodSync(join(programs.path, 'gateway'), 0o755);
  const PATH = `${programs.path}:${process.env['PATH'] ?? ''}`;
  const runner = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'fixtures', 'command-runner.mjs')],
    {
      cwd: REPOSITORY,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  const waiting = new Map<number, (answer: Answer) => void>();
  runner.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  runner.on('exit', () => {
    for (const [id, tell] of waiting) tell({ id, code: -1, output: 'the runner ended' });
  });
  const seen = new Set<string>();
  let lastId = 0;

  return {
    async run(command, env = {}) {
      const [program, ...words] = shellWords(command) ?? [];
      if (program === 'curl') return { code: 0, output: await curl(words) };
      const argv = programOf(command);
      const isFirst = argv !== undefined && !seen.has(argv[0] ?? '');
      if (argv === undefined || isFirst) {
        seen.add(argv?.[0] ?? '');
        return runInShell(command, { ...process.env, PATH, ...env });
      }
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        runner.send({ id, argv, env });
      });
    },
    close() {
      runner.kill();
      programs.remove();
    },
  };
}

/** The file of a Node program and its arguments. */
function programOf(command: string): readonly string[] | undefined {
  const [program, ...args] = shellWords(command) ?? [];
  if (program === 'gateway') return [CLI, ...args];
  const [file, ...rest] = args;
  return program === 'node' && file !== undefined ? [join(REPOSITORY, file), ...rest] : undefined;
}

async function runInShell(command: string, env: NodeJS.ProcessEnv): Promise<CommandOutput> {
  const child = spawn('sh', ['-c', command], { cwd: REPOSITORY, env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([
    textOfStream(child.stdout),
    textOfStream(child.stderr),
    ended,
  ]);
  return { code: child.exitCode ?? -1, output: stdout + stderr };
}
