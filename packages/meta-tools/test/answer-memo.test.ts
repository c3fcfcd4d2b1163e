import type { CallResult } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { presetsOf, harnessOf, type HarnessOptions } from './harness.ts';
import { contextOf } from './native/native-harness.ts';

type Answer = CallResult | Promise<CallResult>;

const asking = (parts: HarnessOptions = {}) => {
  const { metaTools, toolsetRefusals } = harnessOf(parts);
  const ask = (name: string, args: unknown = {}, header?: string): Answer => {
    const toolsetHeader = header === undefined ? undefined : [header];
    return metaTools.call({ name, arguments: args, toolsetHeader, context: contextOf() });
  };
  const find = (query: string): Answer => ask('filter_tools', { query });
  const findAll = (prefix: string, count: number): readonly Answer[] =>
    Array.from({ length: count }, (_, index) => find(`${prefix}${String(index)}`));
  return { ask, find, findAll, toolsetRefusals };
};

describe('an answer about an unchanged catalog', () => {
  it.each([
    ['filter_tools', { query: 'read' }],
    ['describe_tool', { name: 'x_files_read_file' }],
    ['list_core_tools', {}],
    ['list_resources', {}],
    ['filter_resources', { server: 'files' }],
    ['describe_resource', { uri: 'file:///readme' }],
    ['list_prompts', {}],
    ['filter_prompts', {}],
    ['describe_prompt', { name: 'x_files_review' }],
  ] as const)('is the same object for %s on a repeated call', (name, args) => {
    const { ask } = asking();
    for (const header of [undefined, 'server:files,tool:core_service_list']) {
      const first = ask(name, args, header);
      expect(first).not.toBeInstanceOf(Promise);
      expect(ask(name, { ...args }, header)).toBe(first);
      expect(ask(name, args, 'preset:full')).not.toBe(first);
    }
  });

  it('is another after a change of the catalog, of the presets, or of who must sign in', () => {
    let [snapshot, presets] = [buildCatalog(catalogInput), presetsOf({})];
    const signedOut: string[] = [];
    const parts = { snapshotOf: () => snapshot, presets: () => presets, signedOut };
    const { ask } = asking(parts);
    const filter = () => ask('filter_tools', { include_presets: true });
    const filtered = filter();
    presets = presetsOf({ more: { include: [{ server: 'files' }] } });
    expect(JSON.stringify(filter())).toContain('more');
    expect(filter()).not.toBe(filtered);
    snapshot = buildCatalog({ ...catalogInput, servers: [] }, snapshot);
    expect(JSON.stringify(filter())).not.toContain('x_files');
    expect(JSON.stringify(ask('list_tools'))).not.toContain('auth_required');
    signedOut.push('mail');
    expect(JSON.stringify(ask('list_tools'))).toContain('auth_required');
  });

  it('is not cached when it is a refusal: each is reported', () => {
    const { ask, toolsetRefusals } = asking();
    for (let time = 0; time < 3; time += 1)
      void ask('describe_tool', { name: 'x_wiki_search' }, 'server:files');
    expect(toolsetRefusals).toEqual(['outside', 'outside', 'outside']);
  });

  it('is evicted by newer ones: 512 are cached, and questions of more than 4,096 characters are not', () => {
    const { find, findAll } = asking();
    const [first, second] = findAll('q', 512);
    expect(find('q0')).toBe(first);
    expect(find('q1')).toBe(second);
    void findAll('r', 511);
    expect(find('q1')).toBe(second);
    expect(find('q0')).not.toBe(first);
    const long = 'x'.repeat(4_096);
    expect(find(long)).not.toBe(find(long));
  });

  it('replaces the oldest one when all were used again, and then one that was not', () => {
    const { find, findAll } = asking();
    const answers = findAll('q', 512);
    expect(findAll('q', 512)).toEqual(answers);
    const added = find('q512');
    expect(find('q512')).toBe(added);
    expect(find('q2')).toBe(answers[2]);
    void find('q513');
    expect(find('q512')).toBe(added);
    expect(find('q2')).toBe(answers[2]);
    expect(find('q0')).not.toBe(answers[0]);
  });
});
