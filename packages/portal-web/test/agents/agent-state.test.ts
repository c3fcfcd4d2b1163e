import type { Agent } from '@gateway/agent-manager-client';
import { parsePresetCards } from '@gateway/toolset-composer';
import { expect, it } from 'vitest';
import { listUnknownSelectors, toAgentState } from '../../src/pages/agents/agent-facts.ts';

const AGENT: Agent = {
  ...{ name: 'a', namespace: 'default', managed: 'helmrelease' },
  ...{ exists: true, ready: null, accepted: null },
};
const RELEASE = {
  ...{ name: 'a', namespace: 'default', ready: null },
  ...{ suspended: false, gitOpsOwned: false, deleting: false },
};

it.each([
  [{ ready: true }, 'Ready'],
  [{ ready: false }, 'Not ready'],
  [{}, 'Unknown'],
  [{ exists: false }, 'Not installed'],
  [{ ready: true, helmRelease: { ...RELEASE, suspended: true } }, 'Suspended'],
  [{ ready: true, helmRelease: { ...RELEASE, deleting: true } }, 'Being deleted'],
])('an agent with %o is %s', (fields, text) => {
  expect(toAgentState({ ...AGENT, ...fields }).text).toBe(text);
});

const PRESETS = parsePresetCards({ presets: [{ name: 'notes', description: 'Notes' }] });
const SERVERS = [
  { name: 'notes-home', family: 'notes', labels: new Map<string, string>() },
  { name: 'files', labels: new Map<string, string>() },
];
const TOOLSET = ['preset:gone', 'preset:notes', 'server:notes', 'server:files', 'server:archive'];

it('names the presets and servers of a toolset that do not exist', () => {
  expect(listUnknownSelectors([...TOOLSET, 'tool:x_gone'], PRESETS, SERVERS)).toEqual([
    'preset:gone',
    'server:archive',
  ]);
});

it('names none while presets and servers are not known', () => {
  expect(listUnknownSelectors(TOOLSET, parsePresetCards(undefined), [])).toEqual([]);
});
