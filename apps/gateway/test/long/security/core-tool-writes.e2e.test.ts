import { type ConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, callTool, textOf } from '../../harness/answers.ts';
import { connect, STDIO_CLIENTS, type TestClient } from '../../harness/clients.ts';
import { startGateway, stdioCommand } from '../../harness/gateway.ts';
import { testDirectory } from '../../harness/lifetime.ts';

/** A directory with a stopped server whose command would leave a file, and the path of this file. */
function directoryWithTrap(): { readonly directory: ConfigDirectory; readonly mark: string } {
  const directory = testDirectory();
  const mark = join(directory.path, 'mark');
  directory.server('dormant', { type: 'stdio', command: 'touch', args: [mark] });
  return { directory, mark };
}

/** Starts a gateway that listens on a host, and connects over the loopback address. */
async function gatewayAt(directory: ConfigDirectory, host: string, args: readonly string[] = []) {
  const gateway = await startGateway(directory.path, { args: ['--host', host, ...args] });
  const url = new URL(`http://127.0.0.1:${gateway.url.port}`);
  const client = await connect(url);
  return { gateway, url, client };
}

interface Listed {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/** Returns the core tools that are not read-only, except `core_auth_logout`, which changes nothing for other callers. */
async function writingTools(client: TestClient): Promise<readonly string[]> {
  const { tools } = await ask<{ tools: readonly Listed[] }>(client, 'filter_tools', {
    pattern: 'core_*',
    limit: 1000,
  });
  return tools
    .filter(({ annotations }) => annotations?.readOnlyHint !== true)
    .map(({ name }) => name)
    .filter((name) => name !== 'core_auth_logout');
}

/** Calls that would run a command or change the gateway for every caller. */
const attacks = (mark: string): readonly (readonly [string, Record<string, unknown>])[] => {
  const touch = { type: 'stdio', command: 'touch', args: [mark], autoStart: true };
  return [
    ['core_mcpserver_create', { name: 'intruder', ...touch }],
    ['core_mcpserver_update', { name: 'dormant', autoStart: true }],
    ['core_service_start', { name: 'dormant' }],
    ['core_service_restart', { name: 'dormant' }],
    ['core_config_update_aggregator', { aggregator: { toolsetPresets: { a: { include: [] } } } }],
    ['core_mcpserver_delete', { name: 'dormant' }],
    [
      'core_workflow_create',
      {
        name: 'plan',
        steps: [{ id: 'a', tool: 'core_mcpserver_create', args: { name: 'b', ...touch } }],
      },
    ],
  ];
};

const refusalOf = (tool: string): string =>
  `${tool} is refused because it changes the gateway; the operator can permit it with ${
    tool.startsWith('core_workflow_') ? '"coreTools.writes: workflows" or ' : ''
  }"coreTools.writes: all" in config.yaml`;

async function attack(client: TestClient, mark: string): Promise<void> {
  for (const [tool, args] of attacks(mark)) {
    const answer = await callTool(client, tool, args);
    expect([textOf(answer), answer.isError]).toEqual([refusalOf(tool), true]);
  }
}

/** Writes one workflow for each tool and calls all of them. Returns the answers. */
async function callInWorkflows(
  client: TestClient,
  directory: ConfigDirectory,
  tools: readonly string[],
): Promise<readonly string[]> {
  const named = tools.map((tool) => ({ tool, name: tool.replaceAll('_', '-') }));
  for (const { tool, name } of named)
    directory.workflow(name, { steps: [{ id: 'a', tool, args: { name: 'dormant' } }] });
  await retryAssertion(async () => {
    const { tools: found } = await ask<{ tools: readonly Listed[] }>(client, 'filter_tools', {
      pattern: 'workflow_core-*',
      limit: 1000,
    });
    expect(found).toHaveLength(named.length);
  });
  return Promise.all(
    named.map(async ({ name }) => textOf(await callTool(client, `workflow_${name}`))),
  );
}

describe('a gateway that other machines can reach', () => {
  it('runs no command for a caller through any path', async () => {
    const { directory, mark } = directoryWithTrap();
    const { gateway, client } = await gatewayAt(directory, '0.0.0.0');
    const tools = await writingTools(client);
    expect(tools).toHaveLength(13);

    for (const tool of tools) {
      expect(textOf(await callTool(client, tool))).toBe(refusalOf(tool));
      // The meta-tools are the only tools of `tools/call`.
      await expect(client.call(tool)).rejects.toThrow('Unknown tool');
    }
    await attack(client, mark);
    const answers = await callInWorkflows(client, directory, tools);
    tools.forEach((tool, index) => {
      expect(answers[index]).toContain(JSON.stringify(refusalOf(tool)).slice(1, -1));
    });

    const { mcpServers } = JSON.parse(
      textOf(await callTool(client, 'core_mcpserver_list', { showAll: true })),
    ) as { mcpServers: readonly { name: string; state: string }[] };
    expect(mcpServers).toMatchObject([{ name: 'dormant', state: 'Stopped' }]);
    expect(existsSync(mark)).toBe(false);
    const [warning] = gateway.logs().filter(({ level }) => level === 'warn');
    expect(warning).toMatchObject({
      host: '0.0.0.0',
      coreToolWrites: 'none',
      msg: 'listening on 0.0.0.0 without authentication: every client that reaches the port can call all tools; core tools that write are refused; set "auth.mode: resource-server" with "auth.issuers" to accept tokens of an authorization server, or "auth.mode: broker" with "auth.broker.upstream" to sign users in at an OpenID provider',
    });
  });

  it('permits definitions of workflows with coreTools.writes: workflows, whose steps stay refused', async () => {
    const { directory, mark } = directoryWithTrap();
    directory.config({ coreTools: { writes: 'workflows' } });
    const { client } = await gatewayAt(directory, '0.0.0.0');
    const [[tool, args] = ['', {}]] = attacks(mark);
    const steps = [{ id: 'a', tool, args }];
    const created = await callTool(client, 'core_workflow_create', { name: 'plan', steps });
    expect(created.isError ?? false, textOf(created)).toBe(false);
    await retryAssertion(async () =>
      expect(textOf(await callTool(client, 'workflow_plan'))).toContain('coreTools.writes: all'),
    );
    expect(existsSync(mark)).toBe(false);
  });

  it('runs the command with --core-tool-writes all, and warns of it', async () => {
    const { directory, mark } = directoryWithTrap();
    const all = ['--core-tool-writes', 'all'];
    const { gateway, client } = await gatewayAt(directory, '0.0.0.0', all);
    const [name = '', args = {}] = attacks(mark)[0] ?? [];
    await callTool(client, name, args);
    await retryAssertion(() => {
      expect(existsSync(mark)).toBe(true);
    });
    expect(gateway.logs().find(({ level }) => level === 'warn')).toMatchObject({
      coreToolWrites: 'all',
      msg: 'listening on 0.0.0.0 without authentication: every client that reaches the port can call all tools, and with "coreTools.writes: all" it can run commands as the user of the gateway; set "auth.mode: resource-server" with "auth.issuers" to accept tokens of an authorization server, or "auth.mode: broker" with "auth.broker.upstream" to sign users in at an OpenID provider',
    });
  });
});

describe('a gateway for this machine only', () => {
  it('runs it over stdio, and not with coreTools.writes: none', async () => {
    const { directory, mark } = directoryWithTrap();
    const open = (args: readonly string[]): Promise<TestClient> =>
      STDIO_CLIENTS['generation 2, 2025 era'](stdioCommand(directory.path, args));
    await attack(await open(['--core-tool-writes', 'none']), mark);
    expect(existsSync(mark)).toBe(false);
    await callTool(await open([]), 'core_service_start', { name: 'dormant' });
    await retryAssertion(() => {
      expect(existsSync(mark)).toBe(true);
    });
  });
});
