import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import {
  toAnswer,
  listNames,
  presetsOf,
  refusalOf,
  resultOf,
  snapshot,
  harnessOf,
} from './harness.ts';

describe('the next request', () => {
  it('reflects an added and a removed server under the same header', async () => {
    const withoutWiki = {
      ...catalogInput,
      servers: catalogInput.servers.filter(({ name }) => name !== 'wiki'),
    };
    let current = buildCatalog(withoutWiki);
    const harness = harnessOf({ snapshotOf: () => current });
    const asked = { harness, header: 'server:wiki,tool:core_service_list' };
    const names = async () => listNames(await toAnswer('list_tools', {}, asked), 'tools');
    expect(await names()).toEqual(['core_service_list']);
    current = snapshot;
    expect(await names()).toEqual(['x_wiki_search', 'x_wiki_edit', 'core_service_list']);
    current = buildCatalog(withoutWiki);
    expect(await names()).toEqual(['core_service_list']);
  });

  it('reflects added, changed and removed presets', async () => {
    let current = presetsOf({});
    const harness = harnessOf({ presets: () => current });
    const asked = { harness, header: 'preset:mine' };
    const unknown =
      'toolset [preset:mine] names unknown preset "mine"; known presets: read-only, none, full';
    const names = async () => listNames(await toAnswer('list_tools', {}, asked), 'tools');
    expect(await refusalOf('list_tools', {}, asked)).toBe(unknown);
    current = presetsOf({ mine: { include: [{ tool: 'x_wiki_edit' }] } });
    expect(await names()).toEqual(['x_wiki_edit']);
    current = presetsOf({ mine: { include: [{ workflow: 'deploy' }] } });
    expect(await names()).toEqual(['workflow_deploy']);
    current = presetsOf({});
    expect(await refusalOf('list_tools', {}, asked)).toBe(unknown);
  });

  it('is not affected by a snapshot that changes while an earlier one waits', async () => {
    const empty = buildCatalog({ servers: [], workflows: [], coreTools: [] });
    let current = snapshot;
    const harness = harnessOf({ snapshotOf: () => current });
    const waiting = resultOf(
      'call_tool',
      { name: 'x_wiki_search' },
      { harness, header: 'server:wiki' },
    );
    current = empty;
    expect(await waiting).not.toHaveProperty('isError');
    expect(
      await refusalOf('call_tool', { name: 'x_wiki_search' }, { harness, header: 'server:wiki' }),
    ).toBe('tool "x_wiki_search" is outside the toolset [server:wiki]');
  });
});
