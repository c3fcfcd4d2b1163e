import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { EXPLAIN_KEY } from '../src/index.ts';
import { refusalOf, resultOf, harnessOf, type Asked } from './harness.ts';

const ASKS = { [EXPLAIN_KEY]: true };

const explain = async (args: object, asked: Asked = {}): Promise<unknown> => {
  const { _meta } = await resultOf('filter_tools', args, { meta: ASKS, ...asked });
  return (_meta as JsonObject | undefined)?.[EXPLAIN_KEY];
};

describe('the explanation of a toolset', () => {
  it('explains which selector and which rule selects each tool, and which match nothing', async () => {
    const toolset = ['preset:team', 'tool:x_files_read_file', 'server:gone'];
    expect(await explain({ toolset })).toEqual({
      total: 2,
      tools: [
        {
          name: 'x_files_read_file',
          selected_by: [
            {
              selector: 'preset:team',
              rules: [{ preset: 'team', list: 'include', index: 0, rule: 'pattern: x_files_*' }],
            },
            { selector: 'tool:x_files_read_file', rules: [] },
          ],
        },
        {
          name: 'x_files_write_file',
          selected_by: [
            {
              selector: 'preset:team',
              rules: [{ preset: 'team', list: 'include', index: 0, rule: 'pattern: x_files_*' }],
            },
          ],
        },
      ],
      left_out_total: 0,
      left_out: [],
      unmatched: ['server:gone'],
      idle_rules: [],
      notes: [],
    });
  });

  it("explains what the request's own toolset excludes, and which rules match nothing", async () => {
    const header = 'preset:read-only';
    const toolset = ['server:files', 'preset:ghosts'];
    expect(await explain({ toolset }, { header })).toMatchObject({
      total: 1,
      left_out: [{ name: 'x_files_write_file', selector: 'server:files' }],
      unmatched: ['preset:ghosts'],
      idle_rules: [{ preset: 'ghosts', list: 'include', index: 0, rule: 'server: nowhere' }],
    });
  });

  it('is cut as the page is', async () => {
    expect(await explain({ toolset: ['preset:full'], limit: 1, offset: 1 })).toMatchObject({
      total: 9,
      tools: [{ name: expect.any(String) as string }],
    });
  });

  it('is absent unless it is requested, even after an earlier request', async () => {
    const harness = harnessOf();
    const args = { toolset: ['preset:team'] };
    const plain = await resultOf('filter_tools', args, { harness });
    expect(plain).not.toHaveProperty('_meta');
    expect(await resultOf('filter_tools', args, { harness, meta: ASKS })).toEqual({
      ...plain,
      _meta: { [EXPLAIN_KEY]: expect.anything() as unknown },
    });
    expect(await resultOf('filter_tools', args, { harness })).toEqual(plain);
    expect(await resultOf('filter_tools', {}, { meta: ASKS })).not.toHaveProperty('_meta');
  });

  it('is refused as the toolset is', async () => {
    expect(await refusalOf('filter_tools', { toolset: ['preset:gone'] }, { meta: ASKS })).toBe(
      'toolset [preset:gone] names unknown preset "gone"; known presets: read-only, none, full, ghosts, storage, team',
    );
  });
});
