import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { findFreePort } from '@gateway/test-peers';
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callTool, toolNames } from '../harness/answers.ts';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import { brokerToken } from '../harness/broker-token.ts';
import { connect, type TestClient } from '../harness/clients.ts';
import { APP, startGateway, type RunningGateway } from '../harness/gateway.ts';
import { startNode, type RunningProcess } from '../harness/process.ts';

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
  const { provider, port } = await startBrokerProvider({ audiences: ['agent-manager'] });
  onTestFinished(() => provider.close());
  const [directory, releases] = [createTestConfigDirectory(), createTestConfigDirectory()];
  onTestFinished(() => {
    directory.remove();
    releases.remove();
  });
  const { url, running } = await startAgentManager(provider.issuer, releases.path);
  directory.server('agents', {
    type: 'streamable-http',
    url: `${url}/mcp`,
    autoStart: true,
    auth: { forwardToken: true, requiredAudiences: ['agent-manager'] },
  });
  directory.config({ auth: brokerAuth(directory, provider.issuer) });
  const gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  onTestFinished(async () => {
    await gateway.stop();
  });
  return { gateway, agentManager: running };
};

const clientOf = async (user: string, { url }: RunningGateway): Promise<TestClient> => {
  const token = await brokerToken(url, user);
  const client = await connect(url, { authorization: `Bearer ${token}` });
  onTestFinished(() => client.close());
  return client;
};

const createAgent = async (client: TestClient, name: string): Promise<string> => {
  const args = { name, modelConfig: 'small', toolset: ['preset:none'] };
  return JSON.stringify(await callTool(client, 'x_agents_create_agent', args));
};

it('one sign-in reaches agent-manager, which names the user who wrote', async () => {
  const { gateway, agentManager } = await startPeers();
  const alice = await clientOf('alice', gateway);
  expect(await toolNames(alice)).toContain('x_agents_create_agent');
  expect(await createAgent(alice, 'alices')).toContain('alice@example.com');
  const bob = await clientOf('bob', gateway);
  const created = await createAgent(bob, 'bobs');
  expect(created).toContain('bob@example.com');
  expect(created).not.toContain('alice@example.com');
  const log = agentManager.stderr.join('\n');
  expect(log).toContain('bob@example.com');
  expect([log, ...gateway.stderr].join('\n')).not.toMatch(/eyJ[\w-]+\.eyJ/u);
});
