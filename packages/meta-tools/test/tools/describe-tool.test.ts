import { describe, expect, it } from 'vitest';
import type { Caller, JsonObject } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { catalogInput } from '../catalog-input.ts';
import { serverOf } from '../native/native-harness.ts';
import { requirement } from '../requirement.ts';
import { toAnswer, harnessOf, refusalOf, type Asked } from '../harness.ts';

requirement('4.2/describe-tool', () => {
  it('shows a tool of the toolset', async () => {
    const header = 'preset:read-only';
    expect(await toAnswer('describe_tool', { name: 'x_wiki_search' }, { header })).toMatchObject({
      name: 'x_wiki_search',
      server: 'wiki',
    });
  });
});

requirement('4.2/describe-tool-outside', () => {
  it('answers that a tool which the toolset excludes is outside', async () => {
    const header = 'server:files, tool:core_service_list';
    expect(await refusalOf('describe_tool', { name: 'x_wiki_search' }, { header })).toBe(
      'tool "x_wiki_search" is outside the toolset [server:files,tool:core_service_list]',
    );
  });
});

requirement('4.2/describe-tool-unknown', () => {
  it('answers Tool not found with and without a toolset', async () => {
    expect(await refusalOf('describe_tool', { name: 'x_none' })).toBe('Tool not found: x_none');
    expect(await refusalOf('describe_tool', { name: 'x_none' }, { header: 'preset:none' })).toBe(
      'Tool not found: x_none',
    );
  });
});

requirement('7.2/unknown-tool', () => {
  it.each(['__proto__', 'constructor', 'X_files_read_file', 'read_file', '🦊'])(
    'does not find %j',
    async (name) => {
      expect(await refusalOf('describe_tool', { name })).toBe(`Tool not found: ${name}`);
    },
  );
});

describe('describe_tool', () => {
  it('shows everything there is of a tool', async () => {
    expect(await toAnswer('describe_tool', { name: 'x_files_read_file' })).toEqual({
      name: 'x_files_read_file',
      title: 'Read file',
      description: 'Read a file\nReads all of it.',
      server: 'files',
      kind: 'tool',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
      },
      outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    });
  });

  it('shows the hint of a workflow that follows from its tools, and none where they write', async () => {
    expect(await toAnswer('describe_tool', { name: 'workflow_report' })).toMatchObject({
      annotations: { readOnlyHint: true },
    });
    expect(await toAnswer('describe_tool', { name: 'workflow_deploy' })).not.toHaveProperty(
      'annotations',
    );
  });

  it('shows the output schema that matches the results that the caller gets', async () => {
    const outputSchema = { type: 'array', items: { type: 'string' } };
    const tools = [{ name: 'list', inputSchema: { type: 'object' }, outputSchema }];
    const snapshot = buildCatalog({ ...catalogInput, servers: [serverOf('a', [], { tools })] });
    const harness = harnessOf({ snapshotOf: () => snapshot });
    const shownTo = async (asked: Asked): Promise<unknown> => {
      const shown = await toAnswer('describe_tool', { name: 'x_a_list' }, { ...asked, harness });
      return (shown as JsonObject)['outputSchema'];
    };
    const caller = (takesInputRequired: boolean): Caller => ({
      capabilities: {},
      takesInputRequired,
      logLevel: undefined,
      identity: {},
      ask: () => Promise.resolve({ ok: true, result: {} }),
      notify: () => undefined,
    });
    expect(await shownTo({ caller: caller(false) })).toEqual({
      type: 'object',
      properties: { result: outputSchema },
      required: ['result'],
    });
    expect(await shownTo({ caller: caller(true) })).toEqual(outputSchema);
    expect(await shownTo({})).toEqual(outputSchema);
  });

  it('shows the instance argument of a family tool', async () => {
    expect(await toAnswer('describe_tool', { name: 'x_k8s_pods' })).toMatchObject({
      server: 'k8s',
      inputSchema: {
        properties: { cluster: { enum: ['dev', 'prod'] } },
        required: ['namespace', 'cluster'],
      },
    });
  });

  it('shows the derived hint of a workflow and leaves absent ones out', async () => {
    expect(await toAnswer('describe_tool', { name: 'workflow_report' })).toMatchObject({
      kind: 'workflow',
      annotations: { readOnlyHint: true },
    });
    const deploy = await toAnswer('describe_tool', { name: 'workflow_deploy' });
    expect(Object.keys(deploy as object)).toEqual([
      'name',
      'description',
      'labels',
      'kind',
      'inputSchema',
    ]);
  });

  it('shows an empty description as such', async () => {
    expect(await toAnswer('describe_tool', { name: 'x_wiki_edit' })).toMatchObject({
      description: '',
    });
  });

  it('requires a name', async () => {
    expect(await refusalOf('describe_tool')).toBe('name argument is required');
    expect(await refusalOf('describe_tool', { name: '' })).toBe('name argument is required');
    expect(await refusalOf('describe_tool', { name: ['x'] })).toBe('name must be a string');
  });
});
