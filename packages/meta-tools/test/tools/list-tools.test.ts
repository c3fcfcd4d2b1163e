import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { under } from '../harness.ts';

const ALL = [
  ...['x_files_read_file', 'x_files_write_file', 'x_wiki_search', 'x_wiki_edit', 'x_k8s_pods'],
  ...['workflow_deploy', 'workflow_report', 'core_service_list', 'core_service_stop'],
];

const list = (args?: object, ...asked: Parameters<typeof under>) =>
  under(...asked).answer('list_tools', args);
const waiting = (name: string) => ({ name, status: 'auth_required', auth_tool: 'core_auth_login' });

requirement('4.2/list-tools', () => {
  it.each([
    [undefined, ALL],
    [
      'tool:core_service_list, server:files',
      ['x_files_read_file', 'x_files_write_file', 'core_service_list'],
    ],
    ['preset:storage', ['x_files_read_file', 'x_files_write_file']],
  ])('lists the tools of the toolset %s in the order of the catalog', async (header, names) => {
    expect(await under(header).tools({}, 'list_tools')).toEqual(names);
  });

  it('lists nothing under preset:none', async () => {
    expect(await under('preset:none').result('list_tools', {})).toMatchObject({
      content: [{ type: 'text', text: '{"tools":[],"total":0,"truncated":false}' }],
    });
  });
});

requirement('4.2/servers-requiring-auth', () => {
  it('names the same servers under every toolset and on every page', async () => {
    const servers_requiring_auth = [waiting('mail'), waiting('zebra')];
    for (const header of [undefined, 'preset:none', 'server:files'])
      expect(await list({ limit: 1 }, header, { signedOut: ['zebra', 'mail'] })).toMatchObject({
        servers_requiring_auth,
      });
  });
});

requirement('5.2/servers-requiring-auth', () => {
  it('leaves the key out when no server waits for a sign-in, and reports one that waits', async () => {
    const keys = ['tools', 'total', 'truncated'];
    expect(Object.keys((await list()) as object)).toEqual(keys);
    const answer = await list({}, undefined, { signedOut: ['mail'] });
    expect(Object.keys(answer as object)).toEqual([...keys, 'servers_requiring_auth']);
  });

  it('tells a first sign-in from a repeated one', async () => {
    const chat = { name: 'chat', status: 'reauth_required' } as const;
    expect(await list({}, undefined, { signedOut: ['mail', chat] })).toMatchObject({
      servers_requiring_auth: [{ ...chat, auth_tool: 'core_auth_login' }, waiting('mail')],
    });
  });
});

requirement('5.2/auth-login', () => {
  it('points at core_auth_login', async () => {
    expect(await list({}, undefined, { signedOut: ['mail'] })).toMatchObject({
      servers_requiring_auth: [{ auth_tool: 'core_auth_login' }],
    });
  });
});

describe('entries', () => {
  const read = {
    name: 'x_files_read_file',
    server: 'files',
    kind: 'tool',
    annotations: { readOnlyHint: true },
  };

  it('carry the full description, the server, the kind and the hints, and nothing that is not there', async () => {
    const { tools } = (await list()) as { tools: readonly unknown[] };
    expect(tools[0]).toEqual({ ...read, description: 'Read a file\nReads all of it.' });
    expect(tools[1]).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } });
    expect(tools[3]).toEqual({ name: 'x_wiki_edit', server: 'wiki', kind: 'tool' });
    expect(tools[4]).toMatchObject({ name: 'x_k8s_pods', server: 'k8s' });
    expect(tools[5]).toEqual({
      name: 'workflow_deploy',
      description: 'Deploy a service',
      kind: 'workflow',
      labels: { team: 'web' },
    });
    expect(tools[7]).toEqual({
      name: 'core_service_list',
      description: 'List services\nAll of them.',
      kind: 'core',
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  });

  it('carry the first line of the description with summary', async () => {
    const { tools } = (await list({ summary: true })) as { tools: readonly unknown[] };
    expect(tools[0]).toEqual({ ...read, summary: 'Read a file' });
  });
});

describe('paging', () => {
  it.each([
    [{ limit: 2, offset: 3 }, ['x_wiki_edit', 'x_k8s_pods'], { truncated: true, next_offset: 5 }],
    [{ offset: 8 }, ['core_service_stop'], { truncated: false }],
    [{ offset: 9 }, [], { truncated: false }],
  ])('returns the page %j and its position', async (args, names, position) => {
    const page = await list(args);
    const tools = names.map((name) => ({ name }));
    expect(page).toMatchObject({ tools, total: 9, ...position });
    const keys = ['tools', 'total', ...Object.keys(position)];
    expect(Object.keys(page as object)).toEqual(keys);
  });

  it.each([
    [{ limit: 0 }, 'limit must be at least 1'],
    [{ limit: '5' }, 'limit must be a number'],
    [{ offset: -1 }, 'offset must be at least 0'],
    [{ offset: 1.5 }, 'offset must be a whole number'],
    [{ summary: 1 }, 'summary must be a boolean'],
  ])('refuses %j', async (args, text) => {
    expect(await under().refusal('list_tools', args)).toBe(text);
  });
});
