import { createTestConfigDirectory } from '@gateway/repo-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, callTool, refusalOf, textOf, toolNames } from './harness/answers.ts';
import { connect, type TestClient } from './harness/clients.ts';
import { exampleServers, type ExampleServers } from './harness/example-servers.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';

const directory = createTestConfigDirectory();
let servers: ExampleServers;
let gateway: RunningGateway;

beforeAll(async () => {
  servers = await exampleServers(directory);
  gateway = await startGateway(directory.path);
});

afterAll(async () => {
  await gateway.stop();
  await servers.stop();
  directory.remove();
});

async function under<T>(toolset: string, use: (client: TestClient) => Promise<T>): Promise<T> {
  const client = await connect(gateway.url, { 'X-Gateway-Toolset': toolset });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const FILES = [
  'x_files_read_file',
  'x_files_read_text_file',
  'x_files_read_media_file',
  'x_files_read_multiple_files',
  'x_files_write_file',
  'x_files_edit_file',
  'x_files_create_directory',
  'x_files_list_directory',
  'x_files_list_directory_with_sizes',
  'x_files_directory_tree',
  'x_files_move_file',
  'x_files_search_files',
  'x_files_get_file_info',
  'x_files_list_allowed_directories',
];

const MEMORY = [
  'x_memory_add_observations',
  'x_memory_create_entities',
  'x_memory_create_relations',
  'x_memory_delete_entities',
  'x_memory_delete_observations',
  'x_memory_delete_relations',
  'x_memory_open_nodes',
  'x_memory_read_graph',
  'x_memory_search_nodes',
];

const NOTES = MEMORY.filter((name) => !name.includes('_delete_'));
const CORE_LISTS = [
  'core_service_list',
  'core_mcpserver_list',
  'core_workflow_list',
  'core_workflow_execution_list',
];

const SELECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['tool:x_files_read_file', ['x_files_read_file']],
  ['tool:core_service_list', ['core_service_list']],
  ['server:files', FILES],
  ['server:memory', MEMORY],
  ['server:memory-home', MEMORY],
  ['workflow:digest', []],
  ['server:nowhere', []],
  ['preset:none', []],
  ['preset:demo', ['x_everything_echo', 'x_everything_get-sum']],
  ['preset:notes', NOTES],
  ['preset:files', FILES],
  ['preset:labelled', FILES],
  ['preset:observe', ['x_memory_open_nodes', 'x_memory_read_graph', 'x_memory_search_nodes']],
  ['preset:digest', []],
  ['preset:assistant', [...FILES, ...NOTES, ...CORE_LISTS]],
  [
    'tool:x_files_read_file, preset:demo, server:files',
    ['x_everything_echo', 'x_everything_get-sum', ...FILES],
  ],
];

describe('a header selects', () => {
  it.each(SELECTIONS)('%s', async (toolset, names) => {
    expect(await under(toolset, toolNames)).toEqual(names);
  });

  it('preset:full: what a request without the header sees', async () => {
    const client = await connect(gateway.url);
    const all = await toolNames(client);
    await client.close();
    expect(all).toHaveLength(87);
    expect(await under('preset:full', toolNames)).toEqual(all);
  });

  it('preset:read-only: what is annotated so, read-only core tools included', async () => {
    const names = await under('preset:read-only', toolNames);
    expect(names.filter((name) => name.startsWith('core_'))).toEqual([
      'core_service_list',
      'core_service_status',
      'core_config_get',
      'core_config_get_aggregator',
      'core_auth_login',
      'core_mcpserver_list',
      'core_mcpserver_get',
      'core_mcpserver_validate',
      'core_mcpserver_detect',
      'core_workflow_list',
      'core_workflow_get',
      'core_workflow_available',
      'core_workflow_validate',
      'core_workflow_execution_list',
      'core_workflow_execution_get',
      'core_events',
    ]);
    expect(names).toContain('x_files_read_file');
    expect(names).not.toContain('x_files_write_file');
    expect(names).toContain('x_memory_read_graph');
    expect(names).not.toContain('x_memory_create_entities');
  });
});

describe('names outside the toolset', () => {
  it('are refused by describe_tool and call_tool', async () => {
    await under('preset:demo', async (client) => {
      const text = 'tool "x_files_write_file" is outside the toolset [preset:demo]';
      const name = 'x_files_write_file';
      expect(await refusalOf(client, 'describe_tool', { name })).toBe(text);
      expect(await refusalOf(client, 'call_tool', { name })).toBe(text);
      expect(textOf(await callTool(client, 'x_everything_echo', { message: 'in' }))).toBe(
        'Echo: in',
      );
    });
  });

  it('that exist nowhere: describe_tool does not find them, call_tool refuses them', async () => {
    await under('preset:demo,server:files', async (client) => {
      const name = 'x_nothing';
      expect(await refusalOf(client, 'describe_tool', { name })).toBe('Tool not found: x_nothing');
      expect(await refusalOf(client, 'call_tool', { name })).toBe(
        'tool "x_nothing" is outside the toolset [preset:demo,server:files]',
      );
    });
  });

  it('are quoted, for any characters', async () => {
    await under('preset:none', async (client) => {
      expect(await refusalOf(client, 'call_tool', { name: 'a"b\n__proto__' })).toBe(
        'tool "a\\"b\\n__proto__" is outside the toolset [preset:none]',
      );
    });
  });

  it('cover the core tools: list_core_tools lists what is inside', async () => {
    await under('tool:core_config_get,server:files', async (client) => {
      expect(await ask(client, 'list_core_tools')).toMatchObject({
        total: 1,
        tools: [{ name: 'core_config_get' }],
      });
      expect(
        await refusalOf(client, 'call_tool', {
          name: 'core_service_stop',
          arguments: { name: 'files' },
        }),
      ).toBe('tool "core_service_stop" is outside the toolset [tool:core_config_get,server:files]');
    });
  });
});

const DOCUMENT = 'demo://resource/static/document/architecture.md';

describe('resources and prompts', () => {
  it('of servers outside the toolset are hidden and refused', async () => {
    await under('preset:notes', async (client) => {
      expect(await ask(client, 'list_resources')).not.toContainEqual(
        expect.objectContaining({ uri: DOCUMENT }),
      );
      expect(await ask(client, 'filter_resources', { pattern: DOCUMENT })).toMatchObject({
        total: 0,
      });
      expect(await ask(client, 'list_prompts')).toEqual([]);
      expect(await ask(client, 'filter_prompts')).toMatchObject({ total_prompts: 0, prompts: [] });
      const resource = `resource "${DOCUMENT}" is outside the toolset [preset:notes]`;
      for (const name of ['describe_resource', 'get_resource'])
        expect(await refusalOf(client, name, { uri: DOCUMENT })).toBe(resource);
      const uri = 'demo://resource/dynamic/text/1';
      expect(await refusalOf(client, 'get_resource', { uri, server: 'everything' })).toBe(
        `resource "${uri}" is outside the toolset [preset:notes]`,
      );
      const prompt = 'prompt "x_everything_simple-prompt" is outside the toolset [preset:notes]';
      for (const name of ['describe_prompt', 'get_prompt'])
        expect(await refusalOf(client, name, { name: 'x_everything_simple-prompt' })).toBe(prompt);
    });
  });

  it('of a server are inside when one of its tools is selected, and then need no server argument', async () => {
    await under('tool:x_everything_echo', async (client) => {
      expect(await ask(client, 'filter_resources', { pattern: DOCUMENT })).toMatchObject({
        total: 1,
        resources: [{ server: 'everything' }],
      });
      expect(await ask(client, 'get_resource', { uri: DOCUMENT })).toMatchObject([
        { uri: DOCUMENT },
      ]);
      expect(await ask(client, 'get_prompt', { name: 'x_everything_simple-prompt' })).toEqual([
        {
          role: 'user',
          content: { type: 'text', text: 'This is a simple prompt without arguments.' },
        },
      ]);
      expect(await refusalOf(client, 'get_prompt', { name: 'x_remote_simple-prompt' })).toBe(
        'prompt "x_remote_simple-prompt" is outside the toolset [tool:x_everything_echo]',
      );
    });
  });
});

describe('the toolset argument of filter_tools', () => {
  it('narrows the answer, echoes the selectors and lists the presets', async () => {
    const client = await connect(gateway.url);
    expect(await ask(client, 'filter_tools', { toolset: [' preset:demo '] })).toMatchObject({
      total_tools: 87,
      total: 2,
      tools: [{ name: 'x_everything_echo' }, { name: 'x_everything_get-sum' }],
      toolset: ['preset:demo'],
      presets: [
        {
          name: 'read-only',
          description:
            'Every tool its server annotates read-only, plus every workflow whose step tools are all read-only',
          built_in: true,
        },
        { name: 'none', description: 'No tools', built_in: true },
        {
          name: 'full',
          description: "The whole catalogue, including the gateway's core tools",
          built_in: true,
        },
        { name: 'assistant', description: '', built_in: false },
        { name: 'demo', description: 'Two harmless tools of the test server', built_in: false },
        { name: 'digest', description: '', built_in: false },
        { name: 'files', description: '', built_in: false },
        { name: 'labelled', description: '', built_in: false },
        {
          name: 'notes',
          description: 'The knowledge graphs, without the tools that delete',
          built_in: false,
        },
        { name: 'observe', description: '', built_in: false },
      ],
    });
    await client.close();
  });

  it('reports the selectors that matched nothing, except preset:none', async () => {
    const client = await connect(gateway.url);
    const toolset = [
      'server:nowhere',
      'preset:none',
      'tool:x_everything_echo',
      'preset:digest',
      'workflow:digest',
    ];
    expect(await ask(client, 'filter_tools', { toolset })).toMatchObject({
      toolset,
      toolset_unmatched: ['server:nowhere', 'preset:digest', 'workflow:digest'],
    });
    const matched = await ask(client, 'filter_tools', { toolset: ['preset:demo', 'preset:none'] });
    expect(matched).not.toHaveProperty('toolset_unmatched');
    await client.close();
  });

  it('resolves within the header and never widens it', async () => {
    await under('server:files,preset:demo', async (client) => {
      const toolset = ['tool:x_files_read_file', 'server:memory'];
      expect(await ask(client, 'filter_tools', { toolset })).toMatchObject({
        total_tools: 16,
        total: 1,
        tools: [{ name: 'x_files_read_file' }],
        toolset,
        toolset_unmatched: ['server:memory'],
      });
      expect(await ask(client, 'filter_tools', { toolset: ['preset:full'] })).toMatchObject({
        total: 16,
      });
    });
  });

  it('include_presets lists the presets without narrowing', async () => {
    await under('preset:demo', async (client) => {
      const answer = await ask(client, 'filter_tools', { include_presets: true, limit: 1 });
      expect(answer).toMatchObject({ total: 2, presets: expect.any(Array) as unknown[] });
      expect(answer).not.toHaveProperty('toolset');
      const plain = await ask(client, 'filter_tools', {});
      expect(plain).not.toHaveProperty('presets');
    });
  });
});

describe('the log', () => {
  const refusals = () =>
    gateway.logs().filter(({ msg }) => String(msg).startsWith('call_tool refused'));

  it('has one line at info for a refused call, with the tool, the toolset and the session', async () => {
    const before = refusals().length;
    await under('server:files', async (client) => {
      await refusalOf(client, 'call_tool', {
        name: 'x_everything_echo',
        arguments: { message: 'a-secret-argument' },
      });
      await refusalOf(client, 'describe_tool', { name: 'x_everything_echo' });
      await callTool(client, 'x_files_list_allowed_directories');
    });
    expect(refusals().slice(before)).toMatchObject([
      {
        level: 'info',
        msg: 'call_tool refused: tool "x_everything_echo" is outside the toolset [server:files]',
        tool: 'x_everything_echo',
        toolset: '[server:files]',
        session: expect.stringMatching(/^.{8}\.\.\.$/u) as string,
      },
    ]);
  });

  it('never holds header values, tokens or arguments', async () => {
    const client = await connect(gateway.url, {
      Authorization: 'Bearer token-of-the-caller',
      Cookie: 'sid=cookie-of-the-caller',
      'X-Anything': 'header-of-the-caller',
      'X-Gateway-Toolset': 'server:everything',
    });
    await callTool(client, 'x_everything_echo', { message: 'argument-of-the-caller' });
    await callTool(client, 'x_everything_get-sum', { a: 'argument-of-the-caller' });
    await callTool(client, 'x_files_read_file', { path: 'argument-of-the-caller' });
    await client.close();
    expect(gateway.stderr.join('\n')).toContain('x_files_read_file');
    expect(gateway.stderr.join('\n')).not.toMatch(/-of-the-caller|a-secret-argument/u);
  });
});
