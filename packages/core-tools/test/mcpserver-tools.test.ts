import { describe, expect, it } from 'vitest';
import type { CoreToolPorts } from '../src/index.ts';
import type { ServerEntry } from '../src/ports.ts';
import { failure, objectOf, portsOver, callTool } from './ports.ts';
import { broken, files, wiki, withSpec } from './servers.ts';

const AT = '2026-01-02T03:04:05.678Z';

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
  connectedAt: AT,
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
  auth: wiki.definition.spec.type === 'stdio' ? undefined : wiki.definition.spec.auth,
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
const error = 'spawn no-such-thing ENOENT';

const list = (args: object = {}, ports: CoreToolPorts = portsOver()) =>
  objectOf('core_mcpserver_list', args, ports);
const get = (name: string, ports: CoreToolPorts = portsOver()) =>
  objectOf('core_mcpserver_get', { name }, ports);
const listOf = (...mcpServers: readonly object[]) => {
  const total = mcpServers.length;
  return { mcpServers, total, mode: 'filesystem' };
};

describe('core_mcpserver_list', () => {
  it('lists by name, hides failed servers with a note, and shows no secret', async () => {
    const hint = '(1 failed servers hidden, use showAll to show, verbose for details)';
    expect(await list()).toEqual({ ...listOf(FILES, WIKI), hiddenFailed: 1, hint });
  });

  it.each<[object, readonly ServerEntry[], object]>([
    [{ showAll: true }, [wiki, files, broken], listOf(BROKEN, FILES, WIKI)],
    [{ showAll: true, verbose: true }, [broken], listOf({ ...BROKEN, error })],
    [{}, [], listOf()],
  ])(
    'shows failed servers with showAll, and their error with verbose: %j',
    async (args, servers, shown) => {
      expect(await list(args, portsOver(servers))).toEqual(shown);
    },
  );

  it('shows labels, and counts of resources and prompts where they are known', async () => {
    const labels = { 'gateway.internal/tool-group': 'infrastructure' };
    const counts = { resourcesCount: 3, promptsCount: 0 };
    const ports = portsOver([{ ...withSpec(files, {}, { labels }), ...counts }]);
    const expected = { ...FILES, labels, ...counts };
    expect([await list({}, ports), await get('files', ports)]).toEqual([
      listOf(expected),
      expected,
    ]);
  });

  it('says why the caller may not change servers, and nothing to one who may', async () => {
    const ports = { ...portsOver([files]), mayWrite: () => false };
    const writeRefusal =
      'every change of a server is refused because it changes the gateway; the operator can permit it with "coreTools.writes: all" in config.yaml';
    expect(await list({}, ports)).toEqual({ ...listOf(FILES), writeRefusal });
    expect(await get('files', ports)).toEqual({ ...FILES, writeRefusal });
  });
});

describe('core_mcpserver_get', () => {
  it('shows what runs, waits and was refused, and the breakers with their next attempt', async () => {
    const load = { running: 2, waiting: 1, refused: 0, breaker: { state: 'closed' } } as const;
    const nextAttemptAt = Date.parse(AT);
    const tool = { tool: 'read', running: 0, waiting: 0, refused: 5 };
    const ports: CoreToolPorts = {
      ...portsOver(),
      requestLoad: (name) =>
        name === 'files'
          ? { ...load, tools: [{ ...tool, breaker: { state: 'open', nextAttemptAt } }] }
          : undefined,
    };
    expect(await get('files', ports)).toMatchObject({
      requests: {
        ...{ running: 2, waiting: 1, refused: 0, breaker: 'closed' },
        tools: [{ ...tool, breaker: 'open', nextAttempt: AT }],
      },
    });
    expect(await get('wiki', ports)).not.toHaveProperty('requests');
  });

  it('shows one server with its error, name and type first, and leaves the definition as it is', async () => {
    expect(await get('files')).toEqual(FILES);
    expect(await get('broken')).toEqual({ ...BROKEN, error });
    expect(Object.keys((await get('wiki')) as object).slice(0, 2)).toEqual(['name', 'type']);
    expect(files.definition.spec.env['API_TOKEN']).toBe('file-secret');
  });

  it('shows health, status and changed tools, which the list leaves out', async () => {
    const counted = { restartCount: 7, consecutiveFailures: 1, lastAttempt: AT };
    const ready = { type: 'Ready', status: 'True', reason: 'Connected' } as const;
    const conditions = [{ ...ready, message: 'connected', lastTransitionTime: AT }];
    const status = { state: 'Running', lastConnected: AT, ...counted, conditions } as const;
    const change = { tool: 'read', fields: ['annotations'], hintWidened: true, held: true };
    const toolChanges = [{ ...change, at: Date.UTC(2026, 0, 2) }];
    const ports = portsOver([{ ...files, health: 'degraded', status, toolChanges }]);
    const listed = { ...FILES, ...counted };
    const shownChanges = [{ ...change, at: '2026-01-02T00:00:00.000Z' }];
    expect(await list({}, ports)).toEqual(listOf(listed));
    const more = { health: 'degraded', status, toolChanges: shownChanges };
    expect(await get('files', ports)).toEqual({ ...listed, ...more });
  });

  it('reports why a definition is not valid, in the list and for a single server', async () => {
    const problem = 'mcpservers/odd.yaml:5:3: spec.command: command is required when type is stdio';
    const refused = [{ name: 'odd', problems: [problem] }];
    const ports = { ...portsOver([wiki]), refusedServers: () => refused };
    expect(await list({}, ports)).toMatchObject({ total: 1, refused });
    const text = `Failed to get MCP server: MCP server odd not found: its definition cannot be used: ${problem}`;
    expect(await callTool('core_mcpserver_get', { name: 'odd' }, ports)).toEqual(
      failure(text, { problems: [problem] }),
    );
  });

  it('answers that an unknown server is not found', async () => {
    expect(await callTool('core_mcpserver_get', { name: 'Files' })).toEqual(
      failure('Failed to get MCP server: MCP server Files not found'),
    );
  });

  it.each<[Partial<ServerEntry>, string | undefined]>([
    [{ failureCode: 'certificate' }, 'Certificate error - verify TLS configuration'],
    [{ failureCode: 'forbidden' }, 'Access forbidden - check server permissions and credentials'],
    [{ failureCode: 'unreachable' }, 'Server failed to start'],
    [{ failureCode: 'other' }, 'Server failed to start'],
    [
      {
        failureCode: 'missing-value',
        reason: 'spec.args[1]: the environment variable T is not set',
      },
      'Value missing - check the variables of the gateway and the files that placeholders name',
    ],
    [
      { failureCode: 'missing-value', reason: 'spec.envFrom[0]: the Secret crm does not exist' },
      'Value missing - check the Secrets and ConfigMaps of envFrom and headersFrom',
    ],
    [{ state: 'Starting' }, 'Starting...'],
    [{ state: 'Connecting' }, 'Starting...'],
    [{ state: 'Stopped' }, undefined],
    [{ state: 'Disconnected' }, undefined],
  ])('describes %j as: %s', async (more, statusMessage) => {
    const shown = await get('broken', portsOver([{ ...broken, ...more }]));
    expect((shown as { statusMessage?: string }).statusMessage).toBe(statusMessage);
  });

  /** The arguments of a stdio server as `core_mcpserver_get` shows them. */
  const shownArgs = async (args: readonly string[]): Promise<unknown> => {
    const ports = portsOver([withSpec(files, { args })]);
    const shown = await get('files', ports);
    expect(await list({}, ports)).toMatchObject({ mcpServers: [shown] });
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
    ['--token hush --user bot --api-key -hush', '--token *** --user bot --api-key ***'],
    ['--no-token --password hush --key=hush a', '--no-token --password *** --key=*** a'],
  ])('shows no secret in the arguments %j', async (args, shown) => {
    expect(await shownArgs(['run', ...args.split(' '), 'last'])).toEqual([
      'run',
      ...shown.split(' '),
      'last',
    ]);
  });

  it.each(
    '--keyboard=us --max-tokens=100 --tokenizer=fast --monkey=1 --token= ---token=1 -k=1 key'.split(
      ' ',
    ),
  )('shows the argument %j and the one after it as they are', async (arg) => {
    expect(await shownArgs([arg, 'after'])).toEqual([arg, 'after']);
  });
});

it.each([
  ['gateway.internal/registered-by', { ...FILES, registeredBy: 'ada@example' }],
  ['other.example/registered-by', FILES],
])('shows the user who created a server as the annotation %s records it', async (key, shown) => {
  const annotations = { [key]: 'ada@example' };
  const ports = portsOver([withSpec(files, {}, { annotations })]);
  expect([await get('files', ports), await list({}, ports)]).toEqual([shown, listOf(shown)]);
});
