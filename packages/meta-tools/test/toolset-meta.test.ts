import { describe, expect, it } from 'vitest';
import { under } from './harness.ts';

describe.each(['list_tools', 'filter_tools'])('the _meta of %s', (name) => {
  const metaOf = async (header?: string, args: object = {}, apiGroup = 'gateway.internal') =>
    (await under(header, { apiGroup }).result(name, args))['_meta'];

  it('has the toolset of the request and the number of tools inside', async () => {
    expect(await metaOf('server:files, tool:core_service_list', { limit: 1 })).toEqual({
      'gateway.internal/toolset': {
        toolset: '[server:files,tool:core_service_list]',
        tools: 3,
      },
    });
    expect(await metaOf('preset:none')).toEqual({
      'gateway.internal/toolset': { toolset: '[preset:none]', tools: 0 },
    });
  });

  it('has the number of all tools without a toolset, under the API group of the installation', async () => {
    expect(await metaOf(undefined, {}, 'acme.example')).toEqual({
      'acme.example/toolset': { tools: 9 },
    });
  });

  it('is absent from a refusal', async () => {
    expect(await metaOf('preset:nowhere')).toBeUndefined();
    expect(await metaOf(undefined, { limit: 0 })).toBeUndefined();
  });
});

it('filter_tools has the toolset of the request there, not that of its argument', async () => {
  const args = { toolset: ['tool:x_files_read_file'] };
  expect((await under('server:files').result('filter_tools', args))['_meta']).toEqual({
    'gateway.internal/toolset': { toolset: '[server:files]', tools: 2 },
  });
  expect((await under().result('filter_tools', args))['_meta']).toEqual({
    'gateway.internal/toolset': { tools: 9 },
  });
});
