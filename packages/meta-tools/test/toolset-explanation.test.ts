import type { JsonObject } from '@gateway/call-contract';
import { buildCatalog, type ServerTool } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { EXPLAIN_KEY } from '../src/index.ts';
import { catalogInput } from './catalog-input.ts';
import { under } from './harness.ts';

const ASKS = { [EXPLAIN_KEY]: true };

const explain = async (args: object, header?: string): Promise<unknown> => {
  const { _meta } = await under(header, {}, { meta: ASKS }).result('filter_tools', args);
  return (_meta as JsonObject | undefined)?.[EXPLAIN_KEY];
};

describe('the explanation of a toolset', () => {
  it('explains which selector and which rule selects each tool, and which match nothing', async () => {
    const toolset = ['preset:team', 'tool:x_files_read_file', 'server:gone'];
    const rule = { preset: 'team', list: 'include', index: 0, rule: 'pattern: x_files_*' };
    const team = { selector: 'preset:team', rules: [rule] };
    const named = { selector: 'tool:x_files_read_file', rules: [] };
    expect(await explain({ toolset })).toEqual({
      total: 2,
      tools: [
        { name: 'x_files_read_file', selected_by: [team, named] },
        { name: 'x_files_write_file', selected_by: [team] },
      ],
      left_out_total: 0,
      left_out: [],
      unmatched: ['server:gone'],
      idle_rules: [],
      notes: [],
    });
  });

  it('names what the resources of servers changed', async () => {
    const change = (tool: ServerTool) =>
      tool.name === 'read_file' ? { ...tool, changed: ['title'] } : tool;
    const servers = catalogInput.servers.map((one) => ({ ...one, tools: one.tools.map(change) }));
    const snapshot = buildCatalog({ ...catalogInput, servers });
    const { result } = under(undefined, { snapshotOf: () => snapshot }, { meta: ASKS });
    const { _meta } = await result('filter_tools', { toolset: ['server:files'] });
    expect(_meta).toMatchObject({
      [EXPLAIN_KEY]: { tools: [{ name: 'x_files_read_file', changed: ['title'] }, {}] },
    });
  });

  it("explains what the request's own toolset excludes, and which rules match nothing", async () => {
    const toolset = ['server:files', 'preset:ghosts'];
    expect(await explain({ toolset }, 'preset:read-only')).toMatchObject({
      total: 1,
      left_out: [{ name: 'x_files_write_file', selector: 'server:files' }],
      unmatched: ['preset:ghosts'],
      idle_rules: [{ preset: 'ghosts', list: 'include', index: 0, rule: 'server: nowhere' }],
    });
  });

  it('is cut as the page is', async () => {
    const tools = [{ name: expect.any(String) as string }];
    const page = { toolset: ['preset:full'], limit: 1, offset: 1 };
    expect(await explain(page)).toMatchObject({ total: 9, tools });
  });

  it('is absent unless it is requested, even after an earlier request', async () => {
    const { result, harness } = under();
    const args = { toolset: ['preset:team'] };
    const plain = await result('filter_tools', args);
    expect(plain['_meta']).not.toHaveProperty([EXPLAIN_KEY]);
    const asking = under(undefined, harness, { meta: ASKS });
    const explanation = { [EXPLAIN_KEY]: expect.anything() as unknown };
    const _meta = { ...(plain['_meta'] as JsonObject), ...explanation };
    expect(await asking.result('filter_tools', args)).toEqual({ ...plain, _meta });
    expect(await result('filter_tools', args)).toEqual(plain);
    const { _meta: other } = await asking.result('filter_tools', {});
    expect(other).not.toHaveProperty([EXPLAIN_KEY]);
  });

  it('is refused as the toolset is', async () => {
    const { refusal } = under(undefined, {}, { meta: ASKS });
    expect(await refusal('filter_tools', { toolset: ['preset:gone'] })).toBe(
      'toolset [preset:gone] names unknown preset "gone"; known presets: read-only, none, full, ghosts, storage, team',
    );
  });
});
