import { describe, expect, it } from 'vitest';
import { validateToolset } from '../../src/index.ts';
import { requirement } from '../requirement.ts';

const REQUIRED =
  'toolset is required: declare which of the gateway\'s tools the agent can use, e.g. toolset: ["preset:read-only"]. Shipped presets: preset:read-only, preset:none, preset:infrastructure, preset:agent-platform, preset:full — preset:none for a chat-only agent without tools, preset:full for the deliberate choice of every tool the gateway exposes';
const EMPTY =
  'toolset is empty; use ["preset:none"] for an agent without tools (an empty list is refused so that "no tools" is never confused with implicit full access)';

const onCreate = (toolset: readonly string[] | undefined) =>
  validateToolset(toolset, { isRequired: true });
const onUpdate = (toolset: readonly string[] | undefined) =>
  validateToolset(toolset, { isRequired: false });
const tools = (count: number) => Array.from({ length: count }, (_, index) => `tool:t${index}`);

requirement('7.5/missing-toolset', () => {
  it('refuses a creation without a toolset', () => expect(onCreate(undefined)).toBe(REQUIRED));
  it('accepts a change without one', () => expect(onUpdate(undefined)).toBeUndefined());
});

requirement('4.4/create-names-presets', () => {
  it('names all five, in the form in which they are given', () =>
    expect(onCreate(undefined)).toContain(
      'Shipped presets: preset:read-only, preset:none, preset:infrastructure, preset:agent-platform, preset:full',
    ));
});

requirement('4.4/create-points', () => {
  it('explains the two endpoints', () =>
    expect(onCreate(undefined)).toMatch(
      /preset:none for a chat-only agent without tools, preset:full for the deliberate choice of every tool the gateway exposes$/,
    ));
  it.each([['preset:none'], ['preset:full']])('accepts %s', (preset) =>
    expect(onCreate([preset])).toBeUndefined(),
  );
});

requirement('4.4/grammar', () => {
  it('refuses an empty list, on a creation and on a change', () => {
    expect(onCreate([])).toBe(EMPTY);
    expect(onUpdate([])).toBe(EMPTY);
  });
  it.each([['preset:p'], ['server:s'], ['workflow:w'], ['tool:x_s_t'], ['tool:label:a=b']])(
    'accepts %s',
    (selector) => expect(onCreate([selector])).toBeUndefined(),
  );
  it('refuses toolset:', () =>
    expect(onCreate(['preset:a', 'toolset:shared'])).toBe(
      'toolset selector "toolset:shared": the toolset: prefix is reserved for shared toolsets; reference a preset as preset:<name>',
    ));
  it('refuses label:', () =>
    expect(onCreate(['label:team=a'])).toBe(
      'toolset selector "label:team=a": label: selectors are allowed inside presets only; use a preset that selects by label (preset:infrastructure, preset:agent-platform)',
    ));
  it.each([
    ['pattern:core_*', '"pattern:core_*"'],
    ['', '""'],
    ['server:', '"server:"'],
    ['Preset:read-only', '"Preset:read-only"'],
    ['server:a,server:b', '"server:a,server:b"'],
    ['server:a b', '"server:a b"'],
    [' preset:read-only', '" preset:read-only"'],
    ['preset:read-only\t', String.raw`"preset:read-only\t"`],
    [' label:team=a', '" label:team=a"'],
    ['server:a\nb', String.raw`"server:a\nb"`],
    ['\ud800', String.raw`"\ud800"`],
  ])('refuses %j', (selector, shown) =>
    expect(onCreate([selector])).toBe(
      `toolset selector ${shown} is not preset:<name>, server:<name>, workflow:<name> or tool:<name> (exact names, no whitespace or commas)`,
    ),
  );
  it('names the first that is refused', () =>
    expect(onUpdate(['preset:a', 'label:x', 'toolset:y'])).toMatch(/^toolset selector "label:x":/));
});

requirement('8/inline-selectors-agent-manager', () => {
  it('accepts 32', () => expect(onCreate(tools(32))).toBeUndefined());
  it('refuses 33 selectors of any kind', () => {
    const text =
      'toolset has 33 selectors, more than the inline cap of 32: define a preset (gateway toolsetPresets) and reference it as preset:<name>';
    expect(onCreate(tools(33))).toBe(text);
    expect(onUpdate(['', ...tools(32)])).toBe(text);
  });
  it('counts repetitions', () =>
    expect(onCreate(Array.from({ length: 40 }, () => 'preset:none'))).toMatch(/^toolset has 40 /));
});

requirement('4.4/never-resolves', () => {
  it('accepts unknown presets, servers and tools', () =>
    expect(onCreate(['preset:nobody-knows', 'server:none', 'tool:x_a_b'])).toBeUndefined());
});

describe('a selector of any length', () => {
  it('is repeated in part', () => {
    const problem = onCreate([`pattern:${'x'.repeat(10_000_000)}`]) ?? '';
    expect(problem).toMatch(/^toolset selector "pattern:x{248}…" is not preset:<name>/);
    expect(problem.length).toBe(383);
  });
  it('is used when it is a text', () =>
    expect(onCreate([`server:${'x'.repeat(100_000)}`])).toBeUndefined());
});
