import process from 'node:process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../gateway.ts';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort, runProgram } from '@gateway/test-peers';
import { tmpdir } from 'node:os';

/** The address and the folder that the blocks name. */
const PLACEHOLDERS = {
  url: 'http://127.0.0.1:8090/mcp',
  repository: '<repository>',
} as const;

interface PageBlock {
  readonly language: string;
  readonly text: string;
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gmu;

/** Returns the blocks of a page, such as `docs/clients.md`, by the headings of their sections. */
function readPageBlocks(name: string): ReadonlyMap<string, readonly PageBlock[]> {
  const page = readFileSync(join(REPOSITORY, name), 'utf8');
  const sections = page.split(/^#{2,3} /mu).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n');
      const blocks = [...section.matchAll(BLOCK)].map(([, language = '', text = '']) => ({
        language,
        text: text.trimEnd(),
      }));
      return [title.trim(), blocks];
    }),
  );
}

export const listGuideBlocks = () => readPageBlocks('docs/clients.md');

/** Returns the block of a section of `docs/clients.md` that contains a text, with the address of a gateway. @throws when there is none */
export function findGuideBlock(title: string, contains: string, url: string): string {
  const found = listGuideBlocks()
    .get(title)
    ?.find(({ text }) => text.includes(contains));
  if (found === undefined) throw new Error(`docs/clients.md: ${title} has no block of ${contains}`);
  return found.text
    .replaceAll(PLACEHOLDERS.url, url)
    .replaceAll(PLACEHOLDERS.repository, REPOSITORY);
}

const PAGE = 'docs/quick-start.md';
const SETUP = 'Get the command';
/** The sections of the page up to the first call of a server, and those after it. */
const SECTIONS = {
  first: ['Create a configuration', 'Add the server', 'Serve and call'],
  further: ['More servers', 'Connect a client'],
} as const;
const PROGRAM = 'server.mjs';

/** A step of the quick start: a file that a user saves, or a command with a part of its output. */
type DocumentedStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly prints: string };

/** Returns the lines that make `gateway` a command: from a clone, or with `npx`. @throws when the page does not have both */
export function listSetupLines(way: 'clone' | 'npx'): readonly string[] {
  const [clone, npx, ...others] = listBlocks(SETUP).filter(({ language }) => language === 'text');
  if (clone === undefined || npx === undefined || others.length > 0)
    throw new Error(`${PAGE}: ${SETUP} has not two blocks of commands`);
  return (way === 'clone' ? clone : npx).text.split('\n');
}

/** Returns the steps from an empty folder to the first call of a server, or those after it. @throws when a command has no output */
export const listDocumentedSteps = (part: keyof typeof SECTIONS): readonly DocumentedStep[] =>
  SECTIONS[part].flatMap((title) => listSteps(listBlocks(title)));

function listBlocks(title: string): readonly PageBlock[] {
  const blocks = readPageBlocks(PAGE).get(title);
  if (blocks === undefined) throw new Error(`${PAGE} has no section ${title}`);
  return blocks;
}

const listSteps = (blocks: readonly PageBlock[]): readonly DocumentedStep[] =>
  blocks.flatMap(({ language, text }, index): readonly DocumentedStep[] => {
    if (language === 'js') return [{ kind: 'file', name: PROGRAM, text: `${text}\n` }];
    if (language !== 'sh') return [];
    const output = blocks[index + 1];
    if (output?.language !== 'text') throw new Error(`${PAGE}: "${text}" has no output`);
    return [{ kind: 'command', command: text, prints: output.text }];
  });

const END = '--- end of the command';
const RESULT = new RegExp(`\\n${END} (\\d+)\\n.*\\n(\\d+)m([\\d.]+)s (\\d+)m([\\d.]+)s\\n`, 'u');

interface ShellOutput {
  readonly output: string;
  readonly code: number;
  readonly processorSeconds: number;
}

/** A shell session: the folder, variables and aliases persist between commands. */
export interface Shell {
  readonly run: (command: string) => Promise<ShellOutput>;
  /** Ends the shell and all programs that it started. */
  readonly close: () => Promise<void>;
}

/** Starts a shell in a folder. One command at a time. */
export function startShell(cwd: string, env: Readonly<Record<string, string>> = {}): Shell {
  // A separate process group, so that all child processes end with the shell.
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
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
          const processorSeconds = toSeconds(times);
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

const toSeconds = (times: readonly string[]): number => {
  const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = times.map(Number);
  return (userMinutes + systemMinutes) * 60 + user + system;
};

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, 'SIGKILL');
}

const WITHIN_MS = 60_000;
const PAUSE_MS = 50;
const DOCUMENTED_URL = 'http://127.0.0.1:8090';
const LOG = 'serve.log';

export interface StepResult {
  readonly command: string;
  readonly output: string;
  readonly processorSeconds: number;
}

interface RunnerOptions {
  readonly shell: Shell;
  /** The folder that the page calls `my-gateway`, once its command has created it. */
  readonly folder: string;
  /** Called after each step that runs a command. */
  readonly onStep?: (step: StepResult) => void;
}

/**
 * Runs the documented steps: saves files and runs commands. The gateway gets a free port. A command whose output depends on the state of
 * the gateway, `gateway servers`, is repeated as a user does, until it prints what the page shows.
 *
 * @throws when a command prints something else
 */
export async function runDocumentedSteps(
  steps: readonly DocumentedStep[],
  options: RunnerOptions,
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'file') {
      writeFileSync(join(options.folder, step.name), step.text);
    } else {
      const followed = await runStep(step, options);
      options.onStep?.(followed);
    }
  }
}

async function runStep(
  { command, prints }: Extract<DocumentedStep, { kind: 'command' }>,
  { shell, folder }: RunnerOptions,
): Promise<StepResult> {
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
): Promise<StepResult> {
  const url = `http://127.0.0.1:${String(await findFreePort())}`;
  const [port] = url.split(':').slice(-1);
  await shell.run(`export GATEWAY_URL=${url}/mcp`);
  const options = `--port ${port ?? ''} --no-health-listener`;
  const { processorSeconds } = await shell.run(`${command} ${options} > '${log}' 2>&1 &`);
  const expected = prints.replaceAll(DOCUMENTED_URL, url);
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const output = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (output.includes(expected)) return { command, output, processorSeconds };
    if (Date.now() > end) throw new Error(`"${command}" does not print "${expected}": ${output}`);
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** The version of pnpm that the repository pins. */
const PNPM = 'pnpm@10.34.8';

/** Packs the built gateway into a new folder, as it would be published. @returns the path of the tarball */
async function packGateway(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const app = join(REPOSITORY, 'apps/gateway');
  await runProgram('npx', ['--yes', PNPM, 'pack', '--pack-destination', folder], { cwd: app });
  const [tarball = ''] = readdirSync(folder);
  return join(folder, tarball);
}

/** Removes the packages that `npx` installed from a tarball. */
function removeFromNpxCache(tarball: string): void {
  if (tarball === '') return;
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const installed = join(cache, '_npx');
  for (const name of readdirSync(installed)) {
    const folder = join(installed, name);
    if (hasNpxPackage(folder, tarball)) rmSync(folder, { recursive: true, force: true });
  }
}

const hasNpxPackage = (folder: string, tarball: string): boolean => {
  try {
    const { _npx } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly _npx?: { readonly packages?: readonly string[] };
    };
    return _npx?.packages?.some((name) => name.includes(tarball)) ?? false;
  } catch {
    return false;
  }
};

/** A timed step of the quick start, up to the first call of a server. */
interface StopwatchStep {
  readonly step: string;
  /** Since the start of the first step, in seconds. */
  readonly seconds: number;
  /** Of all commands that have ended, in seconds of processor time. The gateway itself has not ended. */
  readonly processorSeconds: number;
}

/** The documented ways to install the command. */
export const SETUP_METHODS = ['npx', 'clone'] as const;

/** Follows the quick start in an empty folder to the first call of a server, and measures it. The packing is not part of it. */
export async function measureQuickStart(
  way: (typeof SETUP_METHODS)[number],
): Promise<readonly StopwatchStep[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gateway-stopwatch-')));
  const tarball = way === 'npx' ? await packGateway(join(folder, 'packed')) : '';
  const shell = startShell(folder);
  try {
    return await measureSteps({ way, tarball, shell, folder });
  } finally {
    await shell.close();
    removeFromNpxCache(tarball);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measurement {
  readonly way: (typeof SETUP_METHODS)[number];
  readonly tarball: string;
  readonly shell: Shell;
  readonly folder: string;
}

async function measureSteps({ way, tarball, shell, folder }: Measurement) {
  const begin = performance.now();
  const steps: StopwatchStep[] = [];
  const mark = (step: string, processorSeconds: number): void => {
    steps.push({ step, seconds: (performance.now() - begin) / 1_000, processorSeconds });
  };
  for (const line of listSetupLines(way)) {
    const command = line.replace('<this repository>', REPOSITORY).replace('<package>', tarball);
    const { code, output, processorSeconds } = await shell.run(command);
    if (code !== 0) throw new Error(`${line}: ${output.slice(-2_000)}`);
    mark(line, processorSeconds);
  }
  await runDocumentedSteps(listDocumentedSteps('first'), {
    shell,
    folder: join(folder, 'my-gateway'),
    onStep: ({ command, processorSeconds }) => {
      mark(command, processorSeconds);
    },
  });
  return steps;
}
