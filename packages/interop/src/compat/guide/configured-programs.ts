import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expectThat } from '../features/verdict.ts';
import { nodePackages } from '../install/node-packages.ts';
import { pinned, type Pinned } from '../install/pinned.ts';
import { blockFor } from './page-blocks.ts';

/** A program that reads one of the configurations of `docs/clients.md` and can say whether it connects. */
export interface ConfiguredProgram extends Pinned {
  /** The heading of its section. */
  readonly title: string;
  /** The file of the configuration in the folder of the user. */
  readonly file: string;
  /** Further files there. */
  readonly files?: (home: string) => Readonly<Record<string, string>>;
  /** A text in its block over HTTP. */
  readonly block: string;
  /** The program below `node_modules`, and its arguments. */
  readonly program: string;
  readonly args: readonly string[];
  /** A pattern of its output, and what that shows. */
  readonly prints: RegExp;
  readonly shows: string;
}

const run = promisify(execFile);

const npm = (name: string, folder: string): Pinned =>
  pinned('npm', name, `pinned/node/${folder}/package.json`);

/** The programs that install from a registry. The others of the guide are applications of a desktop. */
export const CONFIGURED_PROGRAMS: readonly (ConfiguredProgram & { readonly folder: string })[] = [
  {
    ...npm('@anthropic-ai/claude-code', 'claude-code'),
    folder: 'claude-code',
    title: 'Claude Code',
    file: '.claude.json',
    block: '"type": "http"',
    program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    args: ['mcp', 'list'],
    prints: /gateway: .*✔ Connected/u,
    shows: 'connects',
  },
  {
    ...npm('@google/gemini-cli', 'gemini-cli'),
    folder: 'gemini-cli',
    title: 'Gemini CLI',
    file: '.gemini/settings.json',
    files: (home) => ({
      '.gemini/trustedFolders.json': JSON.stringify({ [join(home, 'project')]: 'TRUST_FOLDER' }),
    }),
    block: '"httpUrl"',
    program: '.bin/gemini',
    args: ['mcp', 'list'],
    prints: /✓ gateway: .*Connected/u,
    shows: 'connects',
  },
  {
    ...npm('@openai/codex', 'codex'),
    folder: 'codex',
    title: 'Codex',
    file: '.codex/config.toml',
    block: 'http_headers',
    program: '.bin/codex',
    args: ['mcp', 'get', 'gateway'],
    prints: /transport: streamable_http[\s\S]*http_headers: X-Gateway-Toolset=/u,
    shows: 'reads the entry; it has no command that connects without a model',
  },
];

/**
 * Gives a program the configuration of the guide, in a folder of a user of its own, and runs it.
 *
 * @param home an empty folder
 * @throws when it prints something else
 */
export async function runConfigured(
  program: (typeof CONFIGURED_PROGRAMS)[number],
  url: string,
  home: string,
): Promise<string> {
  const modules = await nodePackages(program.folder);
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  const files = {
    ...program.files?.(home),
    [program.file]: blockFor(program.title, program.block, url),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const env = {
    ...process.env,
    HOME: home,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    NO_COLOR: '1',
  };
  const file = join(modules, program.program);
  const { stdout, stderr } = await run(file, program.args, { cwd: project, env });
  const output = `${stdout}${stderr}`;
  expectThat(program.prints.test(output), 'another output', output.slice(-300));
  return program.shows;
}
