import { ANONYMOUS, type CallResult } from '@gateway/call-contract';
import { buildCatalog } from '@gateway/catalog';
import { describe, expect, it } from 'vitest';
import { catalogInput } from './catalog-input.ts';
import { presetsOf, harnessOf, type Harness } from './harness.ts';

const ask = (
  { metaTools }: Harness,
  name: string,
  args: unknown = {},
  header?: string,
): CallResult | Promise<CallResult> =>
  metaTools.call({
    name,
    arguments: args,
    toolsetHeader: header === undefined ? undefined : [header],
    context: { principal: ANONYMOUS, sessionId: 's1', signal: new AbortController().signal },
  });

const CATALOG_QUESTIONS = [
  ['filter_tools', { query: 'read' }],
  ['describe_tool', { name: 'x_files_read_file' }],
  ['list_core_tools', {}],
  ['list_resources', {}],
  ['filter_resources', { server: 'files' }],
  ['describe_resource', { uri: 'file:///readme' }],
  ['list_prompts', {}],
  ['filter_prompts', {}],
  ['describe_prompt', { name: 'x_files_review' }],
] as const;

describe('an answer about an unchanged catalog', () => {
  it.each(CATALOG_QUESTIONS)('is the same object for %s on a repeated call', (name, args) => {
    const harness = harnessOf();
    for (const header of [undefined, 'server:files,tool:core_service_list']) {
      const first = ask(harness, name, args, header);
      expect(first).not.toBeInstanceOf(Promise);
      expect(ask(harness, name, { ...args }, header)).toBe(first);
      expect(ask(harness, name, args, 'preset:full')).not.toBe(first);
    }
  });

  it('is another after a change of the catalog, of the presets, or of who must sign in', () => {
    let snapshot = buildCatalog(catalogInput);
    let presets = presetsOf({});
    const signedOut: string[] = [];
    const harness = harnessOf({ snapshotOf: () => snapshot, presets: () => presets, signedOut });
    const filtered = ask(harness, 'filter_tools', { include_presets: true });
    presets = presetsOf({ more: { include: [{ server: 'files' }] } });
    expect(JSON.stringify(ask(harness, 'filter_tools', { include_presets: true }))).toContain(
      'more',
    );
    expect(ask(harness, 'filter_tools', { include_presets: true })).not.toBe(filtered);
    snapshot = buildCatalog({ ...catalogInput, servers: [] }, snapshot);
    expect(JSON.stringify(ask(harness, 'filter_tools', {}))).not.toContain('x_files');
    expect(JSON.stringify(ask(harness, 'list_tools'))).not.toContain('auth_required');
    signedOut.push('mail');
    expect(JSON.stringify(ask(harness, 'list_tools'))).toContain('auth_required');
  });

  it('is not cached when it is a refusal: each is reported', () => {
    const harness = harnessOf();
    for (let time = 0; time < 3; time += 1)
      void ask(harness, 'describe_tool', { name: 'x_wiki_search' }, 'server:files');
    expect(harness.toolsetRefusals).toEqual(['outside', 'outside', 'outside']);
  });

  it('is evicted by newer ones: 512 are cached, and questions of more than 4,096 characters are not', () => {
    const harness = harnessOf();
    const first = ask(harness, 'filter_tools', { query: 'q0' });
    for (let index = 1; index < 512; index += 1)
      void ask(harness, 'filter_tools', { query: `q${String(index)}` });
    expect(ask(harness, 'filter_tools', { query: 'q0' })).toBe(first);
    const second = ask(harness, 'filter_tools', { query: 'q1' });
    for (let index = 0; index < 511; index += 1)
      void ask(harness, 'filter_tools', { query: `r${String(index)}` });
    expect(ask(harness, 'filter_tools', { query: 'q1' })).toBe(second);
    expect(ask(harness, 'filter_tools', { query: 'q0' })).not.toBe(first);
    const long = { query: 'x'.repeat(4_096) };
    expect(ask(harness, 'filter_tools', long)).not.toBe(ask(harness, 'filter_tools', long));
  });

  it('replaces the oldest one when all were used again, and then one that was not', () => {
    const harness = harnessOf();
    const question = (index: number) =>
      ask(harness, 'filter_tools', { query: `q${String(index)}` });
    const answers = Array.from({ length: 512 }, (_, index) => question(index));
    expect(answers.map((_, index) => question(index))).toEqual(answers);
    const added = question(512);
    expect(question(512)).toBe(added);
    expect(question(2)).toBe(answers[2]);
    void question(513);
    expect(question(512)).toBe(added);
    expect(question(2)).toBe(answers[2]);
    expect(question(0)).not.toBe(answers[0]);
  });
});
