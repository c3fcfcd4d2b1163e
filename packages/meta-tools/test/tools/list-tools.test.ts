import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { toAnswer, listNames, refusalOf, resultOf, harnessOf } from '../harness.ts';

const ALL = [
  'x_files_read_file',
  'x_files_write_file',
  'x_wiki_search',
  'x_wiki_edit',
  'x_k8s_pods',
  'workflow_deploy',
  'workflow_report',
  'core_service_list',
  'core_service_stop',
];

requirement('4.2/list-tools', () => {
  it('lists the whole catalog in its order without a toolset', async () => {
    expect(listNames(await toAnswer('list_tools', {}), 'tools')).toEqual(ALL);
  });

  it('lists the tools of the toolset in the order of the catalog', async () => {
    const answer = await toAnswer(
      'list_tools',
      {},
      { header: 'tool:core_service_list, server:files' },
    );
    expect(listNames(answer, 'tools')).toEqual([
      'x_files_read_file',
      'x_files_write_file',
      'core_service_list',
    ]);
  });

  it('lists nothing under preset:none', async () => {
    const result = await resultOf('list_tools', {}, { header: 'preset:none' });
    expect(result).toEqual({ content: [{ type: 'text', text: '{"tools":[]}' }] });
  });
});

requirement('4.2/servers-requiring-auth', () => {
  const harness = harnessOf({ signedOut: ['zebra', 'mail'] });
  const expected = [
    { name: 'mail', status: 'auth_required', auth_tool: 'core_auth_login' },
    { name: 'zebra', status: 'auth_required', auth_tool: 'core_auth_login' },
  ];

  it('names the same servers under every toolset and on every page', async () => {
    for (const header of [undefined, 'preset:none', 'server:files']) {
      const asked = header === undefined ? { harness } : { harness, header };
      expect(await toAnswer('list_tools', { limit: 1 }, asked)).toMatchObject({
        servers_requiring_auth: expected,
      });
    }
  });
});

requirement('5.2/servers-requiring-auth', () => {
  it('leaves the key out when no server waits for a sign-in', async () => {
    expect(Object.keys((await toAnswer('list_tools')) as object)).toEqual(['tools']);
  });
  it('reports a server that waits', async () => {
    const answer = await toAnswer(
      'list_tools',
      {},
      { harness: harnessOf({ signedOut: ['mail'] }) },
    );
    expect(Object.keys(answer as object)).toEqual(['tools', 'servers_requiring_auth']);
  });
});

requirement('5.2/auth-login', () => {
  it('points at core_auth_login', async () => {
    const answer = await toAnswer(
      'list_tools',
      {},
      { harness: harnessOf({ signedOut: ['mail'] }) },
    );
    expect(answer).toMatchObject({ servers_requiring_auth: [{ auth_tool: 'core_auth_login' }] });
  });
});

describe('entries', () => {
  it('carry the full description, the server, the kind and the hints, and nothing that is not there', async () => {
    const { tools } = (await toAnswer('list_tools')) as { tools: readonly unknown[] };
    expect(tools[0]).toEqual({
      name: 'x_files_read_file',
      description: 'Read a file\nReads all of it.',
      server: 'files',
      kind: 'tool',
      annotations: { readOnlyHint: true },
    });
    expect(tools[1]).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } });
    expect(tools[3]).toEqual({ name: 'x_wiki_edit', server: 'wiki', kind: 'tool' });
    expect(tools[4]).toMatchObject({ name: 'x_k8s_pods', server: 'k8s' });
    expect(tools[5]).toEqual({
      name: 'workflow_deploy',
      description: 'Deploy a service',
      labels: { team: 'web' },
      kind: 'workflow',
    });
    expect(tools[7]).toEqual({
      name: 'core_service_list',
      description: 'List services\nAll of them.',
      kind: 'core',
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  });

  it('carry the first line of the description with summary', async () => {
    const { tools } = (await toAnswer('list_tools', { summary: true })) as {
      tools: readonly unknown[];
    };
    expect(tools[0]).toEqual({
      name: 'x_files_read_file',
      summary: 'Read a file',
      server: 'files',
      kind: 'tool',
      annotations: { readOnlyHint: true },
    });
  });
});

describe('paging', () => {
  it('returns a page and its position', async () => {
    const page = (await toAnswer('list_tools', { limit: 2, offset: 3 })) as object;
    expect(listNames(page, 'tools')).toEqual(['x_wiki_edit', 'x_k8s_pods']);
    expect(page).toMatchObject({ total: 9, truncated: true });
  });

  it('ends with the last page', async () => {
    expect(await toAnswer('list_tools', { offset: 8 })).toMatchObject({
      total: 9,
      truncated: false,
    });
    expect(await toAnswer('list_tools', { offset: 9 })).toEqual({
      tools: [],
      total: 9,
      truncated: false,
    });
  });

  it('refuses an invalid page', async () => {
    expect(await refusalOf('list_tools', { limit: 0 })).toBe('limit must be at least 1');
    expect(await refusalOf('list_tools', { limit: '5' })).toBe('limit must be a number');
    expect(await refusalOf('list_tools', { offset: -1 })).toBe('offset must be at least 0');
    expect(await refusalOf('list_tools', { offset: 1.5 })).toBe('offset must be a whole number');
    expect(await refusalOf('list_tools', { summary: 1 })).toBe('summary must be a boolean');
  });
});
