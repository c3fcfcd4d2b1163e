import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expectThat, toVerdict } from './features.ts';
import {
  goSample,
  installNodePackages,
  readPin,
  type Pinned,
  installPythonPackages,
  buildRustProgram,
} from './packages.ts';
import { findGuideBlock } from './own-server.ts';
import { runProgram } from '@gateway/test-peers';
import { resolvePlace } from '../gateway.ts';
import { createFolder } from './compat-stage.ts';
import type { GuideResult } from './compat-page.ts';

/** A program that reads one of the configurations of `docs/clients.md` and can say whether it connects. */
export interface ConfiguredProgram extends Pinned {
  readonly title: string;
  readonly file: string;
  readonly files?: (home: string) => Readonly<Record<string, string>>;
  readonly block: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly prints: RegExp;
  readonly shows: string;
}

const run = promisify(execFile);

const readNpmPin = (name: string, folder: string): Pinned =>
  readPin('npm', name, `pinned/node/${folder}/package.json`);

/** The programs that install from a registry. The others of the guide are applications of a desktop. */
export const CONFIGURED_PROGRAMS: readonly (ConfiguredProgram & { readonly folder: string })[] = [
  {
    ...readNpmPin('@anthropic-ai/claude-code', 'claude-code'),
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
    ...readNpmPin('@google/gemini-cli', 'gemini-cli'),
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
    ...readNpmPin('@openai/codex', 'codex'),
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
async function runConfigured(
  program: (typeof CONFIGURED_PROGRAMS)[number],
  url: string,
  home: string,
): Promise<string> {
  const modules = await installNodePackages(program.folder);
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  const files = {
    ...program.files?.(home),
    [program.file]: findGuideBlock(program.title, program.block, url),
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

export interface Sample {
  readonly title: string;
  readonly file: string;
  /** Runs it against a gateway and returns what it prints. */
  readonly run: (url: string) => Promise<string>;
}

const createEnvironment = (url: string): Readonly<Record<string, string>> => ({
  GATEWAY_URL: url,
  PYTHONDONTWRITEBYTECODE: '1',
  PATH: process.env['PATH'] ?? delimiter,
});

const createPythonSample = (title: string, client: string): Sample => {
  const file = resolvePlace('samples', `${client}.py`);
  return {
    title,
    file,
    run: async (url) =>
      runProgram(await installPythonPackages(client), [file], { env: createEnvironment(url) }),
  };
};

const go = (title: string, name: 'gosdk' | 'mcpgo'): Sample => ({
  title,
  file: resolvePlace('drivers/go/samples', name, 'main.go'),
  run: async (url) => runProgram(await goSample(name), [], { env: createEnvironment(url) }),
});

const typescript = resolvePlace('samples/typescript.mjs');

export const SAMPLES: readonly Sample[] = [
  createPythonSample('LangChain', 'langchain'),
  createPythonSample('OpenAI Agents SDK', 'openai-agents'),
  createPythonSample('Pydantic AI', 'pydantic-ai'),
  createPythonSample('FastMCP', 'fastmcp-4'),
  createPythonSample('Python SDK 2', 'python-2'),
  createPythonSample('Python SDK 1', 'python-1'),
  {
    title: 'TypeScript SDK',
    file: typescript,
    run: (url) => runProgram(process.execPath, [typescript], { env: createEnvironment(url) }),
  },
  go('Go SDK', 'gosdk'),
  go('mcp-go', 'mcpgo'),
  {
    title: 'Rust SDK (rmcp)',
    file: resolvePlace('drivers/rust/src/bin', 'sample.rs'),
    run: async (url) =>
      runProgram(await buildRustProgram('sample'), [], { env: createEnvironment(url) }),
  },
];

/** Runs a program of the guide. @throws when it prints something else */
async function runSample({ run }: Sample, url: string): Promise<undefined> {
  const output = (await run(url)).trim();
  expectThat(output === 'Echo: hello', 'another output', output);
}

/** Installations are part of it. */
const WITHIN_MS = 600_000;

export async function runGuide(
  url: string,
  folder: string,
  log: (line: string) => void,
): Promise<readonly GuideResult[]> {
  const results: GuideResult[] = [];
  const record = (result: GuideResult): void => {
    results.push(result);
    log(`  guide: ${result.title}: ${result.verdict.kind}`);
  };
  for (const program of CONFIGURED_PROGRAMS) {
    const home = createFolder(folder, `home-${program.folder}`);
    const verdict = await toVerdict(() => runConfigured(program, url, home), WITHIN_MS);
    record({ title: program.title, package: program.package, version: program.version, verdict });
  }
  for (const sample of SAMPLES) {
    const verdict = await toVerdict(() => runSample(sample, url), WITHIN_MS);
    record({ title: sample.title, verdict });
  }
  return results;
}
