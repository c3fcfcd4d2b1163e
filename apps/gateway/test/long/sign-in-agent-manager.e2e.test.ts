import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { startProvider, findFreePort } from '@gateway/test-peers';
import type { Client } from '@modelcontextprotocol/client';
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { APP, startGateway, type RunningGateway } from '../harness/gateway.ts';
import { startNode, type RunningProcess } from '../harness/process.ts';
import { signedInClient } from '../harness/signed-in-client.ts';

const AGENT_MANAGER = resolve(APP, '../agent-manager/dist/cli.js');

interface Peers {
  readonly gateway: RunningGateway;
  readonly agentManager: RunningProcess;
}

/** agent-manager, which accepts ID tokens with its own audience only. */
const startAgentManager = async (issuer: string, folder: string) => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startNode([
    ...[AGENT_MANAGER, 'serve', '--store', folder, '--port', String(port)],
    ...['--public-url', url, '--enable-oauth'],
    ...['--oauth-issuer', issuer, '--oauth-audiences', 'agent-manager'],
  ]);
  onTestFinished(async () => {
    await running.stop();
  });
  await retryAssertion(async () => {
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`agent-manager answers ${status}`);
  });
  return { url, running };
};

/** A gateway in mode `broker` and agent-manager behind it, both with the same provider. */
const startPeers = async (): Promise<Peers> => {
  const port = await findFreePort();
  const provider = await startProvider({
    audiences: ['agent-manager'],
    clients: [
      {
        client_id: 'gateway',
        client_secret: 'secret',
        redirect_uris: [`http://127.0.0.1:${port}/oauth/upstream/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
  });
  onTestFinished(() => provider.close());
  const [directory, releases] = [createTestConfigDirectory(), createTestConfigDirectory()];
  onTestFinished(() => {
    directory.remove();
    releases.remove();
  });
  const { url, running } = await startAgentManager(provider.issuer, releases.path);
  directory.write('client-secret', 'secret');
  directory.server('agents', {
    type: 'streamable-http',
    url: `${url}/mcp`,
    autoStart: true,
    auth: { forwardToken: true, requiredAudiences: ['agent-manager'] },
  });
  directory.config({
    auth: {
      mode: 'broker',
      broker: {
        upstream: {
          issuer: provider.issuer,
          clientId: 'gateway',
          clientSecretFile: 'client-secret',
        },
        registration: { enabled: true },
      },
    },
  });
  const gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  onTestFinished(async () => {
    await gateway.stop();
  });
  return { gateway, agentManager: running };
};

const textOf = (result: unknown): string => JSON.stringify(result);

const createAgent = async (client: Client, agent: string): Promise<string> => {
  const args = { name: agent, modelConfig: 'small', toolset: ['preset:none'] };
  const result = await client.callTool({
    name: 'call_tool',
    arguments: { name: 'x_agents_create_agent', arguments: args },
  });
  return textOf(result);
};

it('one sign-in reaches agent-manager, which names the user who wrote', async () => {
  const { gateway, agentManager } = await startPeers();
  const alice = await signedInClient('alice', gateway);
  const listed = await alice.callTool({ name: 'list_tools', arguments: {} });
  expect(textOf(listed)).toContain('x_agents_create_agent');
  expect(await createAgent(alice, 'alices')).toContain('alice@example.com');
  const bob = await signedInClient('bob', gateway);
  const created = await createAgent(bob, 'bobs');
  expect(created).toContain('bob@example.com');
  expect(created).not.toContain('alice@example.com');
  const log = agentManager.stderr.join('\n');
  expect(log).toContain('bob@example.com');
  expect([log, ...gateway.stderr].join('\n')).not.toMatch(/eyJ[\w-]+\.eyJ/u);
});
