import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { EXPLAIN_KEY } from '../src/index.ts';
import { refusalOf, resultOf, worldOf, type Asked } from './world.ts';

const ASKS = { [EXPLAIN_KEY]: true };

const explain = async (args: object, asked: Asked = {}): Promise<unknown> => {
  const { _meta } = await resultOf('filter_tools', args, { meta: ASKS, ...asked });
  return (_meta as JsonObject | undefined)?.[EXPLAIN_KEY];
};

describe('the explanation of a toolset', () => {
  it('says which selector and which rule selects each tool, and what finds nothing', async () => {
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

  it("says what the request's own toolset leaves out, and which rules find nothing", async () => {
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

  it('is there for nobody who does not ask, whatever was asked before', async () => {
    const world = worldOf();
    const args = { toolset: ['preset:team'] };
    const plain = await resultOf('filter_tools', args, { world });
    expect(plain).not.toHaveProperty('_meta');
    expect(await resultOf('filter_tools', args, { world, meta: ASKS })).toEqual({
      ...plain,
      _meta: { [EXPLAIN_KEY]: expect.anything() as unknown },
    });
    expect(await resultOf('filter_tools', args, { world })).toEqual(plain);
    expect(await resultOf('filter_tools', {}, { meta: ASKS })).not.toHaveProperty('_meta');
  });

  it('is refused as the toolset is', async () => {
    expect(await refusalOf('filter_tools', { toolset: ['preset:gone'] }, { meta: ASKS })).toBe(
      'toolset [preset:gone] names unknown preset "gone"; known presets: read-only, none, full, ghosts, storage, team',
    );
  });
});
