import { describe, expect, it } from 'vitest';
import { buildCatalog } from '@gateway/catalog';
import { catalogInput } from '../catalog-input.ts';
import { serverOf } from '../native/native-harness.ts';
import { requirement } from '../requirement.ts';
import { callerOf, outside, under, type Asked } from '../harness.ts';

const { describe: shown, refusal } = under();
const refused = (name: unknown, header?: string): Promise<string> =>
  under(header).refusal('describe_tool', { name });

requirement('4.2/describe-tool', () => {
  it('shows a tool of the toolset', async () => {
    const tool = { name: 'x_wiki_search', server: 'wiki' };
    expect(await under('preset:read-only').describe('x_wiki_search')).toMatchObject(tool);
  });
});

requirement('4.2/describe-tool-outside', () => {
  it('answers that a tool which the toolset excludes is outside', async () => {
    expect(await refused('x_wiki_search', 'server:files, tool:core_service_list')).toBe(
      outside('tool "x_wiki_search"', 'server:files,tool:core_service_list'),
    );
  });
});

requirement('4.2/describe-tool-unknown', () => {
  it('answers Tool not found with and without a toolset', async () => {
    for (const header of [undefined, 'preset:none'])
      expect(await refused('x_none', header)).toBe('Tool not found: x_none');
  });
});

requirement('7.2/unknown-tool', () => {
  it.each(['__proto__', 'constructor', 'X_files_read_file', 'read_file', '🦊'])(
    'does not find %j',
    async (name) => {
      expect(await refused(name)).toBe(`Tool not found: ${name}`);
    },
  );
});

describe('describe_tool', () => {
  it('shows everything there is of a tool', async () => {
    const path = { type: 'string' };
    expect(await shown('x_files_read_file')).toEqual({
      name: 'x_files_read_file',
      title: 'Read file',
      server: 'files',
      kind: 'tool',
      description: 'Read a file\nReads all of it.',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { path }, required: ['path'] },
      outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    });
  });

  it('shows the hint of a workflow that follows from its tools, and leaves absent fields out', async () => {
    const report = { kind: 'workflow', annotations: { readOnlyHint: true } };
    expect(await shown('workflow_report')).toMatchObject(report);
    expect(Object.keys((await shown('workflow_deploy')) as object)).toEqual([
      ...['name', 'description', 'labels', 'kind', 'inputSchema'],
    ]);
  });

  it('names what the resource of the server changed', async () => {
    const { servers, ...others } = catalogInput;
    const changed = ['description', 'defaults.path'];
    const changedServers = servers.map((server) => ({
      ...server,
      tools: server.tools.map((tool) => ({ ...tool, changed })),
    }));
    const snapshot = buildCatalog({ ...others, servers: changedServers });
    const changedTools = under(undefined, { snapshotOf: () => snapshot });
    expect(await changedTools.describe('x_files_read_file')).toMatchObject({ changed });
    expect(await shown('x_files_read_file')).not.toHaveProperty('changed');
  });

  it('shows the output schema that matches the results that the caller gets', async () => {
    const outputSchema = { type: 'array', items: { type: 'string' } };
    const tools = [{ name: 'list', inputSchema: { type: 'object' }, outputSchema }];
    const snapshot = buildCatalog({ ...catalogInput, servers: [serverOf('a', [], { tools })] });
    const shownTo = (more: Asked) =>
      under(undefined, { snapshotOf: () => snapshot }, more).describe('x_a_list');
    const properties = { result: outputSchema };
    const wrapped = { type: 'object', properties, required: ['result'] };
    expect(await shownTo({ caller: callerOf(false) })).toMatchObject({ outputSchema: wrapped });
    for (const more of [{ caller: callerOf(true) }, {}])
      expect(await shownTo(more)).toMatchObject({ outputSchema });
  });

  it('shows the instance argument of a family tool', async () => {
    const properties = { cluster: { enum: ['dev', 'prod'] } };
    const inputSchema = { properties, required: ['namespace', 'cluster'] };
    expect(await shown('x_k8s_pods')).toMatchObject({ server: 'k8s', inputSchema });
  });

  it('shows an empty description as such', async () => {
    expect(await shown('x_wiki_edit')).toMatchObject({ description: '' });
  });

  it('requires a name', async () => {
    expect(await refusal('describe_tool')).toBe('name argument is required');
    expect(await refused('')).toBe('name argument is required');
    expect(await refused(['x'])).toBe('name must be a string');
  });
});

describe('a core tool that the caller may not call', () => {
  const refusal = 'it needs the scope mcp:admin';
  const coreTools = catalogInput.coreTools.filter(({ name }) => name !== 'core_service_stop');
  const reader = buildCatalog({ ...catalogInput, coreTools });
  const withheld = { catalog: buildCatalog(catalogInput), findRefusal: () => refusal };
  const parts = { snapshotOf: () => reader, withheld };

  it('is described with the reason, in no listing and no search', async () => {
    const asked = under(undefined, parts);
    expect(await asked.describe('core_service_stop')).toMatchObject({
      ...{ name: 'core_service_stop', available: false, refusal },
    });
    expect(await asked.refusal('describe_tool', { name: 'core_x' })).toBe('Tool not found: core_x');
    for (const tool of ['list_tools', 'list_core_tools', 'filter_tools'] as const)
      expect(JSON.stringify(await asked.answer(tool, {}))).not.toContain('core_service_stop');
  });

  it('is outside of a toolset that does not select it', async () => {
    const [inside, outsideOf] = ['tool:core_service_stop', 'server:files'].map((header) =>
      under(header, parts),
    );
    expect(await inside?.describe('core_service_stop')).toMatchObject({ refusal });
    expect(await outsideOf?.refusal('call_tool', { name: 'core_service_stop' })).toBe(
      outside('tool "core_service_stop"', 'server:files'),
    );
  });

  it('is passed to the gateway when it is called, which refuses it', async () => {
    const { call, calls } = under(undefined, parts);
    await call('core_service_stop');
    expect(calls()).toMatchObject([['callCoreTool', { name: 'core_service_stop' }]]);
  });
});
