import { describe, expect, it } from 'vitest';
import { toAnswer, listNames, harnessOf } from './harness.ts';

const header = 'preset:storage';
const namesUnder = async (harness: ReturnType<typeof harnessOf>): Promise<readonly unknown[]> =>
  listNames(await toAnswer('list_tools', {}, { harness, header }), 'tools');

describe('a preset with a label rule', () => {
  it('reads the labels of the snapshot', async () => {
    expect(await namesUnder(harnessOf())).toEqual(['x_files_read_file', 'x_files_write_file']);
  });
});
