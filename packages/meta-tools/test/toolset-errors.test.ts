import { describe, expect, it } from 'vitest';
import { requirement } from './requirement.ts';
import {
  toAnswer,
  GOOD_ARGUMENTS,
  META_TOOL_NAMES,
  refusalOf,
  resultOf,
  harnessOf,
} from './harness.ts';

const THIRTY_THREE = Array.from({ length: 33 }, (_, i) => `tool:t${String(i)}`);

/** The six error classes of §7.1: header lines and the exact text. */
const CLASSES: readonly (readonly [string, readonly string[], string])[] = [
  ['empty', [' \t'], 'toolset [] is empty; use "preset:none" for an agent without tools'],
  [
    'reserved',
    ['server:files, toolset:x'],
    'toolset [server:files,toolset:x] selector "toolset:x" is reserved for shared toolsets',
  ],
  [
    'label',
    ['label:team=a'],
    'toolset [label:team=a] selector "label:team=a" is allowed inside presets only',
  ],
  [
    'malformed',
    ['server:files', 'files'],
    'toolset [server:files,files] selector "files" is malformed; expected preset:<name>, server:<name>, workflow:<name> or tool:<name>',
  ],
  [
    'cap',
    THIRTY_THREE,
    `toolset [${THIRTY_THREE.join(',')}] has 33 selectors, more than the 32 allowed inline; define a preset`,
  ],
  [
    'unknown preset',
    ['preset:full,preset:foo'],
    'toolset [preset:full,preset:foo] names unknown preset "foo"; known presets: read-only, none, full, ghosts, storage, team',
  ],
];

const BAD_ARGUMENTS: readonly unknown[] = [
  {},
  null,
  'text',
  { name: 5, uri: 5, limit: 'x', toolset: 5, include_schema: 5, arguments: 5 },
];

requirement('7.1/error-results', () => {
  it.each(CLASSES)(
    '%s: the same error result on all 13, before any argument is looked at',
    async (_name, header, text) => {
      const expected = { content: [{ type: 'text', text }], isError: true };
      for (const name of META_TOOL_NAMES) {
        for (const args of [GOOD_ARGUMENTS[name], ...BAD_ARGUMENTS]) {
          const harness = harnessOf();
          expect(await resultOf(name, args, { header, harness })).toEqual(expected);
          expect(harness.calls).toEqual([]);
          expect(harness.refusals).toEqual([]);
        }
      }
    },
  );
});

describe('an answer that is refused because of the toolset', () => {
  const REASONS = ['empty', 'reserved', 'label', 'malformed', 'too-many', 'unknown-preset'];

  it.each(CLASSES.map(([, header], i) => [REASONS[i], header] as const))(
    'is told once, as %s, on all 13 and of the argument of filter_tools',
    async (reason, header) => {
      const harness = harnessOf();
      for (const name of META_TOOL_NAMES) {
        await refusalOf(name, GOOD_ARGUMENTS[name], { header, harness });
        expect(harness.toolsetRefusals.splice(0)).toEqual([reason]);
      }
      const toolset = header
        .flatMap((line) => line.split(','))
        .filter((item) => item.trim() !== '');
      await refusalOf('filter_tools', { toolset }, { harness });
      expect(harness.toolsetRefusals).toEqual([reason]);
    },
  );

  it.each([
    ['describe_tool', { name: 'x_files_read_file' }],
    ['call_tool', { name: 'x_files_read_file' }],
    ['describe_resource', { uri: 'file:///readme' }],
    ['get_resource', { uri: 'file:///readme' }],
    ['describe_prompt', { name: 'x_files_review' }],
    ['get_prompt', { name: 'x_files_review' }],
  ])('is told once, as outside, on %s', async (name, args) => {
    const harness = harnessOf();
    await refusalOf(name, args, { header: 'preset:none', harness });
    expect(harness.toolsetRefusals).toEqual(['outside']);
  });

  it('is distinguished from any other refusal and from an answer', async () => {
    const harness = harnessOf();
    await refusalOf('describe_tool', { name: 'nothing' }, { header: 'preset:none', harness });
    await refusalOf('call_tool', {}, { header: 'preset:none', harness });
    await refusalOf('call_tool', { name: 'nothing' }, { harness });
    await resultOf('list_tools', {}, { header: 'preset:none', harness });
    expect(harness.toolsetRefusals).toEqual([]);
  });
});

requirement('7.1/no-silent-fallback', () => {
  it('shows no tool at all under a toolset of which one selector is refused', async () => {
    for (const [, header, text] of CLASSES) {
      expect(await refusalOf('list_tools', {}, { header })).toBe(text);
    }
  });

  it('answers the next request without the header unscoped', async () => {
    const harness = harnessOf();
    await resultOf('list_tools', {}, { header: 'toolset:x', harness });
    expect(await resultOf('list_tools', {}, { harness })).not.toHaveProperty('isError');
  });
});

requirement('9.2/toolset-per-request', () => {
  it('scopes each request by its own header and nothing by the header of another', async () => {
    const harness = harnessOf();
    const total = async (header?: string): Promise<unknown> => {
      const asked = header === undefined ? { harness } : { harness, header };
      return ((await toAnswer('filter_tools', {}, asked)) as { total: number }).total;
    };
    expect(await total('server:files')).toBe(2);
    expect(await total()).toBe(9);
    expect(await total('preset:none')).toBe(0);
    expect(await total()).toBe(9);
  });
});

requirement('7.2/outside', () => {
  it.each([
    ['describe_tool', { name: 'x_files_read_file' }, 'tool "x_files_read_file"'],
    ['call_tool', { name: 'x_files_read_file' }, 'tool "x_files_read_file"'],
    ['get_resource', { uri: 'file:///readme' }, 'resource "file:///readme"'],
    ['get_prompt', { name: 'x_files_review' }, 'prompt "x_files_review"'],
  ])('%s says what is outside which toolset', async (name, args, subject) => {
    expect(await refusalOf(name, args, { header: ['server:wiki', ' preset:none '] })).toBe(
      `${subject} is outside the toolset [server:wiki,preset:none]`,
    );
  });

  it('quotes a name so that it cannot be mistaken for the sentence', async () => {
    const name = 'a" is outside\n';
    expect(await refusalOf('call_tool', { name }, { header: 'preset:none' })).toBe(
      'tool "a\\" is outside\\n" is outside the toolset [preset:none]',
    );
  });
});
