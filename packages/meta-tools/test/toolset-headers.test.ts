import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { answerOf, namesOf, presetsOf, refusalOf, worldOf } from './world.ts';

describe('a header that was read before', () => {
  it('selects of the next snapshot and under the next presets what it says there', async () => {
    let snapshot = buildCatalog(catalogInput);
    let presets = presetsOf({ mine: { include: [{ server: 'wiki' }] } });
    const world = worldOf({ snapshotOf: () => snapshot, presets: () => presets });
    const tools = async () =>
      namesOf(await answerOf('list_tools', {}, { world, header: 'preset:mine' }), 'tools');
    expect(await tools()).toEqual(['x_wiki_search', 'x_wiki_edit']);
    presets = presetsOf({ mine: { include: [{ server: 'files' }] } });
    expect(await tools()).toEqual(['x_files_read_file', 'x_files_write_file']);
    snapshot = buildCatalog({ ...catalogInput, servers: [] }, snapshot);
    expect(await tools()).toEqual([]);
    presets = presetsOf({});
    expect(await refusalOf('list_tools', {}, { world, header: 'preset:mine' })).toBe(
      'toolset [preset:mine] names unknown preset "mine"; known presets: read-only, none, full',
    );
  });

  it('is kept for the last of many, and read right when it was forgotten', async () => {
    const world = worldOf();
    const ask = async (header: string) =>
      namesOf(await answerOf('list_tools', {}, { world, header }), 'tools');
    for (let index = 0; index < 600; index += 1) {
      expect(await ask(`server:nowhere${String(index)},tool:x_wiki_edit`)).toEqual(['x_wiki_edit']);
    }
    expect(await ask('server:nowhere0,tool:x_wiki_edit')).toEqual(['x_wiki_edit']);
    const long = `tool:${'x'.repeat(9_000)},tool:x_wiki_edit`;
    expect(await ask(long)).toEqual(['x_wiki_edit']);
    expect(await ask(long)).toEqual(['x_wiki_edit']);
  });
});
