import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { presetsOf } from '../harness.ts';
import {
  errorOf,
  inputOf,
  listOf,
  listNames,
  nativeHarness,
  serverOf,
  snapshotOf,
  underHeader,
} from './native-harness.ts';

const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const;

describe('the native lists', () => {
  it('show everything but core tools, under own names in catalog order', () => {
    const harness = nativeHarness();
    expect(listNames(harness, 'tools/list')).toEqual([
      ...['read_file', 'write_file', 'search', 'edit', 'pods'],
      ...['workflow_deploy', 'workflow_report'],
    ]);
    expect(listNames(harness, 'resources/list')).toEqual([
      ...['dev://nodes', 'docs://guide', 'file:///readme', 'shared://motd'],
      ...['prod://nodes', 'wiki://home'],
    ]);
    expect(listNames(harness, 'resources/templates/list')).toEqual(['file:///logs/{day}']);
    expect(listNames(harness, 'prompts/list')).toEqual(['ask', 'review', 'summary']);
  });

  it('show a family as one tool with the instance argument', () => {
    const pods = listOf(nativeHarness(), 'tools/list').find(({ name }) => name === 'pods');
    const cluster = {
      type: 'string',
      enum: ['dev', 'prod'],
      description: 'Target instance to execute this tool on. Available: dev, prod',
    };
    const properties = { namespace: { type: 'string' }, cluster };
    expect(pods).toEqual({
      name: 'pods',
      description: 'List pods (available on servers: dev, prod)',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties, required: ['namespace', 'cluster'] },
    });
  });

  it('show an entry as its server listed it, every field, with the name alone replaced', () => {
    const inputSchema = { type: 'object', properties: {} };
    const listed = { name: 'do', icons: [{ src: 'a://i' }], inputSchema, 'x-own': [1], _meta: {} };
    const tool = { name: 'do', inputSchema, listed };
    const prompt = { name: 'ask', listed: { name: 'ask', title: 'Ask', own: 1 } };
    const offer = (name: string) => serverOf(name, [], { tools: [tool], prompts: [prompt] });
    const alone = nativeHarness({ input: inputOf(offer('a')) });
    expect(listOf(alone, 'tools/list')[0]).toBe(listed);
    expect(listOf(alone, 'prompts/list')[0]).toBe(prompt.listed);
    const both = nativeHarness({ input: inputOf(offer('a'), offer('b')) });
    expect(listOf(both, 'tools/list')).toEqual([
      { ...listed, name: 'x_a_do' },
      { ...listed, name: 'x_b_do' },
    ]);
    expect(listNames(both, 'prompts/list')).toEqual(['x_a_ask', 'x_b_ask']);
  });

  it('show one of several resources of one URI: the first server that is visible', () => {
    const harness = nativeHarness();
    const motdOf = (header?: string) =>
      listOf(harness, 'resources/list', header).filter(({ uri }) => uri === 'shared://motd');
    expect(motdOf()).toEqual([{ uri: 'shared://motd', name: 'motd' }]);
    expect(motdOf('server:wiki')).toEqual([
      { uri: 'shared://motd', name: 'motd', description: 'Message of the day' },
    ]);
  });

  it('show a URI without a scheme under its own text where it is unique, else under the exposed one', () => {
    const offer = (name: string, ...uris: readonly string[]) =>
      serverOf(name, [], { resources: uris.map((uri) => ({ uri })) });
    const input = inputOf(offer('a', 'notes', 'todo'), offer('b', 'todo'));
    expect(listNames(nativeHarness({ input }), 'resources/list')).toEqual([
      'notes',
      'x_a_todo',
      'x_b_todo',
    ]);
  });
});

requirement('4.2/native-lists', () => {
  it.each([
    ['server:files', ['read_file', 'write_file'], ['review']],
    ['tool:x_files_read_file', ['read_file'], ['review']],
    ['server:dev', ['pods'], []],
    ['preset:none', [], []],
    ['workflow:deploy', ['workflow_deploy'], []],
    ['tool:core_service_list', [], []],
  ])('narrows all lists under %s', (header, tools, prompts) => {
    const harness = nativeHarness();
    expect(listNames(harness, 'tools/list', header)).toEqual(tools);
    expect(listNames(harness, 'prompts/list', header)).toEqual(prompts);
  });

  it('shows resources and templates of servers inside alone', () => {
    const harness = nativeHarness();
    const resources = listNames(harness, 'resources/list', 'server:files');
    expect(resources).toEqual(['file:///readme', 'shared://motd']);
    const templates = (header: string) => listNames(harness, 'resources/templates/list', header);
    expect(templates('server:files')).toEqual(['file:///logs/{day}']);
    expect(templates('server:wiki')).toEqual([]);
  });

  it('answers a refused toolset with the text of the spec as an error, and with no list', () => {
    const harness = nativeHarness();
    for (const method of LISTS)
      expect(harness.surface.list(method, underHeader('files'))).toEqual(
        errorOf(
          -32602,
          'toolset [files] selector "files" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
        ),
      );
    expect(harness.toolsetRefusals).toEqual(LISTS.map(() => 'malformed'));
  });
});

describe('the arrays of lists', () => {
  it('are the same while nothing changed, for every toolset', () => {
    const harness = nativeHarness();
    for (const method of LISTS) {
      for (const header of [undefined, 'server:files', 'preset:none', 'preset:full'])
        expect(listOf(harness, method, header)).toBe(listOf(harness, method, header));
    }
    expect(listOf(harness, 'tools/list', 'preset:full')).toBe(listOf(harness, 'tools/list'));
  });

  it('stay the same over a change of something else, and so do entries', () => {
    const input = (more: readonly string[]) =>
      inputOf(files, serverOf('z', more, { prompts: [{ name: 'ask' }] }));
    const files = serverOf('files', [], {
      tools: [{ name: 'read', inputSchema: { type: 'object' }, listed: { name: 'read' } }],
      resources: [{ uri: 'a://b' }],
    });
    let current = buildCatalog(input([]));
    const harness = nativeHarness({ snapshotOf: () => current });
    const before = LISTS.map((method) => listOf(harness, method));
    current = buildCatalog(input(['new']), current);
    const after = LISTS.map((method) => listOf(harness, method));
    expect(after[0]).not.toBe(before[0]);
    expect(after[0]?.[0]).toBe(before[0]?.[0]);
    expect(after[1]).toBe(before[1]);
  });

  it('are others after a change of the presets that a toolset names', () => {
    let presets = presetsOf({ mine: { include: [{ server: 'files' }] } });
    const harness = nativeHarness({ presets: () => presets });
    expect(listNames(harness, 'tools/list', 'preset:mine')).toEqual(['read_file', 'write_file']);
    presets = presetsOf({ mine: { include: [{ server: 'wiki' }] } });
    expect(listNames(harness, 'tools/list', 'preset:mine')).toEqual(['search', 'edit']);
  });

  it('are cached for a bounded number of toolsets, and rebuilt correctly', () => {
    const names = Array.from({ length: 300 }, (_, index) => `t${String(index)}`);
    const harness = nativeHarness({ snapshotOf: () => snapshot });
    const snapshot = snapshotOf(serverOf('s', names));
    const first = listOf(harness, 'tools/list', 'tool:x_s_t0');
    for (const name of names)
      expect(listNames(harness, 'tools/list', `tool:x_s_${name}`)).toEqual([name]);
    expect(listOf(harness, 'tools/list', 'tool:x_s_t0')).not.toBe(first);
    expect(listOf(harness, 'tools/list', 'tool:x_s_t0')).toEqual(first);
  });
});

it('gives the input schema of a tool of the list by either name, where the toolset has the tool', () => {
  const harness = nativeHarness();
  const schemaOf = (name: string, header?: string) =>
    harness.surface.inputSchema(name, underHeader(header));
  const schema = { type: 'object', properties: {}, required: [] };
  for (const name of ['search', 'x_wiki_search']) {
    for (const header of [undefined, 'server:wiki']) expect(schemaOf(name, header)).toEqual(schema);
    for (const header of ['server:files', 'wiki', 'x_unknown_*'])
      expect(schemaOf(name, header)).toBeUndefined();
  }
  const pods = listOf(harness, 'tools/list').find(({ name }) => name === 'pods');
  expect(schemaOf('pods')).toEqual(pods?.['inputSchema']);
  for (const name of ['core_service_list', 'nothing']) expect(schemaOf(name)).toBeUndefined();
});
