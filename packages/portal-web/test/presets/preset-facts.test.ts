import type { Agent } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import {
  filterAgentsByPreset,
  listUnknownPresets,
  parsePresetRules,
} from '../../src/pages/presets/preset-facts.tsx';

const agent = (name: string, toolset?: string[]): Agent =>
  ({ namespace: 'default', name, ...(toolset && { toolset }) }) as unknown as Agent;

const AGENTS = [
  agent('a', ['preset:notes', 'server:notes']),
  agent('b', ['preset:gone', 'preset:constructor']),
  agent('c', ['server:preset:notes', 'preset:gone']),
  agent('d'),
];

it('finds the agents whose toolset names a preset', () => {
  expect(filterAgentsByPreset(AGENTS, 'notes').map(({ name }) => name)).toEqual(['a']);
  expect(filterAgentsByPreset(AGENTS, 'note')).toEqual([]);
});

it('names the presets that agents name and the gateway does not have', () => {
  expect(listUnknownPresets(AGENTS, [{ name: 'notes' }])).toEqual(['constructor', 'gone']);
  expect(listUnknownPresets([agent('d')], [])).toEqual([]);
});

describe('the rules of a preset', () => {
  it('are sentences about what it includes and what it leaves out', () => {
    const LABEL = 'example.com/pipeline=testing';
    const rules = [
      [{ server: 'notes' }, { text: 'every tool of the server', subject: 'notes' }],
      [{ tool: 'x_a_b' }, { text: 'the tool', subject: 'x_a_b' }],
      [{ workflow: 'report' }, { text: 'the workflow', subject: 'report' }],
      [{ label: LABEL }, { text: 'every tool of servers with the label', subject: LABEL }],
      [
        { preset: 'observe' },
        { text: 'everything of the preset', subject: 'observe', preset: 'observe' },
      ],
      [{ readOnly: true }, { text: 'every tool that declares itself read-only' }],
      // Of a kind that the portal does not know.
      [{ team: ['a'] }, { text: 'team', subject: '["a"]' }],
      [{}, { text: '' }],
    ];
    const exclude = [{ pattern: '*_delete_*' }];
    const notes = { include: rules.map(([rule]) => rule), exclude };
    expect(parsePresetRules({ toolsetPresets: { notes } }, 'notes')).toEqual({
      include: rules.map(([, shown]) => shown),
      exclude: [{ text: 'every tool whose name matches', subject: '*_delete_*' }],
    });
  });

  it.each([
    ['read-only', [{ text: 'every tool that declares itself read-only' }]],
    ['none', []],
    ['full', [{ text: 'every tool of the gateway' }]],
  ])('%s is known without a configuration', (name, include) => {
    expect(parsePresetRules({}, name)).toEqual({ include, exclude: [] });
  });

  it.each(['unknown', 'torn', 'constructor', '__proto__'])('%s has none', (name) => {
    expect(parsePresetRules({ toolsetPresets: { torn: 'text' } }, name)).toBe(undefined);
  });
});
