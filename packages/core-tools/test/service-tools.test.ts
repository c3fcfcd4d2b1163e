import { describe, expect, it } from 'vitest';
import type { ServiceOutcome } from '../src/index.ts';
import { failure, objectOf, portsOver, callTool, sentence } from './ports.ts';
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

const BROKEN = {
  name: 'broken',
  service_type: 'MCPServer',
  state: 'failed',
  health: 'unhealthy',
  error: 'spawn no-such-thing ENOENT',
  metadata: {
    type: 'stdio',
    toolsCount: 0,
    restartCount: 4,
    nextRetryAfter: '2026-01-02T03:05:00.000Z',
  },
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

describe('core_service_list', () => {
  it('lists every service by name, the gateway itself among them', async () => {
    expect(await objectOf('core_service_list', {})).toEqual({
      services: [BROKEN, FILES, AGGREGATOR, WIKI],
      total: 4,
    });
  });

  it('lists a server that has the name of the gateway itself in its place', async () => {
    const ports = portsOver([{ ...files, name: 'mcp-aggregator' }]);
    const own = { ...FILES, name: 'mcp-aggregator' };
    expect(await objectOf('core_service_list', {}, ports)).toEqual({ services: [own], total: 1 });
    expect(await objectOf('core_service_status', { name: 'mcp-aggregator' }, ports)).toEqual(own);
    await callTool('core_service_stop', { name: 'mcp-aggregator' }, ports);
    expect(ports.orders).toEqual(['stop mcp-aggregator']);
  });

  it('shows the tools and prompts whose names other servers hold', async () => {
    const tool = { kind: 'tool', name: 'x_files_read', heldBy: 'server "zhub"' } as const;
    const prompt = { kind: 'prompt', name: 'x_files_ask', heldBy: 'server "zhub"' } as const;
    const statusOf = (total: number) =>
      objectOf(
        'core_service_status',
        { name: 'files' },
        portsOver([{ ...files, nameConflicts: { total, first: [tool, prompt] } }]),
      );
    const lines = [
      'tool x_files_read is not served: server "zhub" holds the name',
      'prompt x_files_ask is not served: server "zhub" holds the name',
    ];
    expect(await statusOf(2)).toEqual({ ...FILES, warnings: lines });
    expect(await statusOf(42)).toEqual({
      ...FILES,
      warnings: [...lines, '40 more are not served: other servers hold their names'],
    });
    expect(await objectOf('core_service_status', { name: 'files' })).toEqual(FILES);
  });

  it('shows what the lists of a server lack, and nothing when they are complete', async () => {
    const listWarnings = ['tool read is left out: it has no inputSchema'];
    const ports = portsOver([{ ...files, listWarnings }]);
    expect(await objectOf('core_service_status', { name: 'files' }, ports)).toEqual({
      ...FILES,
      warnings: listWarnings,
    });
  });

  it('shows the progress of a server that starts', async () => {
    const starting = { ...files, state: 'Starting', startProgress: 'Downloading tools' } as const;
    const ports = portsOver([starting]);
    expect(await objectOf('core_service_status', { name: 'files' }, ports)).toMatchObject({
      state: 'starting',
      progress: 'Downloading tools',
    });
    expect(await objectOf('core_service_status', { name: 'files' })).not.toHaveProperty('progress');
  });

  it('shows the health of a server that is checked', async () => {
    const ports = portsOver([{ ...files, health: 'degraded' }]);
    expect(await objectOf('core_service_status', { name: 'files' }, ports)).toEqual({
      ...FILES,
      health: 'degraded',
    });
  });
});

describe('the gateway itself', () => {
  it('is shown, runs already, and is not stopped or restarted from inside', async () => {
    const ports = portsOver();
    const order = (verb: string) =>
      callTool(`core_service_${verb}`, { name: 'mcp-aggregator' }, ports);
    expect(await objectOf('core_service_status', { name: 'mcp-aggregator' })).toEqual(AGGREGATOR);
    expect(await order('start')).toEqual(sentence("Service 'mcp-aggregator' is already running"));
    expect(await order('stop')).toEqual(
      failure('Failed to stop service: mcp-aggregator is the gateway itself; stop its process'),
    );
    expect(await order('restart')).toEqual(
      failure(
        'Failed to restart service: mcp-aggregator is the gateway itself; restart its process',
      ),
    );
    expect(ports.orders).toEqual([]);
  });
});

describe('core_service_status', () => {
  it('shows one service', async () => {
    expect(await objectOf('core_service_status', { name: 'broken' })).toEqual(BROKEN);
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
    const ports = portsOver([{ ...files, state: word }]);
    expect(await objectOf('core_service_status', { name: 'files' }, ports)).toMatchObject({
      state,
      health,
    });
  });

  it('answers that an unknown service is not found', async () => {
    expect(await callTool('core_service_status', { name: '__proto__' })).toEqual(
      failure('Failed to get service status: service __proto__ not found'),
    );
  });
});

const CASES: readonly [string, ServiceOutcome, unknown][] = [
  ['core_service_start', { kind: 'done' }, sentence("Successfully started service 'files'")],
  ['core_service_start', { kind: 'already' }, sentence("Service 'files' is already running")],
  [
    'core_service_start',
    { kind: 'unknown' },
    failure('Failed to start service: service files not found'),
  ],
  [
    'core_service_start',
    { kind: 'failed', text: 'no such file' },
    failure('Failed to start service: no such file'),
  ],
  ['core_service_stop', { kind: 'done' }, sentence("Successfully stopped service 'files'")],
  ['core_service_stop', { kind: 'already' }, sentence("Service 'files' is already stopped")],
  [
    'core_service_stop',
    { kind: 'unknown' },
    failure('Failed to stop service: service files not found'),
  ],
  ['core_service_stop', { kind: 'failed', text: 'busy' }, failure('Failed to stop service: busy')],
  ['core_service_restart', { kind: 'done' }, sentence("Successfully restarted service 'files'")],
  [
    'core_service_restart',
    { kind: 'unknown' },
    failure('Failed to restart service: service files not found'),
  ],
  ['core_service_restart', { kind: 'failed' }, failure('Failed to restart service: unknown error')],
];

describe('orders', () => {
  it.each(CASES)('%s that ends as %j answers so', async (name, outcome, result) => {
    expect(await callTool(name, { name: 'files' }, portsOver([files], outcome))).toEqual(result);
  });

  it('are given once and by name', async () => {
    const ports = portsOver();
    await callTool('core_service_start', { name: 'files' }, ports);
    await callTool('core_service_stop', { name: 'files' }, ports);
    await callTool('core_service_restart', { name: 'wiki' }, ports);
    expect(ports.orders).toEqual(['start files', 'stop files', 'restart wiki']);
  });

  it('describe how to sign in when a started server requires it', async () => {
    const guidance = sentence(
      'Service \'wiki\' requires authentication; sign in with core_auth_login(server="wiki")',
    );
    for (const kind of ['done', 'already', 'failed'] as const) {
      expect(
        await callTool('core_service_start', { name: 'wiki' }, portsOver([wiki], { kind })),
      ).toEqual(guidance);
    }
    expect(await callTool('core_service_stop', { name: 'wiki' }, portsOver([wiki]))).toEqual(
      sentence("Successfully stopped service 'wiki'"),
    );
  });
});
