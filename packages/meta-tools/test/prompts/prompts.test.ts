import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { toAnswer, refusalOf, resultOf, harnessOf } from '../harness.ts';

const REVIEW = { name: 'x_files_review', description: 'Review a file', server: 'files' };
const SUMMARY = { name: 'x_wiki_summary', server: 'wiki' };
const refuseOutsideTool = (name: string, toolset: string): string =>
  `prompt "${name}" is outside the toolset ${toolset}`;

requirement('4.2/hidden-prompts', () => {
  it('lists and filters the prompts of servers inside', async () => {
    const header = 'tool:x_files_read_file';
    expect(await toAnswer('list_prompts', {}, { header })).toEqual([REVIEW]);
    expect(await toAnswer('filter_prompts', { pattern: 'x_*' }, { header })).toEqual({
      filters: { pattern: 'x_*', case_sensitive: false, limit: 5, offset: 0 },
      total_prompts: 1,
      filtered_count: 1,
      total: 1,
      truncated: false,
      prompts: [REVIEW],
    });
  });

  it('lists all of them without a toolset', async () => {
    expect(await toAnswer('list_prompts')).toEqual([
      { name: 'x_docs_ask', server: 'docs' },
      REVIEW,
      SUMMARY,
    ]);
  });

  it('describes items inside the toolset and refuses the rest, known or not', async () => {
    const header = 'server:wiki';
    expect(await toAnswer('describe_prompt', { name: 'x_wiki_summary' }, { header })).toEqual(
      SUMMARY,
    );
    for (const name of ['x_files_review', 'x_docs_ask', 'x_none', '__proto__']) {
      expect(await refusalOf('describe_prompt', { name }, { header })).toBe(
        refuseOutsideTool(name, '[server:wiki]'),
      );
    }
  });
});

requirement('4.2/get-prompt-outside', () => {
  it('refuses a prompt outside, known or not, and gets nothing', async () => {
    const harness = harnessOf();
    for (const name of ['x_files_review', 'x_none']) {
      expect(await refusalOf('get_prompt', { name }, { harness, header: 'preset:none' })).toBe(
        refuseOutsideTool(name, '[preset:none]'),
      );
    }
    expect(harness.calls).toEqual([]);
  });

  it('gets a prompt inside', async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Sum up' } }];
    const harness = harnessOf({ outcome: { ok: true, result: { messages } } });
    const asked = { harness, header: 'server:wiki' };
    expect(await toAnswer('get_prompt', { name: 'x_wiki_summary' }, asked)).toEqual(messages);
  });
});

describe('filter_prompts', () => {
  it('filters by server and pages', async () => {
    expect(await toAnswer('filter_prompts', { server: 'wiki' })).toMatchObject({
      filters: { server: 'wiki' },
      total_prompts: 3,
      total: 1,
      prompts: [SUMMARY],
    });
    expect(await toAnswer('filter_prompts', { limit: 1, offset: 1 })).toMatchObject({
      filtered_count: 1,
      total: 3,
      truncated: true,
      prompts: [REVIEW],
    });
  });
});

describe('describe_prompt', () => {
  it('shows the arguments', async () => {
    expect(await toAnswer('describe_prompt', { name: 'x_files_review' })).toEqual({
      ...REVIEW,
      arguments: [{ name: 'path', description: 'Which file', required: true }],
    });
  });

  it('answers that an unknown one is not found', async () => {
    expect(await refusalOf('describe_prompt', { name: 'review' })).toBe('Prompt not found: review');
    expect(await refusalOf('describe_prompt', {})).toBe('name argument is required');
  });
});

describe('get_prompt', () => {
  const callOf = async (args: unknown): Promise<unknown> => {
    const harness = harnessOf({ outcome: { ok: true, result: { messages: [] } } });
    await resultOf('get_prompt', { name: 'x_files_review', arguments: args }, { harness });
    return harness.calls[0]?.call;
  };

  it('asks the server by its own name, with texts for arguments', async () => {
    const args = { path: 'a', lines: 5, deep: { a: [1] }, all: true, none: null };
    expect(await callOf(args)).toEqual({
      server: 'files',
      prompt: 'review',
      arguments: { path: 'a', lines: '5', deep: '{"a":[1]}', all: 'true' },
    });
    expect(await callOf(undefined)).toMatchObject({ arguments: {} });
  });

  it('preserves argument names of the prototype', async () => {
    const call = (await callOf(JSON.parse('{"__proto__":"a"}'))) as { arguments: object };
    expect(Object.entries(call.arguments)).toEqual([['__proto__', 'a']]);
  });

  it('answers content of every kind whole', async () => {
    const messages = [
      { role: 'user', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } },
      {
        role: 'assistant',
        content: { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=' } },
      },
    ];
    const harness = harnessOf({ outcome: { ok: true, result: { description: 'x', messages } } });
    expect(await resultOf('get_prompt', { name: 'x_files_review' }, { harness })).toEqual({
      content: [{ type: 'text', text: JSON.stringify(messages) }],
    });
  });

  it('answers why there is none', async () => {
    expect(await refusalOf('get_prompt', { name: 'x_none' })).toBe(
      'Prompt retrieval failed: prompt not found: x_none',
    );
    const harness = harnessOf({ outcome: { ok: false, text: 'server not connected' } });
    expect(await refusalOf('get_prompt', { name: 'x_files_review' }, { harness })).toBe(
      'Prompt retrieval failed: server not connected',
    );
    expect(await refusalOf('get_prompt', { name: 'x_files_review', arguments: 'a' })).toBe(
      'arguments must be a JSON object',
    );
  });
});
