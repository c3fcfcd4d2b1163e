import { retryAssertion } from '@gateway/repo-checks';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { callTool, serverInfo, textOf } from '../harness/answers.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { launchGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

const run = promisify(execFile);

/** The variables with which this machine reaches the registries; a server gets them only in its `env`. */
const NETWORK: Readonly<Record<string, string>> = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy']
    .map((name) => [name, process.env[name]] as const)
    .filter((entry): entry is [string, string] => entry[1] !== undefined),
);

/** Time for three installations at once, in milliseconds. */
const INSTALL_MS = 240_000;

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Makes an empty directory that is removed after the tests. */
function emptyDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'gateway-install-'));
  cleanUps.push(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

interface ServerSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a gateway with these servers, none of which is installed, and waits until all run. */
async function gatewayWith(servers: Readonly<Record<string, ServerSpec>>): Promise<TestClient> {
  const directory = testDirectory();
  for (const [name, spec] of Object.entries(servers))
    directory.server(name, { type: 'stdio', startTimeout: 240, autoStart: true, ...spec });
  const gateway = await launchGateway(directory.path);
  const client = await connect(gateway.url);
  await retryAssertion(async () => {
    for (const name of Object.keys(servers))
      expect(await serverInfo(client, name)).toMatchObject({ state: 'Running' });
  }, INSTALL_MS);
  return client;
}

/** Each server was started once: no attempt failed. */
async function expectFirstAttempts(client: TestClient, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const info = await serverInfo(client, name);
    expect(info).toMatchObject({ status: { restartCount: 0, consecutiveFailures: 0 } });
    expect(info.toolsCount).toBeGreaterThan(0);
  }
}

it(
  'three servers of npm start at once with npx -y from an empty cache',
  async () => {
    const cache = emptyDirectory();
    const env = { ...NETWORK, npm_config_cache: cache, npm_config_update_notifier: 'false' };
    const npx = (...args: readonly string[]): ServerSpec => ({
      command: 'npx',
      args: ['-y', ...args],
      env,
    });
    const client = await gatewayWith({
      everything: npx('@modelcontextprotocol/server-everything'),
      files: npx('@modelcontextprotocol/server-filesystem', cache),
      memory: npx('@modelcontextprotocol/server-memory'),
    });
    await expectFirstAttempts(client, ['everything', 'files', 'memory']);
    expect(textOf(await callTool(client, 'x_everything_echo', { message: 'installed' }))).toContain(
      'installed',
    );
  },
  INSTALL_MS + 60_000,
);

it(
  'three servers of PyPI start at once with uvx from an empty cache',
  async () => {
    const tools = emptyDirectory();
    await run('python3', ['-m', 'venv', tools]);
    const bin = join(tools, 'bin');
    await run(join(bin, 'pip'), ['install', '--quiet', 'uv'], { timeout: INSTALL_MS });
    const env = {
      ...NETWORK,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      UV_CACHE_DIR: join(tools, 'cache'),
      UV_PYTHON_DOWNLOADS: 'never',
    };
    const uvx = (...args: readonly string[]): ServerSpec => ({ command: 'uvx', args, env });
    const client = await gatewayWith({
      time: uvx('mcp-server-time', '--local-timezone', 'UTC'),
      fetch: uvx('mcp-server-fetch'),
      git: uvx('mcp-server-git'),
    });
    await expectFirstAttempts(client, ['time', 'fetch', 'git']);
    const time = await callTool(client, 'x_time_get_current_time', { timezone: 'UTC' });
    expect(time.isError ?? false).toBe(false);
  },
  INSTALL_MS + 120_000,
);
