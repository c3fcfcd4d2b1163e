import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { toAnswer, listNames, refusalOf } from '../harness.ts';

const READ_ONLY = [
  'x_files_read_file',
  'x_wiki_search',
  'x_k8s_pods',
  'workflow_report',
  'core_service_list',
];

const PRESETS = [
  {
    name: 'read-only',
    description:
      'Every tool its server annotates read-only, plus every workflow whose step tools are all read-only',
    built_in: true,
  },
  { name: 'none', description: 'No tools', built_in: true },
  {
    name: 'full',
    description: "The whole catalogue, including the gateway's core tools",
    built_in: true,
  },
  { name: 'ghosts', description: '', built_in: false },
  { name: 'storage', description: '', built_in: false },
  { name: 'team', description: 'Files of the team', built_in: false },
];

requirement('4.2/filter-tools', () => {
  it('finds tools of the toolset only', async () => {
    const header = 'preset:read-only';
    const answer = await toAnswer('filter_tools', {}, { header });
    expect(listNames(answer, 'tools')).toEqual(READ_ONLY);
    expect(answer).toMatchObject({ total_tools: 5, total: 5, filtered_count: 5 });
    expect(await toAnswer('filter_tools', { pattern: '*edit' }, { header })).toMatchObject({
      tools: [],
    });
  });

  it('finds tools of the whole catalog without a toolset', async () => {
    expect(listNames(await toAnswer('filter_tools', { pattern: '*edit' }), 'tools')).toEqual([
      'x_wiki_edit',
    ]);
  });
});

requirement('4.3/toolset-argument', () => {
  it('resolves the selectors of the argument', async () => {
    const answer = await toAnswer('filter_tools', { toolset: ['server:files', 'workflow:report'] });
    expect(listNames(answer, 'tools')).toEqual([
      'x_files_read_file',
      'x_files_write_file',
      'workflow_report',
    ]);
    expect(answer).toMatchObject({ total_tools: 9, total: 3 });
  });

  it('filters inside the selection of the argument', async () => {
    const args = { toolset: ['server:files'], pattern: '*read*' };
    expect(listNames(await toAnswer('filter_tools', args), 'tools')).toEqual(['x_files_read_file']);
  });

  it('treats null as an absent argument', async () => {
    expect(await toAnswer('filter_tools', { toolset: null })).not.toHaveProperty('toolset');
  });

  it('refuses a value that is not a list of texts', async () => {
    for (const toolset of [
      'server:files',
      { 0: 'server:files' },
      [1],
      [['server:files']],
      [null],
    ]) {
      expect(await refusalOf('filter_tools', { toolset })).toBe(
        'toolset must be an array of selector strings',
      );
    }
  });
});

requirement('4.3/within-header', () => {
  const header = 'preset:read-only';

  it('never widens the header', async () => {
    const args = { toolset: ['preset:full'] };
    const answer = await toAnswer('filter_tools', args, { header });
    expect(listNames(answer, 'tools')).toEqual(READ_ONLY);
    expect(answer).toMatchObject({ total_tools: 5, total: 5 });
  });

  it('narrows the header', async () => {
    const args = { toolset: ['server:files'] };
    const answer = await toAnswer('filter_tools', args, { header });
    expect(listNames(answer, 'tools')).toEqual(['x_files_read_file']);
  });

  it('reports a selector that selects nothing of the header as unmatched', async () => {
    const args = { toolset: ['tool:x_files_write_file', 'server:wiki'] };
    expect(await toAnswer('filter_tools', args, { header })).toMatchObject({
      toolset_unmatched: ['tool:x_files_write_file'],
    });
  });
});

requirement('4.3/argument-errors', () => {
  it.each([
    [[], 'toolset [] is empty; use "preset:none" for an agent without tools'],
    [['toolset:x'], 'toolset [toolset:x] selector "toolset:x" is reserved for shared toolsets'],
    [['label:a=b'], 'toolset [label:a=b] selector "label:a=b" is allowed inside presets only'],
    [
      ['server:files', 'files'],
      'toolset [server:files,files] selector "files" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
    ],
    [
      ['preset:foo'],
      'toolset [preset:foo] names unknown preset "foo"; known presets: read-only, none, full, ghosts, storage, team',
    ],
  ])('refuses %j with the text of the header', async (toolset, text) => {
    expect(await refusalOf('filter_tools', { toolset })).toBe(text);
    expect(await refusalOf('filter_tools', {}, { header: toolset.join(',') })).toBe(text);
  });
});

requirement('8/inline-selectors-filter-tools', () => {
  it('refuses 33 selectors, not 32', async () => {
    const toolset = Array.from({ length: 33 }, (_, i) => `tool:t${String(i)}`);
    expect(await refusalOf('filter_tools', { toolset })).toBe(
      `toolset [${toolset.join(',')}] has 33 selectors, more than the 32 allowed inline; define a preset`,
    );
    expect(await toAnswer('filter_tools', { toolset: toolset.slice(1) })).toMatchObject({
      total: 0,
    });
  });
});

requirement('4.3/include-presets', () => {
  it('lists the presets with their descriptions and narrows nothing', async () => {
    const answer = await toAnswer('filter_tools', { include_presets: true });
    expect(answer).toMatchObject({ presets: PRESETS, total: 9 });
    expect(answer).not.toHaveProperty('toolset');
  });
});

requirement('4.3/presets', () => {
  it('is returned with the toolset argument, built-ins first', async () => {
    expect(await toAnswer('filter_tools', { toolset: ['preset:none'] })).toMatchObject({
      presets: PRESETS,
    });
  });
  it('stays away otherwise', async () => {
    expect(await toAnswer('filter_tools', {}, { header: 'preset:team' })).not.toHaveProperty(
      'presets',
    );
    expect(await toAnswer('filter_tools', { include_presets: false })).not.toHaveProperty(
      'presets',
    );
  });
});

requirement('4.3/toolset-echo', () => {
  it('echoes the trimmed selectors, duplicates and all', async () => {
    const toolset = [' server:files', 'preset:none\t', 'server:files'];
    expect(await toAnswer('filter_tools', { toolset })).toMatchObject({
      toolset: ['server:files', 'preset:none', 'server:files'],
    });
  });
  it('does not echo the header', async () => {
    const answer = await toAnswer('filter_tools', {}, { header: 'server:nowhere' });
    expect(answer).not.toHaveProperty('toolset');
    expect(answer).not.toHaveProperty('toolset_unmatched');
  });
});

requirement('4.3/toolset-unmatched', () => {
  it('lists the selectors that match nothing, in the order given', async () => {
    const toolset = [
      'tool:nothing',
      'server:files',
      'preset:ghosts',
      'server:mail',
      'tool:nothing',
    ];
    expect(await toAnswer('filter_tools', { toolset })).toMatchObject({
      toolset_unmatched: ['tool:nothing', 'preset:ghosts', 'server:mail', 'tool:nothing'],
    });
  });
  it('is left out when everything selected something', async () => {
    const answer = await toAnswer('filter_tools', { toolset: ['server:files'] });
    expect(answer).not.toHaveProperty('toolset_unmatched');
  });
});

requirement('4.3/none-never-unmatched', () => {
  it('does not report preset:none', async () => {
    const answer = await toAnswer('filter_tools', { toolset: ['preset:none', 'tool:nothing'] });
    expect(answer).toMatchObject({ toolset_unmatched: ['tool:nothing'], total: 0 });
    expect(await toAnswer('filter_tools', { toolset: ['preset:none'] })).not.toHaveProperty(
      'toolset_unmatched',
    );
  });
});

requirement('9.2/filter-arguments', () => {
  it('accepts toolset and include_presets', async () => {
    const args = { toolset: ['server:files'], include_presets: true };
    expect(await toAnswer('filter_tools', args)).toMatchObject({ total: 2, presets: PRESETS });
  });
});

requirement('9.2/tool-entry-fields', () => {
  it('shows server, kind and annotations on every entry that has them', async () => {
    expect(await toAnswer('filter_tools', { pattern: 'x_files_read*' })).toMatchObject({
      tools: [{ server: 'files', kind: 'tool', annotations: { readOnlyHint: true } }],
    });
    const { tools } = (await toAnswer('filter_tools', { pattern: 'workflow_deploy' })) as {
      tools: readonly object[];
    };
    expect(tools[0]).toMatchObject({ kind: 'workflow' });
    expect(tools[0]).not.toHaveProperty('server');
    expect(tools[0]).not.toHaveProperty('annotations');
  });
});

describe('the answer', () => {
  it('has this shape', async () => {
    expect(await toAnswer('filter_tools', { limit: 1 })).toEqual({
      filters: { case_sensitive: false, include_schema: false, limit: 1, offset: 0 },
      total_tools: 9,
      filtered_count: 1,
      total: 9,
      truncated: true,
      tools: [
        {
          name: 'x_files_read_file',
          summary: 'Read a file',
          server: 'files',
          kind: 'tool',
          annotations: { readOnlyHint: true },
        },
      ],
    });
  });

  it('repeats every filter that was given', async () => {
    const args = {
      query: 'file',
      pattern: 'x_*',
      description_filter: 'FILE',
      case_sensitive: true,
      include_schema: true,
      limit: 3,
      offset: 1,
      labels: { team: 'web', level: 2 },
    };
    expect(await toAnswer('filter_tools', args)).toMatchObject({
      filters: { ...args, labels: { team: 'web', level: '2' } },
      tools: [],
    });
  });

  it('has five entries unless more are asked for', async () => {
    expect(await toAnswer('filter_tools')).toMatchObject({
      filters: { limit: 5 },
      filtered_count: 5,
      total: 9,
      truncated: true,
    });
    expect(await toAnswer('filter_tools', { limit: 100 })).toMatchObject({
      filtered_count: 9,
      truncated: false,
    });
    expect(await toAnswer('filter_tools', { offset: 100 })).toMatchObject({
      tools: [],
      total: 9,
      truncated: false,
    });
  });

  it('is JSON even when nothing is visible', async () => {
    expect(await toAnswer('filter_tools', {}, { header: 'preset:none' })).toMatchObject({
      total_tools: 0,
      total: 0,
      tools: [],
    });
  });
});

describe('filters', () => {
  it('ranks by words and gives scores, best first', async () => {
    const { tools } = (await toAnswer('filter_tools', { query: 'write file' })) as {
      tools: readonly { name: string; score: number }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(['x_files_write_file', 'x_files_read_file']);
    expect(tools[0]?.score).toBeGreaterThan(tools[1]?.score ?? Infinity);
  });

  it('finds nothing for a query without words, everything for an empty one', async () => {
    expect(await toAnswer('filter_tools', { query: '?!' })).toMatchObject({ total: 0 });
    expect(await toAnswer('filter_tools', { query: '' })).toMatchObject({ total: 9 });
  });

  it('matches the pattern against the whole name, case-insensitively by default', async () => {
    expect(listNames(await toAnswer('filter_tools', { pattern: 'X_WIKI_*' }), 'tools')).toEqual([
      'x_wiki_search',
      'x_wiki_edit',
    ]);
    expect(
      await toAnswer('filter_tools', { pattern: 'X_WIKI_*', case_sensitive: true }),
    ).toMatchObject({ total: 0 });
  });

  it('searches the full description for a text', async () => {
    expect(
      listNames(await toAnswer('filter_tools', { description_filter: 'reads ALL' }), 'tools'),
    ).toEqual(['x_files_read_file']);
  });

  it('requires every label exactly', async () => {
    expect(listNames(await toAnswer('filter_tools', { labels: { team: 'web' } }), 'tools')).toEqual(
      ['workflow_deploy'],
    );
    expect(await toAnswer('filter_tools', { labels: { team: 'we' } })).toMatchObject({ total: 0 });
    expect(
      await toAnswer('filter_tools', { labels: JSON.parse('{"__proto__":"x"}') }),
    ).toMatchObject({ total: 0 });
  });

  it('shows schema and full description on request', async () => {
    const args = { pattern: 'x_files_read_file', include_schema: true };
    expect(await toAnswer('filter_tools', args)).toMatchObject({
      tools: [
        {
          description: 'Read a file\nReads all of it.',
          inputSchema: { properties: { path: { type: 'string' } } },
        },
      ],
    });
  });

  it('refuses a pattern that does not compile', async () => {
    expect(await refusalOf('filter_tools', { pattern: 'x_[' })).toBe(
      'Invalid pattern "x_[": syntax error in pattern',
    );
  });

  it('refuses in this order: page, toolset type, header first of all, selectors, presets, pattern', async () => {
    const args = { limit: 0, toolset: 5, pattern: '[' };
    expect(await refusalOf('filter_tools', args, { header: '' })).toMatch(/^toolset \[\] is empty/);
    expect(await refusalOf('filter_tools', args)).toBe('limit must be at least 1');
    expect(await refusalOf('filter_tools', { ...args, limit: 1 })).toBe(
      'toolset must be an array of selector strings',
    );
    expect(await refusalOf('filter_tools', { toolset: ['preset:foo', 'x'], pattern: '[' })).toMatch(
      /selector "x" is malformed/,
    );
    expect(await refusalOf('filter_tools', { toolset: ['preset:foo'], pattern: '[' })).toMatch(
      /unknown preset "foo"/,
    );
    expect(await refusalOf('filter_tools', { toolset: ['server:files'], pattern: '[' })).toMatch(
      /^Invalid pattern/,
    );
  });
});
