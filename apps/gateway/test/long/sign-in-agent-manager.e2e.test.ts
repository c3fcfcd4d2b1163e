import { expect, it } from 'vitest';
import { startAgentManager } from '../harness/agent-manager.ts';
import { callTool, toolNames } from '../harness/answers.ts';
import { brokerAuth, startBrokerProvider } from '../harness/broker-gateway.ts';
import { brokerToken } from '../harness/broker-token.ts';
import { connect } from '../harness/clients.ts';
import { startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

it('one sign-in reaches agent-manager, which names the user who wrote', async () => {
  const { provider, port } = await startBrokerProvider({ audiences: ['agent-manager'] });
  const [directory, releases] = [testDirectory(), testDirectory()];
  const agentManager = await startAgentManager(provider.issuer, ['--store', releases.path]);
  directory.server('agents', {
    ...{ type: 'streamable-http', url: `${agentManager.url}/mcp`, autoStart: true },
    auth: { forwardToken: true, requiredAudiences: ['agent-manager'] },
  });
  directory.config({ auth: brokerAuth(directory, provider.issuer) });
  const gateway = await startGateway(directory.path, { args: ['--port', String(port)] });
  const createAs = async (user: string): Promise<string> => {
    const authorization = `Bearer ${await brokerToken(gateway.url, user)}`;
    const client = await connect(gateway.url, { authorization });
    expect(await toolNames(client)).toContain('x_agents_create_agent');
    const args = { name: `of-${user}`, modelConfig: 'small', toolset: ['preset:none'] };
    return JSON.stringify(await callTool(client, 'x_agents_create_agent', args));
  };
  expect(await createAs('alice')).toContain('alice@example.com');
  const created = await createAs('bob');
  expect(created).toContain('bob@example.com');
  expect(created).not.toContain('alice@example.com');
  const log = agentManager.stderr.join('\n');
  expect(log).toContain('bob@example.com');
  expect([log, ...gateway.stderr].join('\n')).not.toMatch(/eyJ[\w-]+\.eyJ/u);
});
