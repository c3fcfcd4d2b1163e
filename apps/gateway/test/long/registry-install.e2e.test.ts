import { retryAssertion } from '@gateway/repo-checks';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, serverInfo, textOf } from '../harness/answers.ts';
import { runCommand } from '../harness/cli.ts';
import { connect } from '../harness/clients.ts';
import { launchGateway } from '../harness/gateway.ts';
import { listenHttp, sendJson } from '../harness/http-listener.ts';
import { testDirectory } from '../harness/lifetime.ts';

/** Time for an installation, in milliseconds. */
const INSTALL_MS = 120_000;

const SECRET = 'demo-value-of-a-secret';

/** The variables with which this machine reaches npm; a server gets them only in its `env`. */
const NETWORK = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

const SERVER = {
  name: 'io.modelcontextprotocol/everything',
  description: 'The test server of the protocol',
  version: '2026.8.31',
  packages: [
    {
      registryType: 'npm',
      identifier: '@modelcontextprotocol/server-everything',
      version: '2026.8.31',
      runtimeHint: 'npx',
      runtimeArguments: [{ type: 'positional', value: '-y' }],
      packageArguments: [{ type: 'positional', value: 'stdio' }],
      environmentVariables: [
        { name: 'DEMO_KEY', isRequired: true, isSecret: true },
        ...[...NETWORK, 'npm_config_cache'].map((name) => ({ name })),
      ],
      transport: { type: 'stdio' },
    },
  ],
};

/** Starts a registry that has one server, and returns its URL. */
const startRegistry = () =>
  listenHttp(({ url }, response) => {
    const path = '/v0.1/servers/io.modelcontextprotocol%2Feverything/versions/latest';
    sendJson(response, { server: SERVER }, url === path ? 200 : 404);
  });

it(
  'a server of npm that gateway servers install writes runs in a gateway',
  async () => {
    const directory = testDirectory();
    const present = NETWORK.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [`${name}=${value}`];
    });
    const values = [`DEMO_KEY=${SECRET}`, `npm_config_cache=${join(directory.path, 'npm')}`];
    const installed = await runCommand([
      ...['servers', 'install', SERVER.name, '--registry', await startRegistry()],
      ...['--config-dir', directory.path, '--as', 'tester', '--write', '--start'],
      ...[...values, ...present].flatMap((value) => ['--set', value]),
    ]);
    expect(installed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('installed tester'),
    });
    expect(installed.stdout + installed.stderr).not.toContain(SECRET);
    const manifest = readFileSync(join(directory.path, 'mcpservers/tester.yaml'), 'utf8');
    expect(manifest).toContain('server-everything@2026.8.31');
    expect(manifest).not.toContain(SECRET);
    const secret = join(directory.path, 'secrets/tester/DEMO_KEY');
    expect(statSync(secret).mode & 0o777).toBe(0o600);

    const gateway = await launchGateway(directory.path);
    const client = await connect(gateway.url);
    await retryAssertion(async () => {
      expect(await serverInfo(client, 'tester')).toMatchObject({ state: 'Running' });
    }, INSTALL_MS);
    const echoed = await callTool(client, 'x_tester_echo', { message: 'installed' });
    expect(textOf(echoed)).toContain('installed');
    const variables = await callTool(client, 'x_tester_get-env');
    expect(textOf(variables)).toContain(SECRET);
  },
  INSTALL_MS + 60_000,
);
