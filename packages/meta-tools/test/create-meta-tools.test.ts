import { createPrincipal } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { requirement } from './requirement.ts';
import { toAnswer, listNames, refusalOf, resultOf, snapshot, harnessOf } from './harness.ts';

requirement('1.1/meta-tools', () => {
  it('shows the 13 in the order of the spec', () => {
    expect(harnessOf().metaTools.definitions.map(({ name }) => name)).toEqual([
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
    ]);
  });

  it.each(['list_servers', '__proto__', 'constructor', 'x_files_read_file', ''])(
    'has no meta-tool %j',
    async (name) => {
      expect(await refusalOf(name, {})).toBe(`Unknown meta-tool: ${name}`);
    },
  );
});

requirement('1.1/catalog-per-caller', () => {
  it("answers from the snapshot of the caller's principal, whatever the session", async () => {
    const small = buildCatalog({ ...catalogInput, servers: [], workflows: [] });
    const ada = createPrincipal({ issuer: 'https://issuer.example.com', subject: 'ada' });
    const harness = harnessOf({ snapshotOf: ({ key }) => (key === ada.key ? small : snapshot) });
    expect(listNames(await toAnswer('list_tools', {}, { harness }), 'tools')).toHaveLength(9);
    const other = await toAnswer('list_tools', {}, { harness, principal: ada });
    expect(listNames(other, 'tools')).toEqual(['core_service_list', 'core_service_stop']);
    expect(await toAnswer('list_prompts', {}, { harness, principal: ada })).toEqual([]);
  });
});

requirement('4.2/tools-list-unchanged', () => {
  it('shows the same definitions for every scope', async () => {
    const harness = harnessOf();
    const before = JSON.stringify(harness.metaTools.definitions);
    await resultOf('list_tools', {}, { header: 'preset:none', harness });
    expect(JSON.stringify(harness.metaTools.definitions)).toBe(before);
  });
});

describe('the definitions', () => {
  const { definitions } = harnessOf().metaTools;

  it('annotate truthfully: all read but call_tool', () => {
    expect(
      Object.fromEntries(
        definitions.map(({ name, annotations: a }) => [
          name,
          [a.readOnlyHint, a.destructiveHint, a.idempotentHint, a.openWorldHint],
        ]),
      ),
    ).toEqual({
      list_tools: [true, false, true, false],
      filter_tools: [true, false, true, false],
      describe_tool: [true, false, true, false],
      list_core_tools: [true, false, true, false],
      call_tool: [false, true, false, true],
      list_resources: [true, false, true, false],
      filter_resources: [true, false, true, false],
      describe_resource: [true, false, true, false],
      get_resource: [true, false, true, true],
      list_prompts: [true, false, true, false],
      filter_prompts: [true, false, true, false],
      describe_prompt: [true, false, true, false],
      get_prompt: [true, false, true, true],
    });
  });

  it('name the arguments of each and which are required', () => {
    expect(
      Object.fromEntries(
        definitions.map(({ name, inputSchema }) => [
          name,
          [
            Object.keys(inputSchema['properties'] as object).join(' '),
            ((inputSchema['required'] ?? []) as readonly string[]).join(' '),
          ],
        ]),
      ),
    ).toEqual({
      list_tools: ['limit offset summary', ''],
      filter_tools: [
        'query pattern description_filter labels case_sensitive include_schema limit offset toolset include_presets',
        '',
      ],
      describe_tool: ['name', 'name'],
      list_core_tools: ['include_schema', ''],
      call_tool: ['name arguments', 'name'],
      list_resources: ['', ''],
      filter_resources: ['pattern server case_sensitive limit offset', ''],
      describe_resource: ['uri server', 'uri'],
      get_resource: ['uri server', 'uri'],
      list_prompts: ['', ''],
      filter_prompts: ['pattern server case_sensitive limit offset', ''],
      describe_prompt: ['name', 'name'],
      get_prompt: ['name arguments', 'name'],
    });
  });

  it('cost a model little: under 8 KB for all 13', () => {
    expect(JSON.stringify(definitions).length).toBeLessThan(8000);
  });
});

describe('asking about the catalog', () => {
  it.each([
    ['list_tools', {}],
    ['filter_tools', { query: 'file', toolset: ['preset:full'], include_presets: true }],
    ['describe_tool', { name: 'x_files_read_file' }],
    ['list_core_tools', {}],
    ['list_resources', {}],
    ['filter_resources', { pattern: '*' }],
    ['describe_resource', { uri: 'file:///readme' }],
    ['list_prompts', {}],
    ['filter_prompts', {}],
    ['describe_prompt', { name: 'x_files_review' }],
  ])('%s looks the snapshot up once and calls nothing', async (name, args) => {
    for (const header of [undefined, 'preset:full', 'preset:nowhere', '']) {
      const harness = harnessOf();
      await resultOf(name, args, header === undefined ? { harness } : { harness, header });
      expect(harness.calls).toEqual([]);
      expect(harness.lookUps.snapshot).toBeLessThanOrEqual(1);
      expect(harness.lookUps.presets).toBeLessThanOrEqual(1);
      expect(harness.refusals).toEqual([]);
    }
  });
});
