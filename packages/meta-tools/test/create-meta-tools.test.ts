import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createPrincipal, type Principal } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { requirement } from './requirement.ts';
import { harnessOf, snapshot, under } from './harness.ts';

requirement('1.1/meta-tools', () => {
  it('shows the 13 in the order of the spec', () => {
    const names = harnessOf().metaTools.definitions.map(({ name }) => name);
    expect(names).toEqual([
      ...['list_tools', 'filter_tools', 'describe_tool', 'list_core_tools', 'call_tool'],
      ...['list_resources', 'filter_resources', 'describe_resource', 'get_resource'],
      ...['list_prompts', 'filter_prompts', 'describe_prompt', 'get_prompt'],
    ]);
  });

  it.each(['list_servers', '__proto__', 'constructor', 'x_files_read_file', ''])(
    'has no meta-tool %j',
    async (name) => {
      expect(await under().refusal(name, {})).toBe(`Unknown meta-tool: ${name}`);
    },
  );
});

requirement('1.1/catalog-per-caller', () => {
  it("answers from the snapshot of the caller's principal, whatever the session", async () => {
    const small = buildCatalog({ ...catalogInput, servers: [], workflows: [] });
    const ada = createPrincipal({ issuer: 'https://issuer.example.com', subject: 'ada' });
    const parts = { snapshotOf: ({ key }: Principal) => (key === ada.key ? small : snapshot) };
    const { tools, harness } = under(undefined, parts);
    expect(await tools({}, 'list_tools')).toHaveLength(9);
    const other = under(undefined, harness, { principal: ada });
    expect(await other.tools({}, 'list_tools')).toEqual(['core_service_list', 'core_service_stop']);
    expect(await other.answer('list_prompts')).toEqual([]);
  });
});

requirement('4.2/tools-list-unchanged', () => {
  it('shows the same definitions for every scope', async () => {
    const { result, harness } = under('preset:none');
    const before = JSON.stringify(harness.metaTools.definitions);
    await result('list_tools', {});
    expect(JSON.stringify(harness.metaTools.definitions)).toBe(before);
  });
});

describe('the definitions', () => {
  const { definitions } = harnessOf().metaTools;

  it('annotate truthfully: all read but call_tool', () => {
    for (const { name, annotations } of definitions) {
      const openWorldHint = ['call_tool', 'get_resource', 'get_prompt'].includes(name);
      const writes = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };
      const hints = name === 'call_tool' ? writes : { readOnlyHint: true };
      expect([name, annotations]).toEqual([name, { ...hints, openWorldHint }]);
    }
  });

  it('name the arguments of each and which are required', () => {
    const shown = definitions.map(({ name, inputSchema: { properties, required = [] } }) => [
      name,
      [Object.keys(properties as object).join(' '), (required as readonly string[]).join(' ')],
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      list_tools: ['limit offset summary', ''],
      filter_tools: [
        'query pattern description_filter labels case_sensitive include_schema limit offset toolset include_presets',
        '',
      ],
      describe_tool: ['name', 'name'],
      list_core_tools: ['include_schema', ''],
      call_tool: ['name arguments', 'name'],
      list_resources: ['limit offset', ''],
      filter_resources: ['pattern server case_sensitive limit offset', ''],
      describe_resource: ['uri server', 'uri'],
      get_resource: ['uri server offset limit path', 'uri'],
      list_prompts: ['limit offset', ''],
      filter_prompts: ['pattern server case_sensitive limit offset', ''],
      describe_prompt: ['name', 'name'],
      get_prompt: ['name arguments', 'name'],
    });
  });

  it('cost a model at most 1,200 tokens for all 13', () => {
    expect(countTokens(JSON.stringify({ tools: definitions }))).toBeLessThanOrEqual(1_200);
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
      const { result, harness } = under(header);
      await result(name, args);
      expect([harness.calls, harness.refusals]).toEqual([[], []]);
      expect(harness.lookUps.snapshot).toBeLessThanOrEqual(1_200);
      expect(harness.lookUps.presets).toBeLessThanOrEqual(1_200);
    }
  });
});
