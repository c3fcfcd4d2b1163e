import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { outside, presetsOf, snapshot, under } from './harness.ts';

const WIKI = ['x_wiki_search', 'x_wiki_edit'];

describe('the next request under the same header', () => {
  it('reflects an added and a removed server', async () => {
    const servers = catalogInput.servers.filter(({ name }) => name !== 'wiki');
    const withoutWiki = { ...catalogInput, servers };
    let current = buildCatalog(withoutWiki);
    const { tools } = under('server:wiki,tool:core_service_list', { snapshotOf: () => current });
    expect(await tools()).toEqual(['core_service_list']);
    current = snapshot;
    expect(await tools()).toEqual([...WIKI, 'core_service_list']);
    current = buildCatalog(withoutWiki);
    expect(await tools()).toEqual(['core_service_list']);
  });

  it('reflects added, changed and removed presets, and the catalog under them', async () => {
    let [presets, catalog] = [presetsOf({}), snapshot];
    const { tools, refusal } = under('preset:mine', {
      presets: () => presets,
      snapshotOf: () => catalog,
    });
    const unknown =
      'toolset [preset:mine] names unknown preset "mine"; known presets: read-only, none, full';
    expect(await refusal('list_tools')).toBe(unknown);
    presets = presetsOf({ mine: { include: [{ server: 'wiki' }] } });
    expect(await tools()).toEqual(WIKI);
    presets = presetsOf({ mine: { include: [{ workflow: 'deploy' }, { server: 'files' }] } });
    expect(await tools()).toEqual(['x_files_read_file', 'x_files_write_file', 'workflow_deploy']);
    catalog = buildCatalog({ ...catalogInput, servers: [] }, catalog);
    expect(await tools()).toEqual(['workflow_deploy']);
    presets = presetsOf({});
    expect(await refusal('list_tools')).toBe(unknown);
  });

  it('is not affected by a snapshot that changes while an earlier one waits', async () => {
    let current = snapshot;
    const { call, refusedCall } = under('server:wiki', { snapshotOf: () => current });
    const waiting = call('x_wiki_search');
    current = buildCatalog({ servers: [], workflows: [], coreTools: [] });
    expect(await waiting).not.toHaveProperty('isError');
    const text = outside('tool "x_wiki_search"', 'server:wiki');
    expect(await refusedCall('x_wiki_search')).toBe(text);
  });
});

it('resolves a header correctly after it was evicted by many others, and one that is too long to cache', async () => {
  const { harness } = under();
  const selected = (selector: string) => under(`${selector},tool:x_wiki_edit`, harness).tools();
  const many = Array.from({ length: 600 }, (_, index) => `server:nowhere${String(index)}`);
  const long = `tool:${'x'.repeat(9_000)}`;
  for (const selector of [...many, 'server:nowhere0', long, long])
    expect(await selected(selector)).toEqual(['x_wiki_edit']);
});
