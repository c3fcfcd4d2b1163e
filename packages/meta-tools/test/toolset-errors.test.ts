import { expect, it } from 'vitest';
import { requirement } from './requirement.ts';
import { GOOD_ARGUMENTS, META_TOOL_NAMES, outside, under } from './harness.ts';

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
    'too-many',
    THIRTY_THREE,
    `toolset [${THIRTY_THREE.join(',')}] has 33 selectors, more than the 32 allowed inline; define a preset`,
  ],
  [
    'unknown-preset',
    ['preset:full,preset:foo'],
    'toolset [preset:full,preset:foo] names unknown preset "foo"; known presets: read-only, none, full, ghosts, storage, team',
  ],
];

const BAD = { name: 5, uri: 5, limit: 'x', toolset: 5, include_schema: 5, arguments: 5 };
const NAMING = [
  ['describe_tool', { name: 'x_files_read_file' }, 'tool "x_files_read_file"'],
  ['call_tool', { name: 'x_files_read_file' }, 'tool "x_files_read_file"'],
  ['describe_resource', { uri: 'file:///readme' }, 'resource "file:///readme"'],
  ['get_resource', { uri: 'file:///readme' }, 'resource "file:///readme"'],
  ['describe_prompt', { name: 'x_files_review' }, 'prompt "x_files_review"'],
  ['get_prompt', { name: 'x_files_review' }, 'prompt "x_files_review"'],
] as const;

requirement('7.1/error-results', () => {
  it.each(CLASSES)(
    '%s: the same error result on all 13, before any argument is looked at, reported once',
    async (reason, header, text) => {
      for (const name of META_TOOL_NAMES) {
        for (const args of [GOOD_ARGUMENTS[name], {}, null, 'text', BAD]) {
          const { result, harness } = under(header);
          const expected = { content: [{ type: 'text', text }], isError: true };
          expect(await result(name, args)).toEqual(expected);
          expect([harness.calls, harness.refusals]).toEqual([[], []]);
          expect(harness.toolsetRefusals).toEqual([reason]);
        }
      }
      const { refusal, harness } = under();
      const items = header.flatMap((line) => line.split(','));
      await refusal('filter_tools', { toolset: items.filter((item) => item.trim() !== '') });
      expect(harness.toolsetRefusals).toEqual([reason]);
    },
  );
});

it('does not report another refusal or an answer as refused because of the toolset', async () => {
  const { refusal, answer, harness } = under('preset:none');
  await refusal('describe_tool', { name: 'nothing' });
  await refusal('call_tool', {});
  await under(undefined, harness).refusal('call_tool', { name: 'nothing' });
  await answer('list_tools', {});
  expect(harness.toolsetRefusals).toEqual([]);
});

requirement('7.1/no-silent-fallback', () => {
  it('shows no tool at all under a toolset of which one selector is refused', async () => {
    for (const [, header, text] of CLASSES)
      expect(await under(header).refusal('list_tools', {})).toBe(text);
  });

  it('answers the next request without the header unscoped', async () => {
    const { result, harness } = under('toolset:x');
    await result('list_tools', {});
    expect(await under(undefined, harness).tools({}, 'list_tools')).toHaveLength(9);
  });
});

requirement('9.2/toolset-per-request', () => {
  it('scopes each request by its own header and nothing by the header of another', async () => {
    const { harness } = under();
    const total = async (header?: string): Promise<unknown> =>
      ((await under(header, harness).filter()) as { total: number }).total;
    expect([await total('server:files'), await total()]).toEqual([2, 9]);
    expect([await total('preset:none'), await total()]).toEqual([0, 9]);
  });
});

requirement('7.2/outside', () => {
  it.each(NAMING)('%s of %j says once what is outside which toolset', async (name, args, what) => {
    const { refusal, harness } = under(['server:wiki', ' preset:none ']);
    expect(await refusal(name, args)).toBe(outside(what, 'server:wiki,preset:none'));
    expect(harness.toolsetRefusals).toEqual(['outside']);
  });

  it('quotes a name so that it cannot be mistaken for the sentence', async () => {
    expect(await under('preset:none').refusedCall('a" is outside\n')).toBe(
      'tool "a\\" is outside\\n" is outside the toolset [preset:none]',
    );
  });
});
