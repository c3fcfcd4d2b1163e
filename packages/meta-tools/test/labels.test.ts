import { describe, expect, it } from 'vitest';
import { answerOf, namesOf, worldOf } from './world.ts';

const header = 'preset:storage';
const namesUnder = async (world: ReturnType<typeof worldOf>): Promise<readonly unknown[]> =>
  namesOf(await answerOf('list_tools', {}, { world, header }), 'tools');

describe('a preset with a label rule', () => {
  it('reads the labels of the snapshot', async () => {
    expect(await namesUnder(worldOf())).toEqual(['x_files_read_file', 'x_files_write_file']);
  });

  it('reads the labels of the port when there is one, at each request', async () => {
    let labels = new Map([['wiki', { team: 'storage' }]]);
    const world = worldOf({ serverLabels: () => labels });
    expect(await namesUnder(world)).toEqual(['x_wiki_search', 'x_wiki_edit']);
    labels = new Map([['dev', { team: 'storage' }]]);
    expect(await namesUnder(world)).toEqual(['x_k8s_pods']);
  });

  it('selects nothing and warns when the labels cannot be read', async () => {
    const world = worldOf({
      serverLabels: () => {
        throw new Error('no connection');
      },
    });
    expect(await namesUnder(world)).toEqual([]);
    expect(world.warnings).toEqual([
      'labels of servers are unavailable, label rules select nothing: no connection',
    ]);
  });

  it('is the only reason to ask for labels', async () => {
    let asked = 0;
    const world = worldOf({
      serverLabels: () => {
        asked += 1;
        return new Map();
      },
    });
    await answerOf('list_tools', {}, { world });
    await answerOf('list_tools', {}, { world, header: 'preset:full,server:files' });
    expect(asked).toBe(0);
    await answerOf('list_tools', {}, { world, header });
    expect(asked).toBe(1);
  });
});
