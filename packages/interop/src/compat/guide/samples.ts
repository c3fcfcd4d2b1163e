import { delimiter } from 'node:path';
import process from 'node:process';
import { runProgram } from '@gateway/test-peers';
import { expectThat } from '../features/verdict.ts';
import { goSample } from '../install/go-programs.ts';
import { placeOf } from '../install/places.ts';
import { pythonPackages } from '../install/python-packages.ts';
import { rustProgram } from '../install/rust-programs.ts';

/** A program of `docs/clients.md`. */
export interface Sample {
  /** The heading of its section. */
  readonly title: string;
  /** The file with its text. */
  readonly file: string;
  /** Runs it against a gateway and returns what it prints. */
  readonly run: (url: string) => Promise<string>;
}

const environment = (url: string): Readonly<Record<string, string>> => ({
  GATEWAY_URL: url,
  PYTHONDONTWRITEBYTECODE: '1',
  PATH: process.env['PATH'] ?? delimiter,
});

const python = (title: string, client: string): Sample => {
  const file = placeOf('samples', `${client}.py`);
  return {
    title,
    file,
    run: async (url) => runProgram(await pythonPackages(client), [file], { env: environment(url) }),
  };
};

const go = (title: string, name: 'gosdk' | 'mcpgo'): Sample => ({
  title,
  file: placeOf('drivers/go/samples', name, 'main.go'),
  run: async (url) => runProgram(await goSample(name), [], { env: environment(url) }),
});

const typescript = placeOf('samples/typescript.mjs');

/** The programs of the guide, in its order. */
export const SAMPLES: readonly Sample[] = [
  python('LangChain', 'langchain'),
  python('OpenAI Agents SDK', 'openai-agents'),
  python('Pydantic AI', 'pydantic-ai'),
  python('FastMCP', 'fastmcp-4'),
  python('Python SDK 2', 'python-2'),
  python('Python SDK 1', 'python-1'),
  {
    title: 'TypeScript SDK',
    file: typescript,
    run: (url) => runProgram(process.execPath, [typescript], { env: environment(url) }),
  },
  go('Go SDK', 'gosdk'),
  go('mcp-go', 'mcpgo'),
  {
    title: 'Rust SDK (rmcp)',
    file: placeOf('drivers/rust/src/bin', 'sample.rs'),
    run: async (url) => runProgram(await rustProgram('sample'), [], { env: environment(url) }),
  },
];

/** Runs a program of the guide. @throws when it prints something else */
export async function runSample({ run }: Sample, url: string): Promise<undefined> {
  const output = (await run(url)).trim();
  expectThat(output === 'Echo: hello', 'another output', output);
}
