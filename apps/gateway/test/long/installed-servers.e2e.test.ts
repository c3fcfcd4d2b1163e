import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { callTool, serverInfo, textOf } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import { launchGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';
import { testFolder } from '../harness/program-result.ts';

/** The variables with which this machine reaches the registry; a server gets them only in its `env`. */
const NETWORK = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

/** Time for three installations at once, in milliseconds. */
const INSTALL_MS = 240_000;

// `packages/interop/test/long/installed-servers.pypi.test.ts` runs a server of PyPI.
it(
  'three servers of npm start at once with npx -y from an empty cache',
  async () => {
    const [directory, cache] = [testDirectory(), testFolder()];
    const variables = NETWORK.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    const env = {
      ...{ npm_config_cache: cache, npm_config_update_notifier: 'false' },
      ...(Object.fromEntries(variables) as Record<string, string>),
    };
    const servers = {
      everything: ['@modelcontextprotocol/server-everything'],
      files: ['@modelcontextprotocol/server-filesystem', cache],
      memory: ['@modelcontextprotocol/server-memory'],
    };
    for (const [name, args] of Object.entries(servers))
      directory.server(name, {
        ...{ type: 'stdio', startTimeout: 240, autoStart: true },
        ...{ command: 'npx', args: ['-y', ...args], env },
      });
    const { url } = await launchGateway(directory.path);
    const client = await connect(url);
    await retryAssertion(async () => {
      for (const name of Object.keys(servers))
        expect(await serverInfo(client, name)).toMatchObject({ state: 'Running' });
    }, INSTALL_MS);
    // Each was started once: no attempt failed.
    for (const name of Object.keys(servers)) {
      const info = await serverInfo(client, name);
      expect(info).toMatchObject({ status: { restartCount: 0, consecutiveFailures: 0 } });
      expect(info.toolsCount).toBeGreaterThan(0);
    }
    const echoed = await callTool(client, 'x_everything_echo', { message: 'installed' });
    expect(textOf(echoed)).toContain('installed');
  },
  INSTALL_MS + 60_000,
);
