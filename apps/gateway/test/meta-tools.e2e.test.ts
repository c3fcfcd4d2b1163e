import { retryAssertion } from '@gateway/repo-checks';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, callTool, serverInfo, textOf, toolNames } from './harness/answers.ts';
import { HTTP_CLIENTS, STDIO_CLIENTS, type TestClient } from './harness/clients.ts';
import { exampleServers } from './harness/example-servers.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway, stdioCommand, type RunningGateway } from './harness/gateway.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';

const directory = testDirectory();
/** One small server, for the clients that do not prove every meta-tool. */
const small = testDirectory();
let gateway: RunningGateway;

setUp(async () => {
  await exampleServers(directory);
  for (const { server } of [directory, small]) server('probe', fixture('plain'));
  gateway = await startGateway(directory.path);
});

/** Both transports, each with a client of another era, show every meta-tool. */
const FULLY_PROVEN = ['HTTP, generation 2, 2025 era', 'stdio, generation 2, 2026-07-28'];

const isFullyProven = ([name]: readonly [string, unknown]): boolean => FULLY_PROVEN.includes(name);

const CLIENTS: readonly (readonly [string, () => Promise<TestClient>])[] = [
  ...Object.entries(HTTP_CLIENTS).map(
    ([name, open]) => [`HTTP, ${name}`, () => open(gateway.url)] as const,
  ),
  // The clients of the SDKs over stdio are those of `long/bridge.e2e.test.ts`; two of them are enough here.
  ...Object.entries(STDIO_CLIENTS)
    .filter(([name]) => name !== 'generation 2, 2025 era')
    .map(([name, open]) => {
      const title = `stdio, ${name}`;
      const { path } = isFullyProven([title, open]) ? directory : small;
      return [title, () => open(stdioCommand(path))] as const;
    }),
];

const META_TOOLS = [
  'list_tools',
  'filter_tools',
  'describe_tool',
  'list_core_tools',
  'call_tool',
  'list_resources',
  'filter_resources',
  'describe_resource',
  'get_resource',
  'list_prompts',
  'filter_prompts',
  'describe_prompt',
  'get_prompt',
];

const DOCUMENT = 'demo://resource/static/document/architecture.md';

interface Entry {
  readonly name: string;
  readonly server?: string;
  readonly [key: string]: unknown;
}

const untilServed = (client: TestClient): Promise<void> =>
  retryAssertion(async () => {
    // 17 + 17 tools of the test servers, 14 of files, 9 of the family, 8 of the probe, 30 of the gateway.
    expect(await toolNames(client)).toHaveLength(95);
    for (const name of ['memory-home', 'memory-work'])
      expect(await serverInfo(client, name)).toMatchObject({ state: 'Running' });
  });

describe.each(CLIENTS.filter((client) => !isFullyProven(client)))('over %s', (_name, open) => {
  it('the meta-tools are listed, find a tool and call it', async () => {
    const client = await open();
    expect((await client.listTools()).map(({ name }) => name)).toEqual(META_TOOLS);
    expect(await ask(client, 'filter_tools', { pattern: 'x_probe_*' })).toMatchObject({ total: 8 });
    expect(textOf(await callTool(client, 'x_probe_echo', { text: 'hi' }))).toBe('hi');
  });
});

describe.each(CLIENTS.filter(isFullyProven))('over %s', (clientName, open) => {
  let client: TestClient;

  beforeAll(async () => {
    client = await open();
    await untilServed(client);
  });

  it('tools/list shows the 13 meta-tools and nothing else', async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(META_TOOLS);
    expect(tools.filter(({ annotations }) => annotations?.['readOnlyHint'] !== true)).toMatchObject(
      [{ name: 'call_tool', annotations: { readOnlyHint: false, destructiveHint: true } }],
    );
  });

  it('list_tools lists every tool with its server, kind and the hints that its server set', async () => {
    const { tools } = await ask<{ tools: readonly Entry[] }>(client, 'list_tools', {
      limit: 1_000,
    });
    const entry = (name: string) => tools.find((tool) => tool.name === name);
    expect(entry('x_files_read_text_file')).toMatchObject({
      server: 'files',
      kind: 'tool',
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(entry('x_remote_echo')).toMatchObject({ server: 'everything-http', kind: 'tool' });
    expect(entry('x_memory_search_nodes')).toMatchObject({ server: 'memory', kind: 'tool' });
    expect(entry('x_probe_pid')).toEqual({
      name: 'x_probe_pid',
      description: 'The tool pid',
      server: 'probe',
      kind: 'tool',
    });
    expect(entry('core_service_stop')).toMatchObject({
      kind: 'core',
      annotations: { readOnlyHint: false, destructiveHint: true },
    });
    expect(entry('core_service_stop')).not.toHaveProperty('server');
  });
  it('a tool of a family has an instance argument, which names the member that is called', async () => {
    expect(await ask(client, 'describe_tool', { name: 'x_memory_search_nodes' })).toMatchObject({
      ...{ name: 'x_memory_search_nodes', server: 'memory', kind: 'tool' },
      annotations: { readOnlyHint: true },
      inputSchema: {
        properties: {
          query: { type: 'string' },
          graph: { type: 'string', enum: ['memory-home', 'memory-work'] },
        },
        required: ['query', 'graph'],
      },
    });
    const entity = { name: clientName, entityType: 'client', observations: ['was here'] };
    const create = { graph: 'memory-work', entities: [entity] };
    expect((await callTool(client, 'x_memory_create_entities', create))._meta).toMatchObject({
      'gateway.internal/tool': {
        name: 'x_memory_create_entities',
        server: 'memory-work',
        serverTool: 'create_entities',
      },
    });
    const search = async (graph: string) =>
      (await callTool(client, 'x_memory_search_nodes', { graph, query: clientName }))
        .structuredContent;
    expect(await search('memory-work')).toMatchObject({ entities: [entity] });
    expect(await search('memory-home')).toMatchObject({ entities: [] });
    expect(textOf(await callTool(client, 'x_memory_read_graph'))).toBe(
      'Tool execution failed: tool x_memory_read_graph is provided by a family on servers memory-home, memory-work; the "graph" parameter is required',
    );
  });
  it('call_tool passes content of every kind, structuredContent, isError, _meta and unknown keys through', async () => {
    expect(await callTool(client, 'x_probe_everything')).toMatchObject({
      content: [
        { type: 'text', text: 'one', annotations: { audience: ['user'], priority: 0.5 } },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav', _meta: { a: 1 } },
        { type: 'resource', resource: { uri: 'demo://a', mimeType: 'text/plain', text: 'x' } },
        { type: 'resource_link', uri: 'demo://b', name: 'b' },
      ],
      structuredContent: { nested: { deep: [1, null, 'é'] } },
      isError: true,
      _meta: {
        'vendor.example/key': { kept: true },
        'gateway.internal/tool': {
          name: 'x_probe_everything',
          server: 'probe',
          serverTool: 'everything',
        },
      },
      unknownKey: { kept: [true] },
    });
  });
  it('call_tool passes the progress of a tool on, unchanged', async () => {
    const reports: unknown[] = [];
    const onProgress = (report: unknown) => reports.push(report);
    await client.call('call_tool', { name: 'x_probe_progress' }, { onProgress });
    expect(reports).toMatchObject([
      { progress: 0.5 },
      { progress: 1, total: 3 },
      { progress: 3, total: 3, message: 'almost' },
    ]);
  });
  it('call_tool passes a cancellation on to the server', async () => {
    const cancelled = async () => {
      const { structuredContent } = await callTool(client, 'x_probe_cancelled');
      return (structuredContent as { cancelled: readonly string[] }).cancelled.length;
    };
    const before = await cancelled();
    const controller = new AbortController();
    const call = client.call(
      'call_tool',
      { name: 'x_probe_slow', arguments: { ms: 60_000 } },
      { signal: controller.signal },
    );
    setTimeout(() => {
      controller.abort();
    }, 100);
    await expect(call).rejects.toThrow();
    await retryAssertion(async () => expect(await cancelled()).toBe(before + 1));
  });

  it('call_tool passes the _meta of the request on to the server', async () => {
    const answer = await client.call(
      'call_tool',
      { name: 'x_probe_meta' },
      { meta: { 'vendor.example/trace': 'abc' } },
    );
    expect(answer.structuredContent).toEqual({ meta: { 'vendor.example/trace': 'abc' } });
  });

  it('list_resources lists resources and templates with their servers', async () => {
    const resources = await ask<readonly { uri?: string; uriTemplate?: string; server: string }[]>(
      client,
      'list_resources',
    );
    expect(resources.filter(({ uri }) => uri === DOCUMENT).map(({ server }) => server)).toEqual([
      'everything',
      'everything-http',
    ]);
    const templates = ['text', 'blob'].map(
      (kind) => `demo://resource/dynamic/${kind}/{resourceId}`,
    );
    for (const name of ['everything', 'everything-http'])
      expect(
        resources.flatMap(({ uriTemplate = [], server }) => (server === name ? uriTemplate : [])),
      ).toEqual(templates);
  });
  it('get_resource reads texts, binaries and what templates stand for', async () => {
    const read = (uri: string, server: string) => ask(client, 'get_resource', { uri, server });
    expect(await read(DOCUMENT, 'everything-http')).toMatchObject([
      { uri: DOCUMENT, mimeType: 'text/markdown' },
    ]);
    const text = expect.stringMatching(/^Resource 7:/u) as string;
    for (const [uri, content] of [
      ['demo://resource/dynamic/text/7', { text }],
      ['demo://resource/dynamic/blob/7', { blob: expect.any(String) as string }],
    ] as const)
      expect(await read(uri, 'everything')).toMatchObject([{ uri, ...content }]);
  });
  it('get_prompt gets the messages of a prompt', async () => {
    const args = { name: 'x_remote_args-prompt', arguments: { city: 'Bern', state: 'BE' } };
    expect(await ask(client, 'get_prompt', args)).toEqual([
      { role: 'user', content: { type: 'text', text: "What's weather in Bern, BE?" } },
    ]);
  });
});
