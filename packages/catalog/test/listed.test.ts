import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../src/index.ts';
import { catalogOf, core, inputOf, member, server, serverTool, workflow } from './inventories.ts';

const icons = [{ src: 'https://files.test/icon.png' }];

describe('the listing of an entry', () => {
  it('is the entry of the server, under its own name', () => {
    const listed = { name: 'read', icons, inputSchema: { type: 'object' }, _meta: { a: 1 } };
    const listedResource = { uri: 'f://a', name: 'a', size: 7 };
    const listedTemplate = { uriTemplate: 'f://{a}', name: 'a', icons };
    const listedPrompt = { name: 'ask', icons };
    const snapshot = catalogOf(
      server('files', [serverTool('read', { listed })], {
        resources: [{ uri: 'f://a', listed: listedResource }],
        resourceTemplates: [{ uriTemplate: 'f://{a}', listed: listedTemplate }],
        prompts: [{ name: 'ask', listed: listedPrompt }],
      }),
    );
    expect(snapshot.tool('x_files_read')?.listed).toBe(listed);
    expect(snapshot.resources[0]?.listed).toBe(listedResource);
    expect(snapshot.resourceTemplates[0]?.listed).toBe(listedTemplate);
    expect(snapshot.prompt('x_files_ask')?.listed).toBe(listedPrompt);
  });

  it('is absent where the server gave none, and for workflows and core tools', () => {
    const snapshot = buildCatalog(
      inputOf([server('files', ['read'])], {
        workflows: [workflow('deploy')],
        coreTools: [core('core_events')],
      }),
    );
    expect(snapshot.tools.map((tool) => Object.hasOwn(tool, 'listed'))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('makes another snapshot when it is all that changed, and shares the rest', () => {
    const other = server('other', ['t']);
    const entry = (size: number) =>
      server('files', [serverTool('read', { listed: { name: 'read', size } })]);
    const before = catalogOf(entry(1), other);
    const after = buildCatalog(inputOf([entry(2), other]), before);
    expect(after).not.toBe(before);
    expect(after.tool('x_files_read')?.listed).toEqual({ name: 'read', size: 2 });
    expect(after.tool('x_other_t')).toBe(before.tool('x_other_t'));
  });
});

describe('the listing of a family tool', () => {
  const listed = { name: 'get', description: 'Does get.', inputSchema: { type: 'object' } };
  const tool = (more: object) => serverTool('get', { listed: { ...listed, ...more } });

  it('holds what all members list alike, and the description and schema of the family', () => {
    const family = catalogOf(
      member('a', [tool({ icons, version: 1, title: 'Get' })]),
      member('b', [tool({ icons, version: 2, title: 'Get' })]),
    ).tool('x_k8s_get');
    expect(family?.listed).toEqual({
      name: 'get',
      icons,
      description: 'Does get. (available on servers: a, b)',
      inputSchema: family?.inputSchema,
    });
    expect(family?.inputSchema).toMatchObject({ required: ['cluster'] });
  });

  it('holds only the own fields when a member has no listing, and is absent when the first has none', () => {
    const some = catalogOf(member('a', [tool({ icons })]), member('b', ['get']));
    expect(Object.keys(some.tool('x_k8s_get')?.listed ?? {})).toEqual([
      'description',
      'inputSchema',
    ]);
    const none = catalogOf(member('a', ['get']), member('b', [tool({ icons })]));
    expect(none.tool('x_k8s_get')?.listed).toBeUndefined();
  });
});
