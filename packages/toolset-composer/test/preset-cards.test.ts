import { expect, it } from 'vitest';
import { parsePresetCards, listUnknownPresets } from '../src/preset-cards.ts';

const preset = (name: string, description = '', built_in = false): object => ({
  name,
  description,
  built_in,
});

const names = (answer: unknown): readonly string[] =>
  parsePresetCards(answer).cards.map(({ name }) => name);

it('puts read-only, none, infrastructure and agent-platform first, others by name, and full last', () => {
  const others = ['zeta', 'agent-platform', 'alpha', 'infrastructure'].map((name) => preset(name));
  const builtIn = ['full', 'none', 'read-only'].map((name) => preset(name, '', true));
  expect(names({ presets: [...builtIn, ...others] })).toEqual([
    ...['read-only', 'none', 'infrastructure', 'agent-platform', 'alpha', 'zeta', 'full'],
  ]);
});

it('names the presets of the platform, and others by themselves', () => {
  const presets = [preset('infrastructure'), preset('agent-platform'), preset('alpha')];
  const { cards } = parsePresetCards({ presets });
  expect(cards.map(({ label, selector, origin }) => [label, selector, origin])).toEqual([
    ['Read-only tools', 'preset:read-only', 'built in'],
    ['No tools', 'preset:none', 'built in'],
    ['Infrastructure', 'preset:infrastructure', 'defined by this installation'],
    ['Agent Platform', 'preset:agent-platform', 'defined by this installation'],
    ['alpha', 'preset:alpha', 'defined by this installation'],
    ['Full gateway', 'preset:full', 'built in'],
  ]);
});

it('recommends read-only and warns about full', () => {
  const { cards } = parsePresetCards(undefined);
  const flags = cards.map(({ name, isRecommended, isFullAccess }) => [
    ...[name, isRecommended, isFullAccess],
  ]);
  expect(flags).toEqual([
    ['read-only', true, false],
    ['none', false, false],
    ['full', false, true],
  ]);
});

it.each([undefined, null, {}, { presets: 'none' }, { tools: [] }])(
  'has the built-in presets when the gateway reports none: %j',
  (answer) => {
    expect(parsePresetCards(answer).source).toBe('built-in');
    expect(names(answer)).toEqual(['read-only', 'none', 'full']);
  },
);

it('takes the description of the gateway unless it is empty', () => {
  const presets = [preset('read-only', 'From the gateway', true), preset('none', '', true)];
  const described = new Map(
    parsePresetCards({ presets }).cards.map((card) => [card.name, card.description]),
  );
  expect(described.get('read-only')).toBe('From the gateway');
  expect(described.get('none')).toBe('No tools: the agent can only chat');
});

it('leaves out entries without a name, and keeps names of any kind', () => {
  const presets = [preset('__proto__'), { description: 'nameless' }, null, 7];
  expect(names({ presets })).toEqual(['read-only', 'none', '__proto__', 'full']);
});

it('finds the selectors of presets that the gateway does not have', () => {
  const missing = ['preset:typo', 'preset:__proto__'];
  const selectors = ['preset:read-only', 'server:typo', 'preset:ops', ...missing];
  const presets = parsePresetCards({ presets: [{ name: 'ops', description: '' }] });
  expect(listUnknownPresets(selectors, presets)).toEqual(missing);
  expect(listUnknownPresets(selectors, parsePresetCards(undefined))).toEqual([]);
});
