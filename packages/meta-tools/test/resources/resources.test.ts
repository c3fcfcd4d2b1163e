import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { toAnswer, refusalOf, resultOf, harnessOf } from '../harness.ts';

const FILES = [
  {
    uri: 'file:///readme',
    name: 'readme',
    description: 'The readme',
    mimeType: 'text/plain',
    server: 'files',
  },
  { uri: 'shared://motd', name: 'motd', description: 'motd', server: 'files' },
];
const LOGS = {
  uriTemplate: 'file:///logs/{day}',
  name: 'logs',
  description: 'logs',
  server: 'files',
};
const refuseOutsideTool = (uri: string, toolset: string): string =>
  `resource "${uri}" is outside the toolset ${toolset}`;

requirement('4.2/hidden-resources', () => {
  it('lists the resources and templates of servers inside', async () => {
    expect(await toAnswer('list_resources', {}, { header: 'tool:x_files_write_file' })).toEqual([
      ...FILES,
      LOGS,
    ]);
  });

  it('lists all of them without a toolset, templates last', async () => {
    const all = (await toAnswer('list_resources')) as readonly { server: string }[];
    expect(all.map(({ server }) => server)).toEqual([
      'dev',
      'docs',
      'files',
      'files',
      'prod',
      'wiki',
      'wiki',
      'files',
    ]);
  });

  it('filters inside', async () => {
    const args = { pattern: 'FILE:///*' };
    expect(await toAnswer('filter_resources', args, { header: 'server:files' })).toEqual({
      filters: { pattern: 'FILE:///*', case_sensitive: false, limit: 5, offset: 0 },
      total_resources: 3,
      filtered_count: 1,
      total: 1,
      truncated: false,
      resources: [FILES[0]],
    });
    expect(await toAnswer('filter_resources', args, { header: 'server:wiki' })).toMatchObject({
      total_resources: 2,
      total: 0,
      resources: [],
    });
  });

  it('describes items inside the toolset and refuses the rest, known or not', async () => {
    const header = 'server:files';
    expect(await toAnswer('describe_resource', { uri: 'file:///readme' }, { header })).toEqual(
      FILES[0],
    );
    for (const uri of ['wiki://home', 'nowhere://x', '__proto__']) {
      expect(await refusalOf('describe_resource', { uri }, { header })).toBe(
        refuseOutsideTool(uri, '[server:files]'),
      );
    }
  });
});

requirement('4.2/server-inside', () => {
  it('includes a server by any of its tools', async () => {
    const header = 'tool:x_wiki_edit';
    expect(await toAnswer('describe_resource', { uri: 'wiki://home' }, { header })).toMatchObject({
      server: 'wiki',
    });
  });

  it('includes every member that provides a selected family tool', async () => {
    for (const header of ['server:k8s', 'server:dev', 'tool:x_k8s_pods']) {
      expect(await toAnswer('filter_resources', {}, { header })).toMatchObject({
        resources: [{ uri: 'dev://nodes' }, { uri: 'prod://nodes' }],
      });
    }
  });

  it('leaves all servers out of a toolset of core tools and workflows', async () => {
    const header = 'tool:core_service_list,workflow:report';
    expect(await toAnswer('list_resources', {}, { header })).toEqual([]);
    expect(await toAnswer('list_prompts', {}, { header })).toEqual([]);
  });

  it('leaves a server without tools out even of preset:full', async () => {
    expect(
      await refusalOf('get_resource', { uri: 'docs://guide' }, { header: 'preset:full' }),
    ).toBe(refuseOutsideTool('docs://guide', '[preset:full]'));
    expect(await toAnswer('describe_resource', { uri: 'docs://guide' })).toMatchObject({
      server: 'docs',
    });
  });
});

requirement('4.2/get-resource-outside', () => {
  it('refuses a resource outside, known or not, and reads nothing', async () => {
    const harness = harnessOf();
    for (const uri of ['wiki://home', 'nowhere://x']) {
      expect(await refusalOf('get_resource', { uri }, { harness, header: 'server:files' })).toBe(
        refuseOutsideTool(uri, '[server:files]'),
      );
    }
    expect(harness.calls).toEqual([]);
  });

  it('reads a resource inside', async () => {
    const contents = [{ uri: 'wiki://home', text: 'Home' }];
    const harness = harnessOf({ outcome: { ok: true, result: { contents } } });
    const asked = { harness, header: 'server:wiki' };
    expect(await toAnswer('get_resource', { uri: 'wiki://home' }, asked)).toEqual(contents);
  });
});

describe('filter_resources', () => {
  it('filters by server and pages over resources and templates', async () => {
    const args = { server: 'files', limit: 2, offset: 1 };
    expect(await toAnswer('filter_resources', args)).toEqual({
      filters: { server: 'files', case_sensitive: false, limit: 2, offset: 1 },
      total_resources: 8,
      filtered_count: 2,
      total: 3,
      truncated: false,
      resources: [FILES[1], LOGS],
    });
  });

  it('matches case on request', async () => {
    const args = { pattern: 'WIKI://*', case_sensitive: true };
    expect(await toAnswer('filter_resources', args)).toMatchObject({ total: 0 });
    expect(await toAnswer('filter_resources', { pattern: 'WIKI://*' })).toMatchObject({ total: 1 });
  });

  it('refuses a pattern that does not compile and a page that is none', async () => {
    expect(await refusalOf('filter_resources', { pattern: '[]a]' })).toBe(
      'Invalid pattern "[]a]": syntax error in pattern',
    );
    expect(await refusalOf('filter_resources', { limit: 0 })).toBe('limit must be at least 1');
    expect(await refusalOf('filter_resources', { server: 5 })).toBe('server must be a string');
  });
});

describe('a URI of several servers', () => {
  it('needs the server', async () => {
    for (const name of ['describe_resource', 'get_resource'] as const) {
      expect(await refusalOf(name, { uri: 'shared://motd' })).toBe(
        'Resource shared://motd is exposed by servers files, wiki; the "server" argument is required',
      );
    }
    expect(
      await toAnswer('describe_resource', { uri: 'shared://motd', server: 'wiki' }),
    ).toMatchObject({ server: 'wiki', description: 'Message of the day' });
  });

  it('does not need it when the toolset leaves one', async () => {
    const header = 'server:wiki';
    expect(await toAnswer('describe_resource', { uri: 'shared://motd' }, { header })).toMatchObject(
      {
        server: 'wiki',
      },
    );
  });

  it('refuses a server that does not expose it, and one that is outside', async () => {
    const wanted = { uri: 'shared://motd', server: 'docs' };
    expect(await refusalOf('describe_resource', wanted)).toBe(
      'Resource shared://motd is not available on server "docs"',
    );
    // With a toolset the refusal does not depend on the resources of a server that is outside.
    for (const server of ['docs', 'files'])
      expect(
        await refusalOf('describe_resource', { ...wanted, server }, { header: 'server:wiki' }),
      ).toBe(refuseOutsideTool('shared://motd', '[server:wiki]'));
  });
});

describe('templates', () => {
  it('route a URI that no server lists to the server whose template it matches', async () => {
    const contents = [{ uri: 'file:///logs/today', text: 'log' }];
    const harness = harnessOf({ outcome: { ok: true, result: { contents } } });
    const asked = { harness, header: 'server:files' };
    expect(await toAnswer('get_resource', { uri: 'file:///logs/today' }, asked)).toEqual(contents);
    expect(harness.calls.map(({ port, call }) => [port, call])).toEqual([
      ['readResource', { server: 'files', uri: 'file:///logs/today' }],
    ]);
  });

  it('match an equivalent URI, which the server receives as it was written', async () => {
    const harness = harnessOf({ outcome: { ok: true, result: { contents: [] } } });
    for (const uri of ['FILE:///l%6Fgs/t%20d', 'file:///logs/t d']) {
      await toAnswer('get_resource', { uri }, { harness });
    }
    expect(harness.calls.map(({ call }) => call)).toEqual([
      { server: 'files', uri: 'FILE:///l%6Fgs/t%20d' },
      { server: 'files', uri: 'file:///logs/t d' },
    ]);
  });

  it('leave a listed resource its own URI', async () => {
    const harness = harnessOf({ outcome: { ok: true, result: { contents: [] } } });
    await toAnswer('get_resource', { uri: 'file:///%72eadme' }, { harness });
    expect(harness.calls.map(({ call }) => call)).toEqual([
      { server: 'files', uri: 'file:///readme' },
    ]);
  });

  it('are described by a URI that matches and by themselves', async () => {
    for (const uri of ['file:///logs/today', 'file:///logs/{day}']) {
      expect(await toAnswer('describe_resource', { uri })).toEqual(LOGS);
    }
  });

  it('do not match a longer path, nor a URI outside the toolset', async () => {
    expect(await refusalOf('describe_resource', { uri: 'file:///logs/a/b' })).toBe(
      'Resource not found: file:///logs/a/b',
    );
    expect(
      await refusalOf('get_resource', { uri: 'file:///logs/today' }, { header: 'server:wiki' }),
    ).toBe(refuseOutsideTool('file:///logs/today', '[server:wiki]'));
  });
});

describe('get_resource', () => {
  it('answers every content whole, binary too', async () => {
    const contents = [
      { uri: 'file:///readme', mimeType: 'text/plain', text: 'a' },
      { uri: 'file:///readme', mimeType: 'image/png', blob: 'aGVsbG8=', _meta: { kept: true } },
    ];
    const harness = harnessOf({ outcome: { ok: true, result: { contents } } });
    expect(await resultOf('get_resource', { uri: 'file:///readme' }, { harness })).toEqual({
      content: [{ type: 'text', text: JSON.stringify(contents) }],
    });
  });

  it('answers why there is none', async () => {
    expect(await refusalOf('get_resource', { uri: 'nowhere://x' })).toBe(
      'Resource retrieval failed: resource not found: nowhere://x',
    );
    const harness = harnessOf({ outcome: { ok: false, text: 'request timed out' } });
    expect(await refusalOf('get_resource', { uri: 'wiki://home' }, { harness })).toBe(
      'Resource retrieval failed: request timed out',
    );
  });

  it('requires a uri', async () => {
    for (const name of ['get_resource', 'describe_resource']) {
      expect(await refusalOf(name, {})).toBe('uri argument is required');
      expect(await refusalOf(name, { uri: {} })).toBe('uri must be a string');
    }
  });

  it('passes session and signal on', async () => {
    const harness = harnessOf({ outcome: { ok: true, result: { contents: [] } } });
    await resultOf('get_resource', { uri: 'wiki://home' }, { harness, session: 's3' });
    expect(harness.calls[0]?.context.sessionId).toBe('s3');
  });
});

describe('describe_resource', () => {
  it('answers that an unknown one is not found', async () => {
    for (const uri of ['nowhere://x', '__proto__']) {
      expect(await refusalOf('describe_resource', { uri })).toBe(`Resource not found: ${uri}`);
    }
  });
});
