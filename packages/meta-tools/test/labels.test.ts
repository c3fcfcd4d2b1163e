import { describe, expect, it } from 'vitest';
import { answerOf, namesOf, worldOf } from './world.ts';

const header = 'preset:storage';
const namesUnder = async (world: ReturnType<typeof worldOf>): Promise<readonly unknown[]> =>
  namesOf(await answerOf('list_tools', {}, { world, header }), 'tools');

describe('a preset with a label rule', () => {
  it('reads the labels of the snapshot', async () => {
    expect(await namesUnder(worldOf())).toEqual(['x_files_read_file', 'x_files_write_file']);
  });
});
