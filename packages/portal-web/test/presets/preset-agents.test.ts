import type { Agent } from '@gateway/agent-manager-client';
import { expect, it } from 'vitest';
import { agentsWithPreset, unknownPresets } from '../../src/pages/presets/preset-agents.ts';

const agent = (name: string, toolset?: string[]): Agent =>
  ({ namespace: 'default', name, ...(toolset && { toolset }) }) as unknown as Agent;

const AGENTS = [
  agent('a', ['preset:notes', 'server:notes']),
  agent('b', ['preset:gone', 'preset:constructor']),
  agent('c', ['server:preset:notes', 'preset:gone']),
  agent('d'),
];

it('finds the agents whose toolset names a preset', () => {
  expect(agentsWithPreset(AGENTS, 'notes').map(({ name }) => name)).toEqual(['a']);
  expect(agentsWithPreset(AGENTS, 'note')).toEqual([]);
});

it('names the presets that agents name and the gateway does not have', () => {
  expect(unknownPresets(AGENTS, [{ name: 'notes' }])).toEqual(['constructor', 'gone']);
  expect(unknownPresets([agent('d')], [])).toEqual([]);
});
