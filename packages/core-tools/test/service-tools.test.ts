import { describe, expect, it } from 'vitest';
import type { ServiceOutcome } from '../src/index.ts';
import type { ServerEntry } from '../src/ports.ts';
import { failure, noSignIn, objectOf, portsOver, callTool, sentence } from './ports.ts';
import { files, wiki } from './servers.ts';

const FILES = {
  name: 'files',
  service_type: 'MCPServer',
  state: 'running',
  health: 'healthy',
  metadata: {
    type: 'stdio',
    toolsCount: 11,
    restartCount: 2,
    connectedAt: '2026-01-02T03:04:05.678Z',
    serverInfo: { name: 'secure-filesystem-server', version: '0.2.0' },
    protocolVersion: '2025-06-18',
  },
};

const nextRetryAfter = '2026-01-02T03:05:00.000Z';
const BROKEN = {
  name: 'broken',
  service_type: 'MCPServer',
  state: 'failed',
  health: 'unhealthy',
  error: 'spawn no-such-thing ENOENT',
  metadata: { type: 'stdio', toolsCount: 0, restartCount: 4, nextRetryAfter },
};

const WIKI = {
  name: 'wiki',
  service_type: 'MCPServer',
  state: 'auth_required',
  health: 'unknown',
  metadata: { type: 'streamable-http', toolsCount: 0, restartCount: 0 },
};

const AGGREGATOR = {
  name: 'mcp-aggregator',
  service_type: 'Aggregator',
  state: 'running',
  health: 'healthy',
  metadata: { servers: 3, connected: 1 },
};

const statusOf = (more: Partial<ServerEntry> = {}) =>
  objectOf('core_service_status', { name: 'files' }, portsOver([{ ...files, ...more }]));

describe('core_service_list', () => {
  it('lists every service by name, the gateway itself among them', async () => {
    const services = [BROKEN, FILES, AGGREGATOR, WIKI];
    expect(await objectOf('core_service_list', {})).toEqual({ services, total: 4 });
  });

  it('shows a server that users sign in to as the caller is connected to it', async () => {
    const own = { server: 'wiki', status: 'connected', isAutomatic: false, toolsCount: 2 } as const;
    const signIn = {
      ...noSignIn,
      findState: (server: string) => (server === 'wiki' ? own : undefined),
    };
    const { services } = (await objectOf('core_service_list', {}, { ...portsOver(), signIn })) as {
      readonly services: readonly object[];
    };
    const connected = {
      ...WIKI,
      ...{ state: 'connected', health: 'healthy', signIn: { status: 'connected', toolsCount: 2 } },
      metadata: { ...WIKI.metadata, toolsCount: 2 },
    };
    expect(services).toEqual([BROKEN, FILES, AGGREGATOR, connected]);
  });

  it('lists a server that has the name of the gateway itself in its place', async () => {
    const name = 'mcp-aggregator';
    const ports = portsOver([{ ...files, name }]);
    const own = { ...FILES, name };
    expect(await objectOf('core_service_list', {}, ports)).toEqual({ services: [own], total: 1 });
    expect(await objectOf('core_service_status', { name }, ports)).toEqual(own);
    await callTool('core_service_stop', { name }, ports);
    expect(ports.orders).toEqual(['stop mcp-aggregator']);
  });
});

describe('core_service_status', () => {
  it('shows the tools and prompts whose names other servers hold', async () => {
    const tool = { kind: 'tool', name: 'x_files_read', heldBy: 'server "zhub"' } as const;
    const prompt = { kind: 'prompt', name: 'x_files_ask', heldBy: 'server "zhub"' } as const;
    const conflicting = (total: number) =>
      statusOf({ nameConflicts: { total, first: [tool, prompt] } });
    const warnings = [
      'tool x_files_read is not served: server "zhub" holds the name',
      'prompt x_files_ask is not served: server "zhub" holds the name',
    ];
    const more = '40 more are not served: other servers hold their names';
    expect(await conflicting(2)).toEqual({ ...FILES, warnings });
    expect(await conflicting(42)).toEqual({ ...FILES, warnings: [...warnings, more] });
  });

  const listWarnings = ['tool read is left out: it has no inputSchema'];

  it.each<readonly [string, Partial<ServerEntry>, object]>([
    ['what the lists lack', { listWarnings }, { warnings: listWarnings }],
    ['no more without anything to add', {}, {}],
    ['the health of a server that is checked', { health: 'degraded' }, { health: 'degraded' }],
    [
      'the progress of a server that starts',
      { state: 'Starting', startProgress: 'Downloading tools' },
      { state: 'starting', health: 'checking', progress: 'Downloading tools' },
    ],
  ])('shows %s', async (_, entry, shown) => {
    expect(await statusOf(entry)).toEqual({ ...FILES, ...shown });
  });

  it.each([
    ['Running', 'running', 'healthy'],
    ['Starting', 'starting', 'checking'],
    ['Stopped', 'stopped', 'unknown'],
    ['Failed', 'failed', 'unhealthy'],
    ['Connected', 'connected', 'healthy'],
    ['Auth Required', 'auth_required', 'unknown'],
    ['Connecting', 'connecting', 'checking'],
    ['Disconnected', 'disconnected', 'unknown'],
  ] as const)('calls %j of the resource %j, health %j', async (word, state, health) => {
    expect(await statusOf({ state: word })).toMatchObject({ state, health });
  });

  it('answers that an unknown service is not found', async () => {
    expect(await callTool('core_service_status', { name: '__proto__' })).toEqual(
      failure('Failed to get service status: service __proto__ not found'),
    );
  });
});

it('shows the gateway itself, which runs already, and is not stopped or restarted from inside', async () => {
  const ports = portsOver();
  const name = 'mcp-aggregator';
  const order = (verb: string) => callTool(`core_service_${verb}`, { name }, ports);
  expect(await objectOf('core_service_status', { name })).toEqual(AGGREGATOR);
  expect(await order('start')).toEqual(sentence("Service 'mcp-aggregator' is already running"));
  const refused = (verb: string) =>
    failure(`Failed to ${verb} service: mcp-aggregator is the gateway itself; ${verb} its process`);
  expect([await order('stop'), await order('restart')]).toEqual([
    refused('stop'),
    refused('restart'),
  ]);
  expect(ports.orders).toEqual([]);
});

describe('orders', () => {
  it.each<readonly [string, ServiceOutcome, unknown]>([
    ['start', { kind: 'done' }, sentence("Successfully started service 'files'")],
    ['start', { kind: 'already' }, sentence("Service 'files' is already running")],
    ['start', { kind: 'unknown' }, failure('Failed to start service: service files not found')],
    ['start', { kind: 'failed', text: 'none' }, failure('Failed to start service: none')],
    ['stop', { kind: 'done' }, sentence("Successfully stopped service 'files'")],
    ['stop', { kind: 'already' }, sentence("Service 'files' is already stopped")],
    ['stop', { kind: 'unknown' }, failure('Failed to stop service: service files not found')],
    ['stop', { kind: 'failed', text: 'busy' }, failure('Failed to stop service: busy')],
    ['restart', { kind: 'done' }, sentence("Successfully restarted service 'files'")],
    ['restart', { kind: 'unknown' }, failure('Failed to restart service: service files not found')],
    ['restart', { kind: 'failed' }, failure('Failed to restart service: unknown error')],
  ])('to %s that end as %j answer so, and are given once', async (verb, outcome, result) => {
    const ports = portsOver([files], outcome);
    expect(await callTool(`core_service_${verb}`, { name: 'files' }, ports)).toEqual(result);
    expect(ports.orders).toEqual([`${verb} files`]);
  });

  it.each(['done', 'already', 'failed'] as const)(
    'describe how to sign in when a started server requires it: %s',
    async (kind) => {
      const order = (verb: string) =>
        callTool(`core_service_${verb}`, { name: 'wiki' }, portsOver([wiki], { kind }));
      expect(await order('start')).toEqual(
        sentence(
          'Service \'wiki\' requires authentication; sign in with core_auth_login(server="wiki")',
        ),
      );
      if (kind === 'done')
        expect(await order('stop')).toEqual(sentence("Successfully stopped service 'wiki'"));
    },
  );
});
