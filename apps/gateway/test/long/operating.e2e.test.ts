import { retryAssertion } from '@gateway/repo-checks';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, serverInfo, textOf } from '../harness/answers.ts';
import { type TestClient, connect } from '../harness/clients.ts';
import { fixture } from '../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../harness/gateway.ts';
import { setUp, testDirectory } from '../harness/lifetime.ts';

const HAND_WRITTEN = `# Ours, with love.
apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata:
  name: box # as in the wiki
spec:
  # Echoes.
  type: stdio
  command: "${process.execPath}"
  args: ['${join(import.meta.dirname, '../fixtures/workflow-server.mjs')}']
  env:
    # from the vault
    TOKEN: 'top-secret'
  autoStart: true
`;

const CONFIG = `# The gateway of the team.
http:
  maxSessions: 50 # enough
toolsetPresets:
  mine: { include: [{ server: box }] }
`;

interface Event {
  readonly reason: string;
  readonly resource_name: string;
  readonly message: string;
  readonly count?: number;
}

const directory = testDirectory();
let gateway: RunningGateway;
let client: TestClient;

const start = async (): Promise<void> => {
  gateway = await startGateway(directory.path);
  client = await connect(gateway.url);
};
const stop = async (): Promise<void> => {
  await client.close();
  await gateway.stop();
};
const tell = async (name: string, given: Record<string, unknown> = {}): Promise<string> =>
  textOf(await callTool(client, name, given));
const events = async (given: Record<string, unknown> = {}): Promise<readonly Event[]> =>
  JSON.parse(await tell('core_events', { limit: 1000, ...given })) as Event[];
const reasons = async (resourceName: string): Promise<readonly string[]> =>
  (await events({ resourceName })).map(({ reason }) => reason).toReversed();
const file = (name: string): string => readFileSync(join(directory.path, name), 'utf8');

setUp(async () => {
  directory.write('mcpservers/box.yaml', HAND_WRITTEN);
  directory.write('config.yaml', CONFIG);
  directory.workflow('echo', { steps: [{ id: 'a', tool: 'x_box_echo', args: { value: 'hi' } }] });
  directory.workflow('lost', { steps: [{ id: 'a', tool: 'x_nowhere_run' }] });
  await start();
});

it('has the events of its start', async () => {
  await retryAssertion(async () => {
    expect(await reasons('box')).toEqual([
      'MCPServerStarting',
      'MCPServerStarted',
      'MCPServerToolsDiscovered',
    ]);
    expect(await reasons('lost')).toEqual(['WorkflowUnavailable']);
  });
  expect(await reasons('echo')).toEqual([]);
});

it('creates a server, which runs and can be read', async () => {
  const { type: _type, ...spec } = fixture('workflow') as Record<string, unknown>;
  const given = { name: 'made', type: 'stdio', ...spec, description: 'Made by a call.' };
  expect(await tell('core_mcpserver_create', given)).toBe("MCP server 'made' created successfully");
  await retryAssertion(async () => {
    expect(await serverInfo(client, 'made')).toMatchObject({ state: 'Running' });
  });
  expect(file('mcpservers/made.yaml')).toContain('description: Made by a call.\n');
  expect(await tell('core_mcpserver_create', given)).toContain('already exists');
});

it('deletes a server, which ends', async () => {
  expect(await tell('core_mcpserver_delete', { name: 'made' })).toBe(
    "MCP server 'made' deleted successfully",
  );
  expect(readdirSync(join(directory.path, 'mcpservers'))).toEqual(['box.yaml']);
  await retryAssertion(async () => {
    expect(await reasons('made')).toEqual([
      'MCPServerCreated',
      'MCPServerStarting',
      'MCPServerStarted',
      'MCPServerToolsDiscovered',
      'MCPServerDeleted',
      'MCPServerStopped',
    ]);
  });
});

it('reports runs of every process', async () => {
  await callTool(client, 'workflow_echo');
  await retryAssertion(async () => {
    expect(await reasons('echo')).toEqual(
      expect.arrayContaining([
        'WorkflowExecutionStarted',
        'WorkflowStepCompleted',
        'WorkflowExecutionCompleted',
      ]),
    );
  });
});

it('changes the configuration: presets at once, the rest at the next start', async () => {
  const aggregator = {
    http: { maxSessions: 60 },
    toolsetPresets: { other: { include: [{ pattern: 'core_*' }] } },
  };
  const answer = await callTool(client, 'core_config_update_aggregator', { aggregator });
  expect(textOf(answer)).toBe('Successfully updated aggregator configuration');
  expect(answer.structuredContent).toMatchObject({ restartRequiredFor: ['http.maxSessions'] });
  const presets = async (): Promise<string> =>
    textOf(await client.call('filter_tools', { include_presets: true, limit: 1 }));
  await retryAssertion(async () => expect(await presets()).toContain('"other"'));
  expect(file('config.yaml')).toBe(CONFIG);
  expect(await tell('core_config_save')).toBe('Configuration saved successfully');
  expect(file('config.yaml')).toBe(
    CONFIG.replace('maxSessions: 50 #', 'maxSessions: 60 #') +
      '  other:\n    include:\n      - pattern: core_*\n',
  );
  expect(await tell('core_config_reload')).toBe('Configuration reloaded successfully');
  const shown = JSON.parse(await tell('core_config_get_aggregator')) as object;
  expect(shown).toMatchObject({ http: { maxSessions: 60 } });
  expect(
    await tell('core_config_update_aggregator', { aggregator: { http: { port: 'x' } } }),
  ).toContain('http.port: must be a whole number from 0 to 65535');
});

it('reports the problems of an invalid configuration', async () => {
  const before = file('config.yaml');
  directory.write('config.yaml', 'http: [\n');
  await retryAssertion(async () => {
    expect(await reasons('config')).toEqual([
      'ConfigurationUpdated',
      'ConfigurationValidationFailed',
    ]);
  });
  expect(await tell('core_config_reload')).toContain('Failed to reload configuration: ');
  directory.write('config.yaml', before);
});

it('logs which files were added, changed, corrected and removed', async () => {
  directory.write('mcpservers/late.yaml', 'kind: nonsense\n');
  await retryAssertion(async () => {
    expect(await reasons('late')).toEqual(['MCPServerValidationFailed']);
  });
  directory.server('late', { type: 'stdio', command: 'nothing' });
  await retryAssertion(async () => expect(await reasons('late')).toHaveLength(2));
  directory.server('late', { type: 'stdio', command: 'nothing else' });
  await retryAssertion(async () => expect(await reasons('late')).toHaveLength(3));
  directory.delete('mcpservers/late.yaml');
  await retryAssertion(async () => expect(await reasons('late')).toHaveLength(4));
  const logged = gateway.logs().filter(({ name }) => name === 'late');
  expect(logged.map(({ reason }) => reason)).toEqual([
    'MCPServerValidationSucceeded',
    'MCPServerUpdated',
    'MCPServerDeleted',
  ]);
});

it('counts events and shows the servers in its metrics', async () => {
  const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
  expect(metrics).toMatch(/^gateway_events_total\{reason="MCPServerDeleted"\} 2$/mu);
  expect(metrics).toMatch(/^gateway_server_health\{server="box",health="healthy"\} 1$/mu);
  expect(metrics).toMatch(/^gateway_server_restarts\{server="box"\} 0$/mu);
});

it('preserves events and tool declarations over a restart', async () => {
  await stop();
  expect(readdirSync(join(directory.path, 'state')).toSorted()).toEqual([
    'configuration-00000001.jsonl',
    'declared-tools.json',
    'mcpserver-00000001.jsonl',
    'session-key',
    'workflow-00000001.jsonl',
  ]);
  await start();
  expect(await reasons('made')).toContain('MCPServerDeleted');
  expect(await reasons('late')).toContain('MCPServerUpdated');
});

it('continues in memory when the state cannot be written, and warns once of each kind of state', async () => {
  const other = testDirectory();
  other.server('box', fixture('workflow'));
  // A file in place of the directory fails for every user, root included.
  writeFileSync(join(other.path, 'state'), 'mine');
  mkdirSync(join(other.path, 'workflows'));
  const running = await startGateway(other.path);
  const reader = await connect(running.url);
  const answer = await callTool(reader, 'core_events', {});
  expect(textOf(answer)).toContain('MCPServerStarted');
  const warned = running.logs().filter(({ stateDirectory }) => stateDirectory !== undefined);
  expect(warned.map(({ msg }) => msg)).toEqual([
    'the state directory cannot be used: it is not a directory; events and declared tools stay in memory',
    'the session key in the state directory cannot be used: it cannot be read: ENOTDIR; sessions end with this process',
  ]);
  expect(readFileSync(join(other.path, 'state'), 'utf8')).toBe('mine');
});
