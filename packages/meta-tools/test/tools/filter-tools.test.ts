import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { under } from '../harness.ts';

const READ_ONLY = [
  ...['x_files_read_file', 'x_wiki_search', 'x_k8s_pods', 'workflow_report', 'core_service_list'],
];
const FILES = ['x_files_read_file', 'x_files_write_file'];

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

const { filter, tools, refusal } = under();
const readOnly = under('preset:read-only');
const refused = (args: object): Promise<string> => refusal('filter_tools', args);

requirement('4.2/filter-tools', () => {
  it('finds tools of the toolset only', async () => {
    expect(await readOnly.tools()).toEqual(READ_ONLY);
    expect(await readOnly.filter()).toMatchObject({ total_tools: 5, total: 5, filtered_count: 5 });
    expect(await readOnly.tools({ pattern: '*edit' })).toEqual([]);
    expect(await tools({ pattern: '*edit' })).toEqual(['x_wiki_edit']);
  });
});

requirement('4.3/toolset-argument', () => {
  it('resolves the selectors of the argument, and filters inside their selection', async () => {
    const toolset = ['server:files', 'workflow:report'];
    expect(await tools({ toolset })).toEqual([...FILES, 'workflow_report']);
    expect(await filter({ toolset })).toMatchObject({ total_tools: 9, total: 3 });
    expect(await tools({ toolset, pattern: '*read*' })).toEqual(['x_files_read_file']);
  });

  it('treats null as an absent argument', async () => {
    expect(await filter({ toolset: null })).not.toHaveProperty('toolset');
  });

  it.each(['server:files', { 0: 'server:files' }, [1], [['server:files']], [null]])(
    'refuses %j, which is not a list of texts',
    async (toolset) => {
      expect(await refused({ toolset })).toBe('toolset must be an array of selector strings');
    },
  );
});

requirement('4.3/within-header', () => {
  it('never widens the header, but narrows it', async () => {
    expect(await readOnly.tools({ toolset: ['preset:full'] })).toEqual(READ_ONLY);
    expect(await readOnly.tools({ toolset: ['server:files'] })).toEqual(['x_files_read_file']);
  });

  it('reports a selector that selects nothing of the header as unmatched', async () => {
    const toolset = ['tool:x_files_write_file', 'server:wiki'];
    const toolset_unmatched = ['tool:x_files_write_file'];
    expect(await readOnly.filter({ toolset })).toMatchObject({ toolset_unmatched });
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
    expect(await refused({ toolset })).toBe(text);
    expect(await under(toolset.join(',')).refusal('filter_tools', {})).toBe(text);
  });
});

requirement('8/inline-selectors-filter-tools', () => {
  it('refuses 33 selectors, not 32', async () => {
    const toolset = Array.from({ length: 33 }, (_, i) => `tool:t${String(i)}`);
    expect(await refused({ toolset })).toBe(
      `toolset [${toolset.join(',')}] has 33 selectors, more than the 32 allowed inline; define a preset`,
    );
    expect(await filter({ toolset: toolset.slice(1) })).toMatchObject({ total: 0 });
  });
});

requirement('4.3/include-presets', () => {
  it('lists the presets with their descriptions and narrows nothing', async () => {
    const answer = await filter({ include_presets: true });
    expect(answer).toMatchObject({ presets: PRESETS, total: 9 });
    expect(answer).not.toHaveProperty('toolset');
  });
});

requirement('4.3/presets', () => {
  it('is returned with the toolset argument, built-ins first, and stays away otherwise', async () => {
    expect(await filter({ toolset: ['preset:none'] })).toMatchObject({ presets: PRESETS });
    for (const answer of [under('preset:team').filter(), filter({ include_presets: false })])
      expect(await answer).not.toHaveProperty('presets');
  });
});

requirement('4.3/toolset-echo', () => {
  it('echoes the trimmed selectors, duplicates and all, but not the header', async () => {
    const toolset = [' server:files', 'preset:none\t', 'server:files'];
    const trimmed = ['server:files', 'preset:none', 'server:files'];
    expect(await filter({ toolset })).toMatchObject({ toolset: trimmed });
    const answer = await under('server:nowhere').filter();
    for (const key of ['toolset', 'toolset_unmatched']) expect(answer).not.toHaveProperty(key);
  });
});

requirement('4.3/toolset-unmatched', () => {
  it('lists the selectors that match nothing, in the order given, and is absent without any', async () => {
    const [nothing, ghosts, mail] = ['tool:nothing', 'preset:ghosts', 'server:mail'];
    const toolset = [nothing, 'server:files', ghosts, mail, nothing];
    const toolset_unmatched = [nothing, ghosts, mail, nothing];
    expect(await filter({ toolset })).toMatchObject({ toolset_unmatched });
    expect(await filter({ toolset: ['server:files'] })).not.toHaveProperty('toolset_unmatched');
  });
});

requirement('4.3/none-never-unmatched', () => {
  it('does not report preset:none', async () => {
    expect(await filter({ toolset: ['preset:none', 'tool:nothing'] })).toMatchObject({
      toolset_unmatched: ['tool:nothing'],
      total: 0,
    });
    expect(await filter({ toolset: ['preset:none'] })).not.toHaveProperty('toolset_unmatched');
  });
});

requirement('9.2/filter-arguments', () => {
  it('accepts toolset and include_presets', async () => {
    const args = { toolset: ['server:files'], include_presets: true };
    expect(await filter(args)).toMatchObject({ total: 2, presets: PRESETS });
  });
});

requirement('9.2/tool-entry-fields', () => {
  it('shows server, kind and annotations on every entry that has them', async () => {
    const { tools: entries } = (await filter({ limit: 9 })) as { tools: readonly object[] };
    const read = { server: 'files', kind: 'tool', annotations: { readOnlyHint: true } };
    const signature = 'path: string';
    expect([entries[0], entries[5]]).toEqual([
      { name: 'x_files_read_file', summary: 'Read a file', ...read, signature },
      {
        name: 'workflow_deploy',
        summary: 'Deploy a service',
        kind: 'workflow',
        labels: { team: 'web' },
        signature: 'service: string',
      },
    ]);
  });
});

describe('the answer', () => {
  it('has this shape', async () => {
    expect(await filter({ limit: 1 })).toEqual({
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
          signature: 'path: string',
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
    const filters = { ...args, labels: { team: 'web', level: '2' } };
    expect(await filter(args)).toMatchObject({ filters, tools: [] });
  });

  it.each([
    [undefined, { filters: { limit: 5 }, filtered_count: 5, total: 9, truncated: true }],
    [{ limit: 100 }, { filtered_count: 9, truncated: false }],
    [{ offset: 100 }, { tools: [], total: 9, truncated: false }],
  ])('has five entries unless more are asked for: %j', async (args, expected) => {
    expect(await filter(args)).toMatchObject(expected);
  });

  it('has signatures of tools without their schemas only', async () => {
    const args = { pattern: 'x_k8s_pods' };
    const signature = 'namespace: string, cluster: "dev"|"prod"';
    expect(await filter(args)).toMatchObject({ tools: [{ signature }] });
    const { tools: full } = (await filter({ ...args, include_schema: true })) as {
      tools: readonly object[];
    };
    expect(full[0]).not.toHaveProperty('signature');
  });

  it('counts tools that are left out, and names the closest word when nothing matches', async () => {
    expect(await filter({ query: 'zzzqqq' })).toEqual({
      filters: {
        query: 'zzzqqq',
        case_sensitive: false,
        include_schema: false,
        limit: 5,
        offset: 0,
      },
      total_tools: 9,
      filtered_count: 0,
      total: 0,
      truncated: false,
      tools: [],
    });
    expect(await filter({ query: 'zservizes' })).toMatchObject({ total: 0, closest: 'service' });
    const found = await filter({ query: 'stop a service' });
    expect(found).toMatchObject({ total: 3, left_out: 1 });
    expect(found).not.toHaveProperty('closest');
  });

  it('is JSON even when nothing is visible', async () => {
    const nothing = { total_tools: 0, total: 0, tools: [] };
    expect(await under('preset:none').filter()).toMatchObject(nothing);
  });
});

describe('filters', () => {
  it('ranks by words and gives scores, best first', async () => {
    const { tools: found } = (await filter({ query: 'write file' })) as {
      tools: readonly { name: string; score: number }[];
    };
    expect(found.map(({ name }) => name)).toEqual(FILES.toReversed());
    expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? Infinity);
  });

  it.each([
    ['nothing for a query without words', { query: '?!' }, []],
    [
      'the whole name by a pattern, in any case',
      { pattern: 'X_WIKI_*' },
      ['x_wiki_search', 'x_wiki_edit'],
    ],
    ['the case of a pattern on request', { pattern: 'X_WIKI_*', case_sensitive: true }, []],
    ['a text of the full description', { description_filter: 'reads ALL' }, ['x_files_read_file']],
    ['a label', { labels: { team: 'web' } }, ['workflow_deploy']],
    ['no part of a label', { labels: { team: 'we' } }, []],
    ['no label of the prototype', { labels: JSON.parse('{"__proto__":"x"}') as object }, []],
  ])('find %s', async (_, args, names) => {
    expect(await tools(args)).toEqual(names);
  });

  it('find everything for an empty query', async () => {
    expect(await filter({ query: '' })).toMatchObject({ total: 9 });
  });

  it('shows schema and full description on request', async () => {
    const description = 'Read a file\nReads all of it.';
    const inputSchema = { properties: { path: { type: 'string' } } };
    const args = { pattern: 'x_files_read_file', include_schema: true };
    expect(await filter(args)).toMatchObject({ tools: [{ description, inputSchema }] });
  });

  it('refuses a pattern that does not compile', async () => {
    expect(await refused({ pattern: 'x_[' })).toBe(
      'Invalid pattern "x_[": syntax error in pattern',
    );
  });

  it('refuses in this order: header, page, toolset type, selectors, presets, pattern', async () => {
    const args = { limit: 0, toolset: 5, pattern: '[' };
    const page = { limit: 1, pattern: '[' };
    expect(await under('').refusal('filter_tools', args)).toMatch(/^toolset \[\] is empty/);
    expect(await refused(args)).toBe('limit must be at least 1');
    expect(await refused({ ...args, limit: 1 })).toBe(
      'toolset must be an array of selector strings',
    );
    expect(await refused({ ...page, toolset: ['preset:foo', 'x'] })).toMatch(/"x" is malformed/);
    expect(await refused({ ...page, toolset: ['preset:foo'] })).toMatch(/unknown preset "foo"/);
    expect(await refused({ ...page, toolset: ['server:files'] })).toMatch(/^Invalid pattern/);
  });
});
