import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { toAnswer, listNames, presetsOf, refusalOf, harnessOf } from './harness.ts';

describe('a header that was read before', () => {
  it('selects from the next snapshot and under the next presets', async () => {
    let snapshot = buildCatalog(catalogInput);
    let presets = presetsOf({ mine: { include: [{ server: 'wiki' }] } });
    const harness = harnessOf({ snapshotOf: () => snapshot, presets: () => presets });
    const tools = async () =>
      listNames(await toAnswer('list_tools', {}, { harness, header: 'preset:mine' }), 'tools');
    expect(await tools()).toEqual(['x_wiki_search', 'x_wiki_edit']);
    presets = presetsOf({ mine: { include: [{ server: 'files' }] } });
    expect(await tools()).toEqual(['x_files_read_file', 'x_files_write_file']);
    snapshot = buildCatalog({ ...catalogInput, servers: [] }, snapshot);
    expect(await tools()).toEqual([]);
    presets = presetsOf({});
    expect(await refusalOf('list_tools', {}, { harness, header: 'preset:mine' })).toBe(
      'toolset [preset:mine] names unknown preset "mine"; known presets: read-only, none, full',
    );
  });

  it('is cached for the latest of many, and resolved correctly after it was evicted', async () => {
    const harness = harnessOf();
    const ask = async (header: string) =>
      listNames(await toAnswer('list_tools', {}, { harness, header }), 'tools');
    for (let index = 0; index < 600; index += 1) {
      expect(await ask(`server:nowhere${String(index)},tool:x_wiki_edit`)).toEqual(['x_wiki_edit']);
    }
    expect(await ask('server:nowhere0,tool:x_wiki_edit')).toEqual(['x_wiki_edit']);
    const long = `tool:${'x'.repeat(9_000)},tool:x_wiki_edit`;
    expect(await ask(long)).toEqual(['x_wiki_edit']);
    expect(await ask(long)).toEqual(['x_wiki_edit']);
  });
});
