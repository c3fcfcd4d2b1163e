import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { META_TOOL_NAMES, refusalOf, resultOf } from './harness.ts';

describe('arguments from outside', () => {
  it('get a well-formed answer for any value', async () => {
    const names = [
      'name',
      'uri',
      'arguments',
      'pattern',
      'query',
      'description_filter',
      'labels',
      'limit',
      'offset',
      'toolset',
      'include_presets',
      'include_schema',
      'case_sensitive',
      'server',
      'summary',
      '__proto__',
    ];
    const args = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
      fc.dictionary(
        fc.constantFrom(...names),
        fc.constantFrom('x_files_read_file', 'wiki://home', 5, true),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...META_TOOL_NAMES), args, async (name, given) => {
        const { content, isError } = await resultOf(name, given);
        const [item] = content as readonly { type: string; text: string }[];
        expect(item?.type).toBe('text');
        if (isError === true) expect(item?.text).toMatch(/^[^\n]+$/);
        else if (name !== 'call_tool') JSON.parse(item?.text ?? '');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['call_tool', { name: 'x', args: {} }, 'unknown argument "args"; use "arguments"'],
    ['call_tool', { name: 'x', params: {} }, 'unknown argument "params"; use "arguments"'],
    ['call_tool', { name: 'x', input: {} }, 'unknown argument "input"; use "arguments"'],
    ['call_tool', { params: {}, tool: 'x' }, 'unknown argument "params"; use "arguments"'],
    ['call_tool', { tool: 'x', arguments: {} }, 'unknown argument "tool"; use "name"'],
    ['call_tool', { tool_name: 'x', arguments: {} }, 'unknown argument "tool_name"; use "name"'],
    ['call_tool', { toolName: 'x', args: {} }, 'unknown argument "toolName"; use "name"'],
    [
      'call_tool',
      { name: 'x', arguments: {}, path: '/' },
      'unknown argument "path"; the arguments are name, arguments',
    ],
    [
      'call_tool',
      JSON.parse('{"__proto__":{},"name":"x"}'),
      'unknown argument "__proto__"; use "arguments"',
    ],
    ['describe_tool', { tool: 'x' }, 'unknown argument "tool"; use "name"'],
    ['get_resource', { url: 'a://b' }, 'unknown argument "url"; use "uri"'],
    ['describe_resource', { name: 'a://b' }, 'unknown argument "name"; use "uri"'],
    ['get_prompt', { name: 'x', args: {} }, 'unknown argument "args"; use "arguments"'],
    ['describe_prompt', { prompt: 'x' }, 'unknown argument "prompt"; use "name"'],
    ['filter_tools', { queries: 'x' }, 'unknown argument "queries"; use "query"'],
    [
      'list_tools',
      { max: 'x' },
      'unknown argument "max"; the arguments are limit, offset, summary',
    ],
    ['list_core_tools', { schema: true }, 'unknown argument "schema"; use "include_schema"'],
  ] as const)('%s refuses %j, and says what it expects', async (name, args, refusal) => {
    expect(await refusalOf(name, args)).toBe(refusal);
  });

  it.each(META_TOOL_NAMES)('%s ignores null under an unknown name', async (name) => {
    const { GOOD_ARGUMENTS } = await import('./harness.ts');
    const args = { ...GOOD_ARGUMENTS[name], unknown: null };
    expect(await resultOf(name, args)).toEqual(await resultOf(name, GOOD_ARGUMENTS[name]));
  });

  it.each(META_TOOL_NAMES)('%s refuses a value that is not an object', async (name) => {
    for (const args of ['text', 5, true, [1]]) {
      expect(await refusalOf(name, args)).toBe('arguments must be a JSON object');
    }
  });

  it('are refused when longer than any name, URI or query', async () => {
    const long = 'x'.repeat(10_000_000);
    const cases = [
      ['describe_tool', 'name'],
      ['describe_resource', 'uri'],
      ['get_prompt', 'name'],
      ['filter_tools', 'query'],
      ['filter_tools', 'pattern'],
      ['filter_tools', 'description_filter'],
      ['filter_resources', 'server'],
    ] as const;
    for (const [name, argument] of cases) {
      expect(await refusalOf(name, { [argument]: long })).toBe(
        `${argument} must be at most 8192 characters`,
      );
    }
    expect(await refusalOf('filter_tools', { toolset: [long] })).toBe(
      'toolset must be at most 65536 characters',
    );
  });

  it('are refused for their number first: 33 selectors that are too long together are 33', async () => {
    const long = `tool:${'x'.repeat(4000)}`;
    const toolset = Array.from({ length: 33 }, () => long);
    expect(await refusalOf('filter_tools', { toolset })).toBe(
      `toolset [${toolset.join(',')}] has 33 selectors, more than the 32 allowed inline; define a preset`,
    );
    expect(await refusalOf('filter_tools', { toolset: toolset.slice(1) })).toBe(
      'toolset must be at most 65536 characters',
    );
  });

  it('of the largest size that is taken are answered in no time', async () => {
    const pattern = `*a${'?*'.repeat(127)}`;
    const started = performance.now();
    await resultOf('filter_tools', { pattern });
    await resultOf('filter_tools', { query: 'a b '.repeat(2000) });
    await resultOf('describe_resource', { uri: `file:///logs/${'a'.repeat(8000)}/` });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
