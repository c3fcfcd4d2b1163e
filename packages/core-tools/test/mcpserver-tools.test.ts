import { describe, expect, it } from 'vitest';
import { failure, objectOf, portsOver, callTool } from './ports.ts';
import { broken, files, wiki } from './servers.ts';

const FILES = {
  name: 'files',
  type: 'stdio',
  command: 'npx',
  args: ['server-filesystem', '/data'],
  env: { API_TOKEN: '***', __proto__x: '***' },
  description: 'Files of the team',
  autoStart: true,
  timeout: 30,
  state: 'Running',
  toolsCount: 11,
  restartCount: 2,
  connectedAt: '2026-01-02T03:04:05.678Z',
  serverInfo: { name: 'secure-filesystem-server', version: '0.2.0' },
  protocolVersion: '2025-06-18',
};

const WIKI = {
  name: 'wiki',
  type: 'streamable-http',
  url: 'https://***@wiki.example/mcp?api_key=***&lang=en',
  headers: { Authorization: '***' },
  autoStart: false,
  timeout: 60,
  auth: {
    type: 'oauth',
    forwardToken: false,
    requiredAudiences: [],
    tokenExchange: {
      enabled: true,
      dexTokenEndpoint: 'https://dex.example/token',
      connectorId: 'local',
      scopes: 'openid',
      clientCredentialsSecretRef: {
        name: 'wiki-client',
        namespace: 'default',
        clientIdKey: 'client-id',
        clientSecretKey: 'client-secret',
      },
    },
  },
  state: 'Auth Required',
  statusMessage: 'Authentication required - sign in with core_auth_login(server="wiki")',
  toolsCount: 0,
  restartCount: 0,
};

const BROKEN = {
  name: 'broken',
  type: 'stdio',
  command: 'no-such-thing',
  autoStart: true,
  timeout: 30,
  state: 'Failed',
  statusMessage: 'Command not found - check the executable path',
  toolsCount: 0,
  restartCount: 4,
  nextRetryAfter: '2026-01-02T03:05:00.000Z',
};

describe('core_mcpserver_list', () => {
  it('lists by name, hides failed servers with a note, and shows no secret', async () => {
    expect(await objectOf('core_mcpserver_list', {})).toEqual({
      mcpServers: [FILES, WIKI],
      total: 2,
      mode: 'filesystem',
      hiddenFailed: 1,
      hint: '(1 failed servers hidden, use showAll to show, verbose for details)',
    });
  });

  it('shows failed servers with showAll, without their error', async () => {
    expect(await objectOf('core_mcpserver_list', { showAll: true })).toEqual({
      mcpServers: [BROKEN, FILES, WIKI],
      total: 3,
      mode: 'filesystem',
    });
  });

  it('shows the error with verbose', async () => {
    expect(
      await objectOf('core_mcpserver_list', { showAll: true, verbose: true }, portsOver([broken])),
    ).toEqual({
      mcpServers: [{ ...BROKEN, error: 'spawn no-such-thing ENOENT' }],
      total: 1,
      mode: 'filesystem',
    });
  });

  it('shows labels, and counts of resources and prompts where they are known', async () => {
    const { definition } = files;
    const labels = { 'gateway.internal/tool-group': 'infrastructure' };
    const labelled = { ...definition, metadata: { ...definition.metadata, labels } };
    const view = { ...files, definition: labelled, resourcesCount: 3, promptsCount: 0 };
    const expected = { ...FILES, labels, resourcesCount: 3, promptsCount: 0 };
    const ports = portsOver([view]);
    expect(await objectOf('core_mcpserver_list', {}, ports)).toMatchObject({
      mcpServers: [expected],
    });
    expect(await objectOf('core_mcpserver_get', { name: 'files' }, ports)).toEqual(expected);
  });

  it('says why the caller may not change servers, and nothing to one who may', async () => {
    const ports = { ...portsOver([files]), mayWrite: () => false };
    const writeRefusal =
      'every change of a server is refused because it changes the gateway; the operator can permit it with "coreTools.writes: all" in config.yaml';
    expect(await objectOf('core_mcpserver_list', {}, ports)).toEqual({
      mcpServers: [FILES],
      total: 1,
      mode: 'filesystem',
      writeRefusal,
    });
    expect(await objectOf('core_mcpserver_get', { name: 'files' }, ports)).toEqual({
      ...FILES,
      writeRefusal,
    });
  });

  it('begins each entry with name and type', async () => {
    const shown = await objectOf('core_mcpserver_get', { name: 'wiki' });
    expect(Object.keys(shown as object).slice(0, 2)).toEqual(['name', 'type']);
  });

  it('answers an empty list without servers', async () => {
    expect(await objectOf('core_mcpserver_list', {}, portsOver([]))).toEqual({
      mcpServers: [],
      total: 0,
      mode: 'filesystem',
    });
  });
});

describe('core_mcpserver_get', () => {
  it('shows one server with its error', async () => {
    expect(await objectOf('core_mcpserver_get', { name: 'files' })).toEqual(FILES);
    expect(await objectOf('core_mcpserver_get', { name: 'broken' })).toEqual({
      ...BROKEN,
      error: 'spawn no-such-thing ENOENT',
    });
  });

  it('shows health, status and changed tools, which the list leaves out', async () => {
    const status = {
      state: 'Running',
      lastConnected: '2026-01-02T03:04:05.678Z',
      restartCount: 7,
      consecutiveFailures: 1,
      lastAttempt: '2026-01-02T03:04:04.000Z',
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Connected',
          message: 'connected',
          lastTransitionTime: '2026-01-02T03:04:05.678Z',
        },
      ],
    } as const;
    const change = { tool: 'read', fields: ['annotations'], hintWidened: true, held: true };
    const toolChanges = [{ ...change, at: Date.UTC(2026, 0, 2) }];
    const ports = portsOver([{ ...files, health: 'degraded', status, toolChanges }]);
    const listed = {
      ...FILES,
      restartCount: 7,
      consecutiveFailures: 1,
      lastAttempt: '2026-01-02T03:04:04.000Z',
    };
    expect(await objectOf('core_mcpserver_list', {}, ports)).toEqual({
      mcpServers: [listed],
      total: 1,
      mode: 'filesystem',
    });
    expect(await objectOf('core_mcpserver_get', { name: 'files' }, ports)).toEqual({
      ...listed,
      health: 'degraded',
      status,
      toolChanges: [{ ...change, at: '2026-01-02T00:00:00.000Z' }],
    });
  });

  it('reports why a definition is not valid, in the list and for a single server', async () => {
    const problem = 'mcpservers/odd.yaml:5:3: spec.command: command is required when type is stdio';
    const ports = {
      ...portsOver([wiki]),
      refusedServers: () => [{ name: 'odd', problems: [problem] }],
    };
    expect(await objectOf('core_mcpserver_list', {}, ports)).toMatchObject({
      total: 1,
      refused: [{ name: 'odd', problems: [problem] }],
    });
    const text = `Failed to get MCP server: MCP server odd not found: its definition cannot be used: ${problem}`;
    expect(await callTool('core_mcpserver_get', { name: 'odd' }, ports)).toEqual(
      failure(text, { problems: [problem] }),
    );
    expect(await callTool('core_mcpserver_get', { name: 'old' }, ports)).toEqual(
      failure('Failed to get MCP server: MCP server old not found'),
    );
  });

  it('answers that an unknown server is not found', async () => {
    expect(await callTool('core_mcpserver_get', { name: 'Files' })).toEqual(
      failure('Failed to get MCP server: MCP server Files not found'),
    );
  });

  it.each([
    ['certificate', 'Certificate error - verify TLS configuration'],
    ['command-not-found', 'Command not found - check the executable path'],
    ['forbidden', 'Access forbidden - check server permissions and credentials'],
    ['unreachable', 'Server failed to start'],
    ['other', 'Server failed to start'],
  ] as const)('describes the failure code %s as: %s', async (failureCode, statusMessage) => {
    const ports = portsOver([{ ...broken, failureCode }]);
    expect(await objectOf('core_mcpserver_get', { name: 'broken' }, ports)).toMatchObject({
      statusMessage,
    });
  });

  it.each([
    [
      'spec.args[1]: the environment variable T is not set',
      'Value missing - check the variables of the gateway and the files that placeholders name',
    ],
    [
      'spec.envFrom[0]: the Secret crm does not exist',
      'Value missing - check the Secrets and ConfigMaps of envFrom and headersFrom',
    ],
  ])('names where the missing value of %s comes from', async (reason, statusMessage) => {
    const ports = portsOver([{ ...broken, reason, failureCode: 'missing-value' }]);
    expect(await objectOf('core_mcpserver_get', { name: 'broken' }, ports)).toMatchObject({
      statusMessage,
    });
  });

  it('reports that a server is starting, and nothing for a running or stopped one', async () => {
    const messageIn = async (state: 'Starting' | 'Connecting' | 'Stopped' | 'Disconnected') =>
      (
        (await objectOf(
          'core_mcpserver_get',
          { name: 'wiki' },
          portsOver([{ ...wiki, state }]),
        )) as { statusMessage?: string }
      ).statusMessage;
    expect(await messageIn('Starting')).toBe('Starting...');
    expect(await messageIn('Connecting')).toBe('Starting...');
    expect(await messageIn('Stopped')).toBeUndefined();
    expect(await messageIn('Disconnected')).toBeUndefined();
  });

  /** The arguments of a stdio server as `core_mcpserver_get` shows them. */
  const shownArgs = async (args: readonly string[]): Promise<unknown> => {
    const { definition } = files;
    if (definition.spec.type !== 'stdio') throw new Error('not a stdio server');
    const view = { ...files, definition: { ...definition, spec: { ...definition.spec, args } } };
    const shown = await objectOf('core_mcpserver_get', { name: 'files' }, portsOver([view]));
    const listed = await objectOf('core_mcpserver_list', {}, portsOver([view]));
    expect(listed).toMatchObject({ mcpServers: [shown] });
    return (shown as { readonly args: unknown }).args;
  };

  it.each([
    ['--token=hush', '--token=***'],
    ['--token=a=b', '--token=***'],
    ['--token=two\nlines', '--token=***'],
    ['-token=hush', '-token=***'],
    ['--API_KEY=hush', '--API_KEY=***'],
    ['--apikey=hush', '--apikey=***'],
    ['--accessToken=hush', '--accessToken=***'],
    ['--client-secret-value=hush', '--client-secret-value=***'],
    ['--db.password=hush', '--db.password=***'],
    ['--passwd=hush', '--passwd=***'],
    ['--passphrase=hush', '--passphrase=***'],
  ])('shows no secret in the argument %j', async (arg, shown) => {
    expect(await shownArgs(['run', arg, 'last'])).toEqual(['run', shown, 'last']);
  });

  it('shows no secret in the argument that follows a flag', async () => {
    expect(await shownArgs(['--token', 'hush', '--user', 'bot', '--api-key', '-hush'])).toEqual([
      '--token',
      '***',
      '--user',
      'bot',
      '--api-key',
      '***',
    ]);
    expect(await shownArgs(['--no-token', '--password', 'hush', '--key=hush', 'a'])).toEqual([
      '--no-token',
      '***',
      '***',
      '--key=***',
      'a',
    ]);
  });

  it.each([
    '--keyboard=us',
    '--max-tokens=100',
    '--tokenizer=fast',
    '--monkey=1',
    '--token=',
    '---token=1',
    '-k=1',
    'key',
  ])('shows the argument %j and the one after it as they are', async (arg) => {
    expect(await shownArgs([arg, 'after'])).toEqual([arg, 'after']);
  });

  it('leaves the definition itself as it is', async () => {
    await objectOf('core_mcpserver_get', { name: 'files' });
    expect(files.definition.spec.env['API_TOKEN']).toBe('file-secret');
  });
});

describe('the user who created a server', () => {
  const annotated = (annotations: Readonly<Record<string, string>>) => ({
    ...files,
    definition: { ...files.definition, metadata: { ...files.definition.metadata, annotations } },
  });

  it('is listed and shown as the annotation records it', async () => {
    const server = annotated({ 'gateway.internal/registered-by': 'ada@example' });
    const ports = portsOver([server]);
    const shown = { ...FILES, registeredBy: 'ada@example' };
    expect(await objectOf('core_mcpserver_get', { name: 'files' }, ports)).toMatchObject(shown);
    expect(await objectOf('core_mcpserver_list', {}, ports)).toMatchObject({ mcpServers: [shown] });
  });

  it('is not shown from an annotation of another group, or without one', async () => {
    for (const annotations of [{}, { 'other.example/registered-by': 'ada@example' }])
      expect(
        await objectOf(
          'core_mcpserver_get',
          { name: 'files' },
          portsOver([annotated(annotations)]),
        ),
      ).not.toHaveProperty('registeredBy');
  });
});
