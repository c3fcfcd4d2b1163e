import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { olderNode } from '../older-node.ts';

/** The programs are built for every supported Node; here they run on the oldest that is at hand. */
const apps = resolve(import.meta.dirname, '../../../../apps');
const node = olderNode();

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'older-node-'));
  await writeFile(join(directory, 'config.yaml'), 'stateDirectory: state\n');
});
afterAll(() => rm(directory, { recursive: true }));

const run = (app: string, ...args: readonly string[]) =>
  promisify(execFile)(node, [join(apps, app, 'dist/cli.js'), ...args], { cwd: directory });

/** Runs `use` with the address of a service, then stops it. @returns its exit code */
const withService = async (
  [app, ...args]: readonly [string, ...string[]],
  use: (url: string) => Promise<void>,
): Promise<number | null> => {
  const child = spawn(node, [join(apps, app, 'dist/cli.js'), 'serve', '--port', '0', ...args], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = once(child, 'close');
  const failed = exited.then(() => Promise.reject(new Error(stderr)));
  failed.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as unknown[];
    await use((message as { listening: string }).listening);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  return child.exitCode;
};

const callTool = async (url: string, name: string): Promise<unknown> => {
  const answer = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }),
  });
  return answer.json();
};

it('the Node of these tests is older than that of the applications', async () => {
  const { stdout } = await promisify(execFile)(node, ['--version']);
  expect(stdout).toMatch(/^v22[.]19[.]/u);
});

describe('the gateway', () => {
  it('prints its version', async () => {
    expect((await run('gateway', '--version')).stdout).toMatch(/^\d+[.]\d+[.]\d+\n$/u);
  });

  it('validates a configuration', async () => {
    expect((await run('gateway', 'validate', '--config-dir', '.')).stdout).toContain('no problems');
  });

  it('serves and answers a call', async () => {
    const code = await withService(['gateway', '--config-dir', '.'], async (url) => {
      expect(await callTool(url, 'list_tools')).toMatchObject({
        result: { content: [{ type: 'text' }] },
      });
    });
    expect(code).toBe(0);
  });
});

describe('agent-manager', () => {
  it('prints its version', async () => {
    expect((await run('agent-manager', '--version')).stdout).toMatch(/^\d+[.]\d+[.]\d+\n$/u);
  });

  it('serves and answers a request', async () => {
    const code = await withService(['agent-manager', '--store', 'agents'], async (url) => {
      expect(await (await fetch(new URL('/api/v1/agents', url))).json()).toEqual({ agents: [] });
    });
    expect(code).toBe(0);
  });
});

describe('on a Node that is too old', () => {
  const AGED =
    "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";

  it.each(['gateway', 'agent-manager', 'portal'])(
    '%s says so in one sentence and ends with 2',
    async (app) => {
      const cli = join(apps, app, 'dist/cli.js');
      await expect(
        promisify(execFile)(node, ['--import', AGED, cli, 'serve']),
      ).rejects.toMatchObject({
        code: 2,
        stdout: '',
        stderr: `${app} needs Node 22.19.0 or later, this is Node 20.20.2; start the program with a newer Node\n`,
      });
    },
  );
});
