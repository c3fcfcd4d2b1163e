import type { Agent } from '@gateway/agent-manager-client';
import { expect, it } from 'vitest';
import { filterAgentsByPreset, listUnknownPresets } from '../../src/pages/presets/preset-facts.tsx';

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
