import { describe, expect, it } from 'vitest';
import { ask, callTool, refusalOf, textOf, toolNames } from './harness/answers.ts';
import { connect, STDIO_CLIENTS } from './harness/clients.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway, stdioCommand, type RunningGateway } from './harness/gateway.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';
import { rawCall, rawSession } from './harness/raw-http.ts';

// The rules are proven in toolset-grammar, preset-resolver and meta-tools; here, that the gateway applies them to a request.
const directory = testDirectory();
let gateway: RunningGateway;

setUp(async () => {
  directory.config({
    toolsetPresets: {
      echoes: {
        description: 'Harmless tools',
        include: [{ label: 'team=a' }, { pattern: 'core_*_list' }],
        exclude: [{ pattern: 'x_one_[^ep]*' }],
      },
    },
  });
  directory.server('one', fixture('plain'), { team: 'a' });
  directory.server('two', fixture('watched'));
  gateway = await startGateway(directory.path);
});

const header = (...values: readonly string[]) =>
  values.map((value) => ['x-gateway-TOOLSET', value] as const);

describe('the header', () => {
  it('narrows the catalog, and names outside are refused', async () => {
    const client = await connect(gateway.url, { 'X-Gateway-Toolset': 'preset:echoes' });
    expect(await toolNames(client)).toEqual([
      'x_one_echo',
      'x_one_pid',
      'x_one_progress',
      'x_one_everything',
      'core_service_list',
      'core_mcpserver_list',
      'core_workflow_list',
      'core_workflow_execution_list',
    ]);
    expect(textOf(await callTool(client, 'x_one_echo', { text: 'in' }))).toBe('in');
    expect(await refusalOf(client, 'call_tool', { name: 'x_two_followed' })).toBe(
      'tool "x_two_followed" is outside the toolset [preset:echoes]',
    );
    expect(await refusalOf(client, 'get_resource', { uri: 'watched://clock' })).toBe(
      'resource "watched://clock" is outside the toolset [preset:echoes]',
    );
    const toolset = ['tool:x_one_pid', 'server:two'];
    expect(await ask(client, 'filter_tools', { toolset })).toMatchObject({
      total: 1,
      tools: [{ name: 'x_one_pid' }],
      toolset_unmatched: ['server:two'],
      presets: [{}, {}, {}, { name: 'echoes', description: 'Harmless tools' }],
    });
    await client.close();
  });

  it('is read from all its lines, in any case, and refused as a whole', async () => {
    const list = (...values: readonly string[]) =>
      rawCall(gateway.url, { name: 'list_tools' }, header(...values));
    const { text } = await list('\ttool:x_one_pid \t', 'tool:core_config_get, tool:x_one_echo');
    const { tools } = JSON.parse(text) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['x_one_echo', 'x_one_pid', 'core_config_get']);
    expect(await list('server:one', '')).toEqual({
      text: 'toolset [server:one,] selector "" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
      isError: true,
    });
    expect(await list(' \t ')).toEqual({
      text: 'toolset [] is empty; use "preset:none" for an agent without tools',
      isError: true,
    });
    expect(await list('preset:foo')).toEqual({
      text: 'toolset [preset:foo] names unknown preset "foo"; known presets: read-only, none, full, echoes',
      isError: true,
    });
  });

  it('decides for its request alone, also of concurrent requests of one session', async () => {
    const session = ['Mcp-Session-Id', await rawSession(gateway.url)] as const;
    const namesUnder = async (...toolset: readonly string[]) => {
      const lines = [session, ...header(...toolset)];
      const { text } = await rawCall(gateway.url, { name: 'list_tools' }, lines);
      const { tools } = JSON.parse(text) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    };
    const rounds = Array.from({ length: 20 }, () =>
      Promise.all([namesUnder('tool:x_one_echo'), namesUnder('preset:none'), namesUnder()]),
    );
    for (const [one, none, all] of await Promise.all(rounds)) {
      expect([one, none]).toEqual([['x_one_echo'], []]);
      expect(all).toHaveLength(40);
    }
  });
});

describe('gateway stdio --toolset', () => {
  const open = STDIO_CLIENTS['generation 2, 2025 era'];

  it('narrows every request of the client', async () => {
    const client = await open(stdioCommand(directory.path, ['--toolset', 'tool:core_config_get']));
    expect(await toolNames(client)).toEqual(['core_config_get']);
    await client.close();
  });
});

describe('the log', () => {
  const refusals = () =>
    gateway.logs().filter(({ msg }) => String(msg).startsWith('call_tool refused'));

  it('has one line at info for a refused call, with the tool, the toolset and the session', async () => {
    const before = refusals().length;
    const client = await connect(gateway.url, { 'X-Gateway-Toolset': 'server:two' });
    const args = { text: 'a-secret-argument' };
    await refusalOf(client, 'call_tool', { name: 'x_one_echo', arguments: args });
    await refusalOf(client, 'describe_tool', { name: 'x_one_echo' });
    await callTool(client, 'x_two_followed');
    await client.close();
    expect(refusals().slice(before)).toMatchObject([
      {
        level: 'info',
        msg: 'call_tool refused: tool "x_one_echo" is outside the toolset [server:two]',
        tool: 'x_one_echo',
        toolset: '[server:two]',
        session: expect.stringMatching(/^.{8}\.\.\.$/u) as string,
      },
    ]);
    expect(gateway.stderr.join('\n')).not.toContain('a-secret-argument');
  });
});
