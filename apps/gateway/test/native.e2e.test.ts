import { retryAssertion } from '@gateway/repo-checks';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleServers } from './harness/example-servers.ts';
import { fixture } from './harness/fixture.ts';
import {
  APP,
  runGateway,
  startGateway,
  stdioCommand,
  type RunningGateway,
} from './harness/gateway.ts';
import { REPOSITORY } from './harness/example-copy.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';
import { codeBlocks } from './harness/markdown.ts';
import { startNode } from './harness/process.ts';
import { NATIVE_CLIENTS, openNativeStdio } from './harness/clients.ts';

const NATIVE = ['--expose', 'native'];
const directory = testDirectory();
let gateway: RunningGateway;

setUp(async () => {
  await exampleServers(directory);
  directory.server('watched', fixture('watched'));
  gateway = await startGateway(directory.path, { args: NATIVE });
});

const namesOf = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);

const FILES = [
  'read_file',
  'read_text_file',
  'read_media_file',
  'read_multiple_files',
  'write_file',
  'edit_file',
  'create_directory',
  'list_directory',
  'list_directory_with_sizes',
  'directory_tree',
  'move_file',
  'search_files',
  'get_file_info',
  'list_allowed_directories',
];

const MEMORY = [
  'add_observations',
  'create_entities',
  'create_relations',
  'delete_entities',
  'delete_observations',
  'delete_relations',
  'open_nodes',
  'read_graph',
  'search_nodes',
];

const ARCHITECTURE = 'demo://resource/static/document/architecture.md';

describe.each(Object.entries(NATIVE_CLIENTS))('in native mode, %s', (_name, connect) => {
  const using = async <T>(
    toolset: string | undefined,
    use: (client: Awaited<ReturnType<typeof connect>>) => Promise<T>,
  ): Promise<T> => {
    const headers = toolset === undefined ? {} : { 'X-Gateway-Toolset': toolset };
    return use(await connect(gateway.url, headers));
  };

  it('lists tools under their own names if unique, else under exposed names, without core tools', async () => {
    const tools = await using(undefined, async (client) => (await client.listTools()).tools);
    const names = namesOf(tools);
    expect(names).toEqual(expect.arrayContaining([...FILES, ...MEMORY, 'followed']));
    expect(names).toEqual(expect.arrayContaining(['x_everything_echo', 'x_remote_echo']));
    expect(names).not.toContain('echo');
    expect(names.filter((name) => name.startsWith('core_'))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(tools.find(({ name }) => name === 'read_graph')).toMatchObject({
      title: 'Read Graph',
      inputSchema: {
        properties: { graph: { enum: ['memory-home', 'memory-work'] } },
        required: ['graph'],
      },
      outputSchema: { type: 'object', required: ['entities', 'relations'] },
      annotations: { readOnlyHint: true },
    });
  });

  it('calls tools by either name and instances of a family, and refuses unknown names', async () => {
    await using(undefined, async (client) => {
      for (const name of ['list_allowed_directories', 'x_files_list_allowed_directories'])
        expect(JSON.stringify(await client.callTool({ name }))).toContain('sample');
      expect(
        await client.callTool({ name: 'x_remote_echo', arguments: { message: 'hi' } }),
      ).toMatchObject({ content: [{ type: 'text', text: 'Echo: hi' }] });
      expect(
        await client.callTool({ name: 'read_graph', arguments: { graph: 'memory-home' } }),
      ).toMatchObject({ structuredContent: { entities: [], relations: [] } });
      for (const name of ['nothing', 'core_service_list'])
        await expect(client.callTool({ name })).rejects.toMatchObject({
          code: -32602,
          message: expect.stringContaining(`Unknown tool: "${name}"`) as string,
        });
    });
  });

  it('lists and reads resources, of templates too, and gets and completes prompts', async () => {
    await using(undefined, async (client) => {
      const { resources } = await client.listResources();
      // Both test servers have it; one is enough.
      expect(resources.filter(({ uri }) => uri === ARCHITECTURE)).toHaveLength(1);
      expect(resources.find(({ uri }) => uri === ARCHITECTURE)).toMatchObject({
        name: 'architecture.md',
        mimeType: 'text/markdown',
      });
      expect(namesOf((await client.listResourceTemplates()).resourceTemplates)).toEqual([
        'Dynamic Text Resource',
        'Dynamic Blob Resource',
      ]);
      const uri = 'demo://resource/dynamic/text/3';
      expect((await client.readResource({ uri })).contents).toMatchObject([
        { uri, mimeType: 'text/plain' },
      ]);
      await expect(client.readResource({ uri: 'none://at-all' })).rejects.toMatchObject({
        message: expect.stringContaining('Resource not found: none://at-all') as string,
      });
      const name = 'x_everything_completable-prompt';
      expect(namesOf((await client.listPrompts()).prompts)).toContain(name);
      expect(await client.getPrompt({ name: 'x_remote_simple-prompt' })).toMatchObject({
        messages: [{ content: { text: 'This is a simple prompt without arguments.' } }],
      });
      const argument = { name: 'department', value: 'E' };
      expect(await client.complete({ ref: { type: 'ref/prompt', name }, argument })).toMatchObject({
        completion: { values: ['Engineering'] },
      });
    });
  });

  it('narrows all lists to the toolset, and refuses what is outside with the texts of the spec', async () => {
    await using('tool:x_files_read_file,server:memory', async (client) => {
      expect(namesOf((await client.listTools()).tools)).toEqual(['read_file', ...MEMORY]);
      expect(namesOf((await client.listResources()).resources)).toEqual(['knowledge-graph']);
      expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
      expect((await client.listPrompts()).prompts).toEqual([]);
      const toolset = '[tool:x_files_read_file,server:memory]';
      expect(await client.callTool({ name: 'write_file' })).toMatchObject({
        isError: true,
        content: [{ text: `tool "write_file" is outside the toolset ${toolset}` }],
      });
      await expect(client.readResource({ uri: ARCHITECTURE })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(
          `resource "${ARCHITECTURE}" is outside the toolset ${toolset}`,
        ) as string,
      });
      await expect(client.getPrompt({ name: 'x_remote_simple-prompt' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(
          `prompt "x_remote_simple-prompt" is outside the toolset ${toolset}`,
        ) as string,
      });
    });
    await using('preset:none', async (client) => {
      expect((await client.listTools()).tools).toEqual([]);
    });
  });
});

describe('a client of native mode', () => {
  const connect = NATIVE_CLIENTS['generation 1, 2025 era'];

  const listening = async (headers?: Record<string, string>) => {
    const client = await connect(gateway.url, headers);
    const heard: string[] = [];
    client.fallbackNotificationHandler = ({ method }) => {
      heard.push(method);
      return Promise.resolve();
    };
    return { client, heard };
  };

  it('is notified of changes of its own list only', async () => {
    const { client, heard } = await listening();
    const narrow = await listening({ 'X-Gateway-Toolset': 'server:files' });
    directory.server('late', fixture('plain'));
    await retryAssertion(() => {
      expect(heard).toContain('notifications/tools/list_changed');
    });
    expect(namesOf((await client.listTools()).tools)).toContain('slow');
    expect(namesOf((await narrow.client.listTools()).tools)).toEqual(FILES);
    expect(narrow.heard).toEqual([]);
  });

  it('lists and calls tools as the definition of their server changes them, at once', async () => {
    const toolOf = async (client: Awaited<ReturnType<typeof connect>>) =>
      (await client.listTools()).tools.find(({ name }) => name === 'followed');
    const { client, heard } = await listening();
    const before = await toolOf(client);
    const rule = { name: 'followed', title: 'Followed', annotations: { idempotentHint: true } };
    directory.server('watched', { ...fixture('watched'), tools: [rule] });
    await retryAssertion(() => {
      expect(heard).toContain('notifications/tools/list_changed');
    });
    const { name: _name, ...changes } = rule;
    expect(await toolOf(client)).toEqual({ ...before, ...changes });
    directory.server('watched', { ...fixture('watched'), tools: [{ ...rule, hidden: true }] });
    await retryAssertion(async () => {
      expect(await toolOf(client)).toBeUndefined();
    });
    directory.server('watched', fixture('watched'));
    await retryAssertion(async () => {
      expect(await toolOf(client)).toEqual(before);
    });
  });

  it('receives updates of a resource until it unsubscribes', async () => {
    const { client, heard } = await listening();
    const followed = async () => (await client.callTool({ name: 'followed' }))['content'];
    expect(await followed()).toEqual([{ type: 'text', text: 'false' }]);
    await client.subscribeResource({ uri: 'watched://clock' });
    await retryAssertion(() => {
      expect(heard).toContain('notifications/resources/updated');
    });
    await client.unsubscribeResource({ uri: 'watched://clock' });
    await retryAssertion(async () => {
      expect(await followed()).toEqual([{ type: 'text', text: 'false' }]);
    });
  });
});

it('the commands list servers and tools of a gateway in native mode, and call tools', async () => {
  const run = async (...args: readonly string[]) => {
    const { code, stdout } = await runGateway([...args, '--url', gateway.url.href]);
    expect(code).toBe(0);
    return stdout.join('\n');
  };
  expect(await run('servers', 'list', '--output', 'json')).toContain('"files"');
  expect(await run('tools', 'list', '--query', 'read file')).toContain('x_files_read_file');
  expect(await run('tools', 'call', 'x_files_list_allowed_directories')).toContain('sample');
});

it('gateway stdio --expose native lists the tools of the toolset from the first answer on', async () => {
  const own = testDirectory();
  own.server('one', fixture('plain'));
  own.server('two', fixture('watched'));
  const command = stdioCommand(own.path, [...NATIVE, '--toolset', 'server:two']);
  const client = await openNativeStdio(command);
  expect(namesOf((await client.listTools()).tools)).toEqual(['followed']);
  expect(namesOf((await client.listResources()).resources)).toEqual(['clock']);
});

it('docs/native-mode.md shows an example with the documented output', async () => {
  const page = 'docs/native-mode.md';
  const blocks = codeBlocks(page, readFileSync(join(REPOSITORY, page), 'utf8'));
  const example = blocks.find(({ language }) => language === 'js');
  const running = startNode(['--input-type=module', '--eval', example?.content ?? ''], {
    cwd: APP,
    env: { ...process.env, GATEWAY_URL: new URL('/mcp', gateway.url).href },
  });
  expect((await running.exited).code).toBe(0);
  expect(running.stdout.join('\n')).toBe(example?.next?.content.trimEnd());
});
