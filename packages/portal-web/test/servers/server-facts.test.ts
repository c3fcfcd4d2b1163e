import { expect, it } from 'vitest';
import { isSignedOut, parseServer, parseServerList } from '../../src/pages/servers/server-facts.ts';
import { formatDefinition } from '../../src/pages/servers/server-definition.tsx';
import { parseEvents } from '../../src/queries/events.ts';

const WIKI = {
  name: 'wiki',
  type: 'sse',
  url: 'https://wiki.example/',
  labels: { team: 'blue' },
  state: 'Auth Required',
  toolsCount: 0,
  signIn: { status: 'auth_required', error: 'required' },
  status: { conditions: [{ type: 'Ready', status: 'False', reason: 'AuthRequired' }] },
  toolChanges: [{ tool: 'read' }],
};

it('reads facts and definition of a server apart', () => {
  const server = parseServer(WIKI);
  expect(server).toMatchObject({
    state: 'Auth Required',
    conditions: [{ type: 'Ready', status: 'False', reason: 'AuthRequired', message: '' }],
    changedTools: ['read'],
    spec: { type: 'sse', url: 'https://wiki.example/' },
  });
  expect(formatDefinition(server, 'tools.example')).toBe(
    'apiVersion: tools.example/v1alpha1\nkind: MCPServer\nmetadata:\n  name: wiki\n  labels:\n    team: blue\nspec:\n  type: sse\n  url: https://wiki.example/\n',
  );
});

it.each([
  [WIKI, true],
  [{ ...WIKI, signIn: { status: 'connected' } }, false],
  [{ name: 'a', state: 'Auth Required' }, true],
  [{ name: 'a', state: 'Running' }, false],
])('knows who has to sign in: %#', (server, isOut) => {
  expect(isSignedOut(parseServer(server))).toBe(isOut);
});

it('reads answers that are nothing of the sort', () => {
  const wrong = { mcpServers: [1, null], refused: 'x', writeRefusal: 7 };
  for (const answer of [{}, wrong])
    expect(parseServerList(answer)).toEqual({ servers: [], refused: [] });
  expect(parseServer({ name: 7, status: [], toolsCount: '3' })).toEqual({
    ...{ name: '', state: '', conditions: [], changedTools: [], labels: {}, spec: {} },
  });
});

it('reads the times of events as UTC', () => {
  const event = { timestamp: '2026-01-02 03:04:05', resource_type: 'MCPServer', type: 'Warning' };
  expect(parseEvents({ events: [event, 'x'] })).toEqual([
    {
      at: '2026-01-02T03:04:05Z',
      resourceType: 'MCPServer',
      ...{ resourceName: '', reason: '', message: '', isWarning: true, count: 1 },
    },
  ]);
  expect(parseEvents({ events: 'x' })).toEqual([]);
});
