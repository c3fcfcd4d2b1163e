import { parsePresetCards } from '@gateway/toolset-composer';
import { expect, it } from 'vitest';
import { listAttention, parseWarnings } from '../src/pages/overview/attention.ts';
import { parseServerList } from '../src/pages/servers/server-facts.ts';

const NONE = {
  ...{ servers: [], refused: [], catalog: [], warnings: [], workflows: [], agents: [] },
  presets: parsePresetCards(undefined),
};

it('nothing needs attention where everything works', () => {
  const { servers } = parseServerList({ mcpServers: [{ name: 'files', state: 'Running' }] });
  expect(listAttention({ ...NONE, servers })).toEqual([]);
});

it('servers that fail, require a sign-in or have changed need attention', () => {
  const { servers, refused } = parseServerList({
    mcpServers: [
      { name: 'broken', state: 'Failed', statusMessage: 'Command not found', error: 'ENOENT' },
      { name: 'mail', state: 'Auth Required' },
      { name: 'files', state: 'Running', toolChanges: [{ tool: 'read' }, { tool: 'write' }] },
    ],
    refused: [{ name: 'torn', problems: ['spec.type: must be present'] }],
  });
  const found = listAttention({ ...NONE, servers, refused });
  expect(found.map(({ kind, name, text }) => [kind, name, text])).toEqual([
    ['Failed', 'broken', 'Command not found: ENOENT'],
    ['Sign-in needed', 'mail', 'Its tools are listed when you have signed in.'],
    ['Changed', 'files', 'Tools differ from what was accepted: read, write'],
    ['Not valid', 'torn', 'spec.type: must be present'],
  ]);
});

it('names that another server holds, and toolsets that name nothing, need attention', () => {
  const warnings = parseWarnings({
    services: [{ name: 'a', warnings: ['tool x is not served: b holds the name'] }, { name: 'b' }],
  });
  const agent = {
    ...{ name: 'reader', namespace: 'default', toolset: ['server:gone'], managed: 'none' as const },
    ...{ exists: true, ready: true, accepted: true },
  };
  const catalog = [{ name: 'files', labels: new Map<string, string>() }];
  const found = listAttention({ ...NONE, warnings, catalog, agents: [agent] });
  expect(found.map(({ kind, name, link }) => [kind, name, link.to])).toEqual([
    ['Conflict', 'a', '/servers/$name'],
    ['Toolset', 'reader', '/agents/$namespace/$name'],
  ]);
});
