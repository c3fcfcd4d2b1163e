import { describe, expect, it } from 'vitest';
import { requirement } from '../requirement.ts';
import { failing, outside, resulting, under, type HarnessOptions } from '../harness.ts';

const REVIEW = { name: 'x_files_review', description: 'Review a file', server: 'files' };
const SUMMARY = { name: 'x_wiki_summary', server: 'wiki' };

const prompts = (header?: string, parts?: HarnessOptions) => {
  const { harness, answer, result, refusal } = under(header, parts);
  return {
    harness,
    list: () => answer('list_prompts'),
    filter: (args: object) => answer('filter_prompts', args),
    describe: (name: string) => answer('describe_prompt', { name }),
    get: (name: string, args?: unknown) => result('get_prompt', { name, arguments: args }),
    refused: (tool: 'describe_prompt' | 'get_prompt', args: object) => refusal(tool, args),
  };
};

requirement('4.2/hidden-prompts', () => {
  it('lists and filters the prompts of servers inside', async () => {
    const { list, filter } = prompts('tool:x_files_read_file');
    expect(await list()).toEqual([REVIEW]);
    expect(await filter({ pattern: 'x_*' })).toEqual({
      filters: { pattern: 'x_*', case_sensitive: false, limit: 5, offset: 0 },
      total_prompts: 1,
      filtered_count: 1,
      total: 1,
      truncated: false,
      prompts: [REVIEW],
    });
  });

  it('lists all of them without a toolset', async () => {
    const ask = { name: 'x_docs_ask', server: 'docs' };
    expect(await prompts().list()).toEqual([ask, REVIEW, SUMMARY]);
  });

  it('describes items inside the toolset and refuses the rest, known or not', async () => {
    const { describe: shown, refused } = prompts('server:wiki');
    expect(await shown('x_wiki_summary')).toEqual(SUMMARY);
    for (const name of ['x_files_review', 'x_docs_ask', 'x_none', '__proto__'])
      expect(await refused('describe_prompt', { name })).toBe(
        outside(`prompt "${name}"`, 'server:wiki'),
      );
  });
});

requirement('4.2/get-prompt-outside', () => {
  it('refuses a prompt outside, known or not, and gets nothing', async () => {
    const { refused, harness } = prompts('preset:none');
    for (const name of ['x_files_review', 'x_none'])
      expect(await refused('get_prompt', { name })).toBe(
        outside(`prompt "${name}"`, 'preset:none'),
      );
    expect(harness.calls).toEqual([]);
  });

  it('gets a prompt inside, with content of every kind whole', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    const messages = [
      { role: 'user', content: image },
      {
        role: 'assistant',
        content: { type: 'resource', resource: { uri: 'a://b', blob: 'aGk=' } },
      },
    ];
    const { get } = prompts('server:wiki', resulting({ description: 'x', messages }));
    expect(await get('x_wiki_summary')).toEqual({
      content: [{ type: 'text', text: JSON.stringify(messages) }],
    });
  });
});

it.each([
  [
    { server: 'wiki' },
    { filters: { server: 'wiki' }, total_prompts: 3, total: 1, prompts: [SUMMARY] },
  ],
  [
    { limit: 1, offset: 1 },
    { filtered_count: 1, total: 3, truncated: true, prompts: [REVIEW] },
  ],
])('filter_prompts filters by server and pages: %j', async (args, expected) => {
  expect(await prompts().filter(args)).toMatchObject(expected);
});

it('describe_prompt shows the arguments', async () => {
  const path = { name: 'path', description: 'Which file', required: true };
  expect(await prompts().describe('x_files_review')).toEqual({ ...REVIEW, arguments: [path] });
});

describe('get_prompt', () => {
  const callOf = async (args: unknown): Promise<unknown> => {
    const { get, harness } = prompts(undefined, resulting({ messages: [] }));
    await get('x_files_review', args);
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
});

it.each([
  ['describe_prompt', { name: 'review' }, 'Prompt not found: review'],
  ['describe_prompt', {}, 'name argument is required'],
  ['get_prompt', { name: 'x_none' }, 'Prompt retrieval failed: prompt not found: x_none'],
  ['get_prompt', { name: 'x_files_review' }, 'Prompt retrieval failed: server not connected'],
  ['get_prompt', { name: 'x_files_review', arguments: 'a' }, 'arguments must be a JSON object'],
] as const)('%s of %j answers why there is none', async (tool, args, text) => {
  expect(await prompts(undefined, failing('server not connected')).refused(tool, args)).toBe(text);
});
