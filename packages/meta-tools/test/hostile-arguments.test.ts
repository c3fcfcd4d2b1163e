import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GOOD_ARGUMENTS, META_TOOL_NAMES, under } from './harness.ts';

const { result, refusal } = under();

describe('arguments from outside', () => {
  it('get a well-formed answer for any value', async () => {
    const name = fc.constantFrom(
      ...'name uri arguments pattern query description_filter labels limit offset toolset'.split(
        ' ',
      ),
      ...'include_presets include_schema case_sensitive server summary __proto__'.split(' '),
    );
    const value = fc.constantFrom('x_files_read_file', 'wiki://home', 5, true);
    const args = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(name, fc.jsonValue()),
      fc.dictionary(name, value),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...META_TOOL_NAMES), args, async (tool, given) => {
        const { content, isError } = await result(tool, given);
        const [item] = content as readonly { type: string; text: string }[];
        expect(item?.type).toBe('text');
        if (isError === true) expect(item?.text).toMatch(/^[^\n]+$/);
        else if (tool !== 'call_tool') JSON.parse(item?.text ?? '');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['call_tool', { name: 'x', args: {} }, '"args"; use "arguments"'],
    ['call_tool', { name: 'x', params: {} }, '"params"; use "arguments"'],
    ['call_tool', { name: 'x', input: {} }, '"input"; use "arguments"'],
    ['call_tool', { params: {}, tool: 'x' }, '"params"; use "arguments"'],
    ['call_tool', { tool: 'x', arguments: {} }, '"tool"; use "name"'],
    ['call_tool', { tool_name: 'x', arguments: {} }, '"tool_name"; use "name"'],
    ['call_tool', { toolName: 'x', args: {} }, '"toolName"; use "name"'],
    ['call_tool', { name: 'x', path: '/' }, '"path"; the arguments are name, arguments'],
    ['call_tool', JSON.parse('{"__proto__":{},"name":"x"}'), '"__proto__"; use "arguments"'],
    ['describe_tool', { tool: 'x' }, '"tool"; use "name"'],
    ['get_resource', { url: 'a://b' }, '"url"; use "uri"'],
    ['describe_resource', { name: 'a://b' }, '"name"; use "uri"'],
    ['get_prompt', { name: 'x', args: {} }, '"args"; use "arguments"'],
    ['describe_prompt', { prompt: 'x' }, '"prompt"; use "name"'],
    ['filter_tools', { queries: 'x' }, '"queries"; use "query"'],
    ['list_tools', { max: 'x' }, '"max"; the arguments are limit, offset, summary'],
    ['list_prompts', { server: 'x' }, '"server"; the arguments are limit, offset'],
    ['list_core_tools', { schema: true }, '"schema"; use "include_schema"'],
  ] as const)('%s refuses %j, and says what it expects', async (name, args: unknown, text) => {
    expect(await refusal(name, args)).toBe(`unknown argument ${text}`);
  });

  it.each(META_TOOL_NAMES)(
    '%s takes null under an unknown name, and objects only',
    async (name) => {
      const args = { ...GOOD_ARGUMENTS[name], unknown: null };
      expect(await result(name, args)).toEqual(await result(name, GOOD_ARGUMENTS[name]));
      for (const value of ['text', 5, true, [1]])
        expect(await refusal(name, value)).toBe('arguments must be a JSON object');
    },
  );

  const LONG = 'x'.repeat(10_000_000);

  it.each([
    ['describe_tool', 'name'],
    ['describe_resource', 'uri'],
    ['get_prompt', 'name'],
    ['filter_tools', 'query'],
    ['filter_tools', 'pattern'],
    ['filter_tools', 'description_filter'],
    ['filter_resources', 'server'],
  ])('of %s are refused when longer than any %s', async (name, argument) => {
    const text = `${argument} must be at most 8192 characters`;
    expect(await refusal(name, { [argument]: LONG })).toBe(text);
  });

  it('are refused for their number first: 33 selectors that are too long together are 33', async () => {
    const toolset = Array.from({ length: 33 }, () => `tool:${'x'.repeat(4000)}`);
    expect(await refusal('filter_tools', { toolset })).toBe(
      `toolset [${toolset.join(',')}] has 33 selectors, more than the 32 allowed inline; define a preset`,
    );
    for (const long of [toolset.slice(1), [LONG]])
      expect(await refusal('filter_tools', { toolset: long })).toBe(
        'toolset must be at most 65536 characters',
      );
  });

  it('of the largest size that is taken are answered in no time', async () => {
    const started = performance.now();
    await result('filter_tools', { pattern: `*a${'?*'.repeat(127)}` });
    await result('filter_tools', { query: 'a b '.repeat(2000) });
    await result('describe_resource', { uri: `file:///logs/${'a'.repeat(8000)}/` });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
