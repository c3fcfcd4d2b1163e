import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { failing, outside, resulting, under, type HarnessOptions } from '../harness.ts';

const README = {
  uri: 'file:///readme',
  name: 'readme',
  description: 'The readme',
  mimeType: 'text/plain',
  server: 'files',
};
const MOTD = { uri: 'shared://motd', name: 'motd', description: 'motd', server: 'files' };
const LOGS = {
  uriTemplate: 'file:///logs/{day}',
  name: 'logs',
  description: 'logs',
  server: 'files',
};
const EMPTY = resulting({ contents: [] });

const resources = (header?: string, parts?: HarnessOptions) => {
  const { answer, refusal, result, calls } = under(header, parts);
  return {
    refusal,
    result,
    calls,
    list: () => answer('list_resources'),
    filter: (args: object) => answer('filter_resources', args),
    describe: (uri: string, server?: string) => answer('describe_resource', { uri, server }),
    get: (uri: string) => answer('get_resource', { uri }),
  };
};

/** Tells that the resource is outside the toolset. */
const hidden = (uri: string, toolset: string): string => outside(`resource "${uri}"`, toolset);

requirement('4.2/hidden-resources', () => {
  it('lists the resources and templates of servers inside', async () => {
    expect(await resources('tool:x_files_write_file').list()).toEqual([README, MOTD, LOGS]);
  });

  it('lists all of them without a toolset, templates last', async () => {
    const all = (await resources().list()) as readonly { server: string }[];
    expect(all.map(({ server }) => server).join(' ')).toBe(
      'dev docs files files prod wiki wiki files',
    );
  });

  it('filters inside', async () => {
    const args = { pattern: 'FILE:///*' };
    expect(await resources('server:files').filter(args)).toEqual({
      filters: { pattern: 'FILE:///*', case_sensitive: false, limit: 5, offset: 0 },
      total_resources: 3,
      filtered_count: 1,
      total: 1,
      truncated: false,
      resources: [README],
    });
    const nothing = { total_resources: 2, total: 0, resources: [] };
    expect(await resources('server:wiki').filter(args)).toMatchObject(nothing);
  });

  it('describes items inside the toolset and refuses the rest, known or not', async () => {
    const { describe: shown, refusal } = resources('server:files');
    expect(await shown('file:///readme')).toEqual(README);
    for (const uri of ['wiki://home', 'nowhere://x', '__proto__'])
      expect(await refusal('describe_resource', { uri })).toBe(hidden(uri, 'server:files'));
  });
});

requirement('4.2/server-inside', () => {
  it('includes a server by any of its tools', async () => {
    const { describe: shown } = resources('tool:x_wiki_edit');
    expect(await shown('wiki://home')).toMatchObject({ server: 'wiki' });
  });

  it.each(['server:k8s', 'server:dev', 'tool:x_k8s_pods'])(
    'includes every member that provides a family tool selected by %s',
    async (header) => {
      const nodes = [{ uri: 'dev://nodes' }, { uri: 'prod://nodes' }];
      expect(await resources(header).filter({})).toMatchObject({ resources: nodes });
    },
  );

  it('leaves all servers out of a toolset of core tools and workflows', async () => {
    const { answer } = under('tool:core_service_list,workflow:report');
    for (const name of ['list_resources', 'list_prompts'] as const)
      expect(await answer(name)).toEqual([]);
  });

  it('leaves a server without tools out even of preset:full', async () => {
    const uri = 'docs://guide';
    expect(await resources('preset:full').refusal('get_resource', { uri })).toBe(
      hidden(uri, 'preset:full'),
    );
    expect(await resources().describe(uri)).toMatchObject({ server: 'docs' });
  });
});

requirement('4.2/get-resource-outside', () => {
  it('refuses a resource outside, known or not, and reads nothing', async () => {
    const { refusal, calls } = resources('server:files');
    for (const uri of ['wiki://home', 'nowhere://x'])
      expect(await refusal('get_resource', { uri })).toBe(hidden(uri, 'server:files'));
    expect(calls()).toEqual([]);
  });

  it('reads a resource inside', async () => {
    const contents = [{ uri: 'wiki://home', text: 'Home' }];
    const { get } = resources('server:wiki', resulting({ contents }));
    expect(await get('wiki://home')).toEqual(contents);
  });
});

describe('filter_resources', () => {
  it('filters by server and pages over resources and templates', async () => {
    expect(await resources().filter({ server: 'files', limit: 2, offset: 1 })).toEqual({
      filters: { server: 'files', case_sensitive: false, limit: 2, offset: 1 },
      total_resources: 8,
      filtered_count: 2,
      total: 3,
      truncated: false,
      resources: [MOTD, LOGS],
    });
  });

  it('matches case on request', async () => {
    const pattern = 'WIKI://*';
    expect(await resources().filter({ pattern, case_sensitive: true })).toMatchObject({ total: 0 });
    expect(await resources().filter({ pattern })).toMatchObject({ total: 1 });
  });
});

it.each([
  ['filter_resources', { pattern: '[]a]' }, 'Invalid pattern "[]a]": syntax error in pattern'],
  ['filter_resources', { limit: 0 }, 'limit must be at least 1'],
  ['filter_resources', { server: 5 }, 'server must be a string'],
  ['get_resource', {}, 'uri argument is required'],
  ['get_resource', { uri: {} }, 'uri must be a string'],
  [
    'get_resource',
    { uri: 'nowhere://x' },
    'Resource retrieval failed: resource not found: nowhere://x',
  ],
  ['get_resource', { uri: 'wiki://home' }, 'Resource retrieval failed: request timed out'],
  ['describe_resource', {}, 'uri argument is required'],
  ['describe_resource', { uri: {} }, 'uri must be a string'],
  ['describe_resource', { uri: 'nowhere://x' }, 'Resource not found: nowhere://x'],
  ['describe_resource', { uri: '__proto__' }, 'Resource not found: __proto__'],
  ['describe_resource', { uri: 'file:///logs/a/b' }, 'Resource not found: file:///logs/a/b'],
])('%s refuses %j', async (name, args, text) => {
  const { refusal } = resources(undefined, failing('request timed out'));
  expect(await refusal(name, args)).toBe(text);
});

describe('a URI of several servers', () => {
  const uri = 'shared://motd';

  it('needs the server, unless the toolset leaves one', async () => {
    for (const name of ['describe_resource', 'get_resource'] as const)
      expect(await resources().refusal(name, { uri })).toBe(
        'Resource shared://motd is exposed by servers files, wiki; the "server" argument is required',
      );
    const wiki = { server: 'wiki', description: 'Message of the day' };
    expect(await resources().describe(uri, 'wiki')).toMatchObject(wiki);
    expect(await resources('server:wiki').describe(uri)).toMatchObject(wiki);
  });

  it('refuses a server that does not expose it, and one that is outside', async () => {
    const refused = (server: string, header?: string) =>
      resources(header).refusal('describe_resource', { uri, server });
    expect(await refused('docs')).toBe('Resource shared://motd is not available on server "docs"');
    // With a toolset the refusal does not depend on the resources of a server that is outside.
    for (const server of ['docs', 'files'])
      expect(await refused(server, 'server:wiki')).toBe(hidden(uri, 'server:wiki'));
  });
});

describe('templates', () => {
  it('route a URI that no server lists to the server whose template it matches', async () => {
    const contents = [{ uri: 'file:///logs/today', text: 'log' }];
    const { get, calls } = resources('server:files', resulting({ contents }));
    expect(await get('file:///logs/today')).toEqual(contents);
    expect(calls()).toEqual([['readResource', { server: 'files', uri: 'file:///logs/today' }]]);
  });

  it('match an equivalent URI as it was written, and leave a listed resource its own URI', async () => {
    const { get, calls } = resources(undefined, EMPTY);
    const written = ['FILE:///l%6Fgs/t%20d', 'file:///logs/t d'];
    for (const uri of [...written, 'file:///%72eadme']) await get(uri);
    expect(calls()).toEqual(
      [...written, 'file:///readme'].map((uri) => ['readResource', { server: 'files', uri }]),
    );
  });

  it('are described by a URI that matches and by themselves', async () => {
    for (const uri of ['file:///logs/today', 'file:///logs/{day}'])
      expect(await resources().describe(uri)).toEqual(LOGS);
  });

  it('do not match a URI outside the toolset', async () => {
    const uri = 'file:///logs/today';
    expect(await resources('server:wiki').refusal('get_resource', { uri })).toBe(
      hidden(uri, 'server:wiki'),
    );
  });
});

describe('get_resource', () => {
  it('answers every content whole, binary too', async () => {
    const uri = 'file:///readme';
    const contents = [
      { uri, mimeType: 'text/plain', text: 'a' },
      { uri, mimeType: 'image/png', blob: 'aGVsbG8=', _meta: { kept: true } },
    ];
    const { result } = resources(undefined, resulting({ contents }));
    expect(await result('get_resource', { uri })).toEqual({
      content: [{ type: 'text', text: JSON.stringify(contents) }],
    });
  });

  it('passes session and signal on', async () => {
    const { result, harness } = under(undefined, EMPTY, { session: 's3' });
    await result('get_resource', { uri: 'wiki://home' });
    expect(harness.calls[0]?.context.sessionId).toBe('s3');
  });
});
