import type { ServerEntry } from '../src/ports.ts';
import {
  ANONYMOUS,
  createPrincipal,
  type Principal,
  type ServerWriteOutcome,
} from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { createCoreTools } from '../src/index.ts';
import { failure, portsOver, callTool, sentence, type RecordingPorts } from './ports.ts';
import { files, wiki, withSpec } from './servers.ts';

type Verb = 'create' | 'update' | 'delete' | 'validate';

const call = (verb: Verb, args: unknown, ports = portsOver()) =>
  callTool(`core_mcpserver_${verb}`, args, ports);

const STDIO = { name: 'new', type: 'stdio', command: 'npx' };
const SSE = { name: 'new', type: 'sse', url: 'http://a.example/' };
const CREATED = sentence("MCP server 'new' created successfully");

/** Ports whose writes of servers end so. */
const portsWriting = (outcome: ServerWriteOutcome): RecordingPorts => {
  const write = () => Promise.resolve(outcome);
  return { ...portsOver(), writeServer: { create: write, patch: write, remove: write } };
};

const invalid = (...problems: readonly string[]) =>
  failure(`Invalid MCP server definition: ${problems.join('; ')}`, { problems });

/** Returns the problem of a redacted value at a place where no value exists. */
const unknown = (place: string): string => `${place} is ***, and there is no value to keep`;

const FTP = 'server type: ftp (supported: stdio, streamable-http, sse)';
const ISSUES = [
  'spec.type: must be one of stdio, streamable-http, sse',
  'spec.timeout: must be at least 1',
];

const schemaOf = (verb: Verb): unknown => {
  const { entries } = createCoreTools(portsOver());
  return entries.find(({ name }) => name === `core_mcpserver_${verb}`)?.inputSchema;
};

describe('the schema of auth', () => {
  it.each(['create', 'validate'] as const)(
    'in core_mcpserver_%s is that of the resource',
    (verb) => {
      const tokenExchange = {
        type: 'object',
        properties: { dexTokenEndpoint: { type: 'string' } },
        additionalProperties: false,
      };
      const auth = {
        type: 'object',
        description: 'How a remote server authenticates callers',
        properties: {
          type: { type: 'string', enum: ['oauth', 'none'], default: 'none' },
          forwardToken: { type: 'boolean' },
          requiredAudiences: { type: 'array', maxItems: expect.any(Number) as number },
          tokenExchange,
          authorizationServer: { type: 'object', required: ['issuer'] },
        },
        additionalProperties: false,
      };
      expect(schemaOf(verb)).toMatchObject({ properties: { auth } });
    },
  );

  it('in core_mcpserver_update permits the removal of each field', () => {
    const text = { type: ['string', 'null'] };
    const object = { type: ['object', 'null'] };
    const properties = {
      type: { ...text, enum: ['oauth', 'none', null] },
      authorizationServer: { ...object, properties: { issuer: text } },
    };
    const auth = { ...object, properties };
    const headers = { additionalProperties: text };
    expect(schemaOf('update')).toMatchObject({ properties: { auth, headers } });
    for (const path of ['type.default', 'authorizationServer.required'])
      expect(schemaOf('update')).not.toHaveProperty(`properties.auth.properties.${path}`);
  });
});

describe('core_mcpserver_create', () => {
  it.each<[object, string?]>([
    [{ type: 'stdio', command: 'npx' }, 'tools.example'],
    [
      {
        type: 'streamable-http',
        family: { name: 'search', instanceArg: 'site' },
        description: 'Searches',
        url: 'https://search.example/mcp',
        headers: { Authorization: 'Bearer hush' },
        timeout: 5,
        auth: { type: 'none' },
      },
    ],
  ])('writes the resource that the fields describe: %j', async (spec, apiGroup) => {
    const ports = { ...portsOver(), ...(apiGroup !== undefined && { apiGroup }) };
    expect(await call('create', { name: 'new', ...spec }, ports)).toEqual(CREATED);
    const apiVersion = `${apiGroup ?? 'gateway.internal'}/v1alpha1`;
    const document = { apiVersion, kind: 'MCPServer', metadata: { name: 'new' }, spec };
    expect(ports.orders).toEqual([`create server ${JSON.stringify(document)}`]);
  });

  const ada = createPrincipal({ issuer: 'https://issuer.test', subject: 'ada@example' });
  const registered = (group: string) =>
    `"metadata":{"name":"new","annotations":{"${group}/registered-by":"ada@example"}}`;

  it.each<[string, Principal, string, string?]>([
    ['of a user', ada, registered('gateway.internal')],
    ['in the API group of the gateway', ada, registered('tools.example'), 'tools.example'],
    ['of nobody', ANONYMOUS, '"metadata":{"name":"new"}'],
    ['of no length', { ...ada, subject: 'a'.repeat(1025) }, '"metadata":{"name":"new"}'],
  ])('records the subject %s', async (_, principal, metadata, apiGroup) => {
    const ports = { ...portsOver(), ...(apiGroup !== undefined && { apiGroup }) };
    await createCoreTools(ports).call('core_mcpserver_create', STDIO, { principal });
    expect(ports.orders.join()).toContain(metadata);
  });

  it.each<readonly [ServerWriteOutcome, unknown]>([
    [{ kind: 'done' }, CREATED],
    [{ kind: 'exists' }, failure("MCP server 'new' already exists")],
    [
      { kind: 'failed', text: 'the configuration directory is read-only' },
      failure('Failed to create MCP server: the configuration directory is read-only'),
    ],
    [
      { kind: 'invalid', issues: ['spec.command: command is required when type is stdio'] },
      invalid('command is required for stdio type'),
    ],
  ])('answers a write that ends as %j', async (outcome, result) => {
    expect(await call('create', STDIO, portsWriting(outcome))).toEqual(result);
  });

  it.each([
    ['without a name', {}, failure('name argument is required')],
    ['without a type', { name: 'new' }, failure('type argument is required')],
    [
      'that is invalid',
      { name: 'new', type: 'stdio' },
      invalid('command is required for stdio type'),
    ],
    [
      'whose secrets are redacted',
      { ...STDIO, env: { TOKEN: '***', MODE: 'fast' }, args: ['--key=***', '***'] },
      invalid(...['args.0', 'args.1', 'env.TOKEN'].map(unknown)),
    ],
  ])('writes nothing %s', async (_, definition, result) => {
    const ports = portsOver();
    expect(await call('create', definition, ports)).toEqual(result);
    expect(ports.orders).toEqual([]);
  });
});

describe('core_mcpserver_validate', () => {
  it.each<readonly [string, object]>([
    ['type is required', {}],
    [
      'type is required; description: must be at most 500 characters',
      { description: 'x'.repeat(501) },
    ],
    [`unsupported MCP ${FTP}`, { type: 'ftp' }],
    ['command is required for stdio type', { type: 'stdio' }],
    ['url is required for streamable-http and sse types', { type: 'streamable-http' }],
    ['url is required for streamable-http and sse types', { type: 'sse' }],
    [
      'auth configuration is only supported for remote server types (streamable-http or sse)',
      { ...STDIO, auth: { type: 'oauth' } },
    ],
    [
      'headers: headers field is only allowed when type is streamable-http or sse',
      { ...STDIO, headers: { A: 'b' } },
    ],
    ['args: args field is only allowed when type is stdio', { ...SSE, args: ['x'] }],
    ['url: must be an http:// or https:// URL', { type: 'sse', url: 'ftp://a.example/' }],
    ['args[1]: must be a string, not a number', { ...STDIO, args: ['a', 1] }],
    ['family.instanceArg: instanceArg is required', { ...STDIO, family: { name: 'a' } }],
    ['auth.kind: unknown field', { ...SSE, auth: { kind: 'none' } }],
  ])('returns: %s', async (problem, fields) => {
    const problems = problem.split('; ');
    expect(await call('validate', { name: 'new', ...fields })).toEqual(
      failure(`Validation failed: ${problem}`, { problems }),
    );
  });

  it.each([
    { ...STDIO, args: ['a'], cwd: 'work', env: { A: 'b' }, toolPrefix: 'n' },
    { ...SSE, headers: { A: 'b' }, autoStart: true },
    { ...STDIO, env: JSON.parse('{"__proto__":"a","constructor":"b"}') as object },
    { ...STDIO, name: 'constructor' },
  ])('accepts a definition that create would write, and writes nothing: %j', async (definition) => {
    const ports = portsOver();
    expect(await call('validate', definition, ports)).toEqual(
      sentence(`Validation successful for mcpserver ${definition.name}`),
    );
    expect(ports.orders).toEqual([]);
  });

  it('reports the problem of a name', async () => {
    const { structuredContent } = await call('validate', { ...STDIO, name: 'No Name' });
    expect(structuredContent).toEqual({
      error: expect.stringMatching(/^Validation failed: name: must consist of/u) as unknown,
      problems: [expect.stringMatching(/^name: must consist of/u)],
    });
  });

  it.each([
    [
      { status: {} },
      'unknown args: [status]. Allowed args: [name, type, toolPrefix, family, description, autoStart, command, args, cwd, startTimeout, instances, protocol, url, env, headers, envFrom, headersFrom, timeout, maxResultBytes, checkArguments, limits, tools, auth]',
    ],
    [{ autoStart: 'yes' }, 'autoStart must be a boolean'],
    [{ timeout: 301 }, 'timeout must be at most 300 (maximum value)'],
    [{ env: ['A=b'] }, 'env must be an object'],
  ])('refuses %j before it checks the definition', async (args, text) => {
    expect(await call('validate', { name: 'new', ...args })).toEqual(failure(text));
  });
});

/** Returns the patch that an update passes to the port, or the refusal. */
const patchOf = async (
  name: string,
  args: object,
  servers: readonly ServerEntry[] = [files, wiki],
): Promise<unknown> => {
  const ports = portsOver(servers);
  const result = await call('update', { name, ...args }, ports);
  const [order] = ports.orders;
  return order === undefined ? result : JSON.parse(order.replace(`patch server ${name} `, ''));
};

const OTHER = 'https://collector.example/mcp';

describe('core_mcpserver_update', () => {
  const REDACTED = { Authorization: '***' };
  const [SHOWN, MOVED] = [
    'https://***@wiki.example/mcp?api_key=***&lang=en',
    'https://wiki.example/v2/mcp',
  ];
  const removed = { Authorization: null };

  it.each<[string, object, object?]>([
    ['files', {}],
    ['files', { autoStart: false, timeout: 3 }],
    // Null removes a field, and blank strings are values.
    ['files', { toolPrefix: null, env: { A: null }, description: '' }],
    // What is sent back redacted does not change.
    ['files', { env: { API_TOKEN: '***', NEW: 'value' } }, { env: { NEW: 'value' } }],
    ['wiki', { url: SHOWN, headers: REDACTED, timeout: 3 }, { headers: {}, timeout: 3 }],
    // Headers are removed that were for another origin, port or scheme.
    ['wiki', { url: OTHER }, { url: OTHER, headers: removed }],
    [
      'wiki',
      { url: 'https://wiki.example:8443/' },
      { url: 'https://wiki.example:8443/', headers: removed },
    ],
    ['wiki', { url: 'http://wiki.example/' }, { url: 'http://wiki.example/', headers: removed }],
    ['wiki', { url: MOVED, headers: REDACTED }, { url: MOVED, headers: {} }],
    ['wiki', { url: OTHER, headers: { Authorization: 'mine' } }],
    ['wiki', { url: OTHER, headers: null }],
    // Variables are removed that were for another command.
    [
      'files',
      { command: 'sh', env: { API_TOKEN: '***', A: 'b' } },
      { command: 'sh', env: { A: 'b', API_TOKEN: null, __proto__x: null } },
    ],
    ['files', { command: 'npx', args: ['other'] }],
  ])('passes to %s of %j the patch %j', async (name, args, patch = args) => {
    expect(await patchOf(name, args)).toEqual(patch);
  });

  it.each([
    [{ name: 'files', autoStart: '' }, 'autoStart must be a boolean'],
    [{ name: null }, 'name argument is required'],
  ])('refuses %j', async (args, text) => {
    expect(await call('update', args)).toEqual(failure(text));
  });

  it('gives the reason of the headers that it removes', async () => {
    const args = { name: 'wiki', url: OTHER, headers: { Authorization: '***' } };
    const ports = portsOver([wiki]);
    expect(await call('update', args, ports)).toEqual(
      sentence(
        "MCP server 'wiki' updated successfully. Removed, because they were for https://wiki.example and not for https://collector.example: headers.Authorization. Set them again if the new server may have them.",
        { removed: ['headers.Authorization'] },
      ),
    );
    expect(ports.orders).toEqual([
      `patch server wiki {"url":"${OTHER}","headers":{"Authorization":null}}`,
    ]);
  });

  it('gives hidden arguments to no other command', async () => {
    const servers = [withSpec(files, { args: ['--token', 'hush'] })];
    expect(await patchOf('files', { command: 'sh' }, servers)).toEqual(
      invalid(
        'args has hidden values, which were for another command: give the arguments of this one',
      ),
    );
    const args = ['--token', '***'];
    const refused = invalid(unknown('args.1'));
    expect(await patchOf('files', { command: 'sh', args }, servers)).toEqual(refused);
  });

  it('refuses a redacted secret where no secret exists', async () => {
    const url = 'https://***@other.example/mcp';
    const redacted = { url, headers: { Other: '***' }, env: { __proto__x: '***' } };
    expect(await patchOf('wiki', redacted)).toEqual(
      invalid(...['url', 'env.__proto__x', 'headers.Other'].map(unknown)),
    );
  });

  it.each<readonly [ServerWriteOutcome, unknown]>([
    [{ kind: 'done' }, sentence("MCP server 'files' updated successfully")],
    [{ kind: 'missing' }, failure('Failed to update MCP server: MCP server files not found')],
    [
      { kind: 'invalid', issues: ISSUES },
      invalid(`unsupported MCP ${FTP}`, 'timeout: must be at least 1'),
    ],
    [{ kind: 'failed', text: 'disk full' }, failure('Failed to update MCP server: disk full')],
  ])('answers a write that ends as %j', async (outcome, result) => {
    const ports = portsWriting(outcome);
    expect(await call('update', { name: 'files', type: 'ftp' }, ports)).toEqual(result);
    if (outcome.kind === 'missing')
      expect(await call('update', { name: 'gone', timeout: 3 }, ports)).toEqual(
        failure('Failed to update MCP server: MCP server gone not found'),
      );
  });

  it('offers null for every field but the name, and no defaults', () => {
    const { properties, required } = schemaOf('update') as {
      properties: Record<string, Record<string, unknown>>;
      required: unknown;
    };
    for (const [name, schema] of Object.entries(properties)) {
      const takesNull = Array.isArray(schema['type']) && schema['type'].includes('null');
      expect([name, takesNull, 'default' in schema]).toEqual([name, name !== 'name', false]);
    }
    expect(required).toEqual(['name']);
  });
});

describe('secrets among arguments of a command', () => {
  const ARGS = '--verbose --token first --password second --key=third last';

  it.each([
    // They stay when all are sent back as they were shown.
    [ARGS, '--verbose --token *** --password *** --key=*** last', { args: ARGS.split(' ') }],
    // They follow the flag before them when the list changes, and are never put behind another flag.
    [
      ARGS,
      '--password *** new --key=***',
      { args: ['--password', 'second', 'new', '--key=third'] },
    ],
    [ARGS, '--user *** ***', invalid(...['args.1', 'args.2'].map(unknown))],
    // Two of them have one place.
    [
      '--key=one --key=two',
      '--key=***',
      invalid('args.0 is ***, and it is not clear which value to keep'),
    ],
  ])('of %j that are sent back as %j are kept or refused', async (current, sent, result) => {
    const server = withSpec(files, { args: current.split(' ') });
    expect(await patchOf('files', { args: sent.split(' ') }, [server])).toEqual(result);
  });
});

describe('a hidden default of a tool', () => {
  const server = withSpec(files, {
    tools: [{ name: 'send', defaults: { api_key: 'k', to: 'ops' } }, { pattern: 'read_*' }],
  });
  const sent = (defaults: object) => [{ name: 'send', defaults }, { pattern: 'get_*' }];

  it.each([
    [{ api_key: '***', to: 'ops' }, { tools: sent({ api_key: 'k', to: 'ops' }) }],
    [{ api_key: 'new', to: 'me' }, { tools: sent({ api_key: 'new', to: 'me' }) }],
    // An entry that changed has no place any more.
    [{ api_key: '***', to: 'me' }, invalid('tools.0 is ***, and there is no value to keep')],
  ])('is kept only in an entry that is sent back as it was shown: %j', async (defaults, result) => {
    expect(await patchOf('files', { tools: sent(defaults) }, [server])).toEqual(result);
  });
});
