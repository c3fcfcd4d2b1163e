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
import { files, wiki } from './servers.ts';

type Verb = 'create' | 'update' | 'delete' | 'validate';

const call = (verb: Verb, args: unknown, ports = portsOver()) =>
  callTool(`core_mcpserver_${verb}`, args, ports);

const STDIO = { name: 'new', type: 'stdio', command: 'npx' };

/** Ports whose writes of servers end so. */
const portsWriting = (outcome: ServerWriteOutcome): RecordingPorts => {
  const write = () => Promise.resolve(outcome);
  return { ...portsOver(), writeServer: { create: write, patch: write, remove: write } };
};

const invalid = (...problems: readonly string[]) =>
  failure(`Invalid MCP server definition: ${problems.join('; ')}`, { problems });

const schemaOf = (verb: Verb): unknown => {
  const { entries } = createCoreTools(portsOver());
  return entries.find(({ name }) => name === `core_mcpserver_${verb}`)?.inputSchema;
};

describe('the schema of auth', () => {
  it.each(['create', 'validate'] as const)(
    'in core_mcpserver_%s is that of the resource',
    (verb) => {
      expect(schemaOf(verb)).toMatchObject({
        properties: {
          auth: {
            type: 'object',
            description: 'How a remote server authenticates callers',
            properties: {
              type: { type: 'string', enum: ['oauth', 'none'], default: 'none' },
              forwardToken: { type: 'boolean' },
              requiredAudiences: { type: 'array', maxItems: expect.any(Number) as number },
              tokenExchange: {
                type: 'object',
                properties: { dexTokenEndpoint: { type: 'string' } },
                additionalProperties: false,
              },
              authorizationServer: { type: 'object', required: ['issuer'] },
            },
            additionalProperties: false,
          },
        },
      });
    },
  );

  it('in core_mcpserver_update permits the removal of each field', () => {
    expect(schemaOf('update')).toMatchObject({
      properties: {
        auth: {
          type: ['object', 'null'],
          properties: {
            type: { type: ['string', 'null'], enum: ['oauth', 'none', null] },
            authorizationServer: {
              type: ['object', 'null'],
              properties: { issuer: { type: ['string', 'null'] } },
            },
          },
        },
        headers: { additionalProperties: { type: ['string', 'null'] } },
      },
    });
    for (const path of ['type.default', 'authorizationServer.required'])
      expect(schemaOf('update')).not.toHaveProperty(`properties.auth.properties.${path}`);
  });
});

describe('core_mcpserver_create', () => {
  it('writes the resource that the fields describe', async () => {
    const ports = portsOver();
    const definition = {
      name: 'new',
      description: 'Searches',
      type: 'streamable-http',
      url: 'https://search.example/mcp',
      headers: { Authorization: 'Bearer hush' },
      family: { name: 'search', instanceArg: 'site' },
      timeout: 5,
      auth: { type: 'none' },
    };
    const created = sentence("MCP server 'new' created successfully");
    expect(await call('create', definition, ports)).toEqual(created);
    const document = {
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
      metadata: { name: 'new' },
      spec: {
        type: 'streamable-http',
        family: { name: 'search', instanceArg: 'site' },
        description: 'Searches',
        url: 'https://search.example/mcp',
        headers: { Authorization: 'Bearer hush' },
        timeout: 5,
        auth: { type: 'none' },
      },
    };
    expect(ports.orders).toEqual([`create server ${JSON.stringify(document)}`]);
  });

  it('records the subject of a user who signed in, and nobody else', async () => {
    const createAs = async (principal: Principal, apiGroup?: string): Promise<string> => {
      const ports = { ...portsOver(), ...(apiGroup !== undefined && { apiGroup }) };
      await createCoreTools(ports).call('core_mcpserver_create', STDIO, { principal });
      return ports.orders.join();
    };
    const ada = createPrincipal({ issuer: 'https://issuer.test', subject: 'ada@example' });
    expect(await createAs(ada)).toContain(
      '"metadata":{"name":"new","annotations":{"gateway.internal/registered-by":"ada@example"}}',
    );
    expect(await createAs(ada, 'tools.example')).toContain('"tools.example/registered-by"');
    expect(await createAs(ANONYMOUS)).toContain('"metadata":{"name":"new"}');
    expect(await createAs({ ...ada, subject: 'a'.repeat(1025) })).toContain(
      '"metadata":{"name":"new"}',
    );
  });

  it('writes with the API group of the gateway', async () => {
    const ports = { ...portsOver(), apiGroup: 'tools.example' };
    await call('create', STDIO, ports);
    expect(ports.orders).toEqual([
      'create server {"apiVersion":"tools.example/v1alpha1","kind":"MCPServer","metadata":{"name":"new"},"spec":{"type":"stdio","command":"npx"}}',
    ]);
  });

  it.each<readonly [ServerWriteOutcome, unknown]>([
    [{ kind: 'done' }, sentence("MCP server 'new' created successfully")],
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

  it('requires name and type', async () => {
    expect(await call('create', {})).toEqual(failure('name argument is required'));
    expect(await call('create', { name: 'new' })).toEqual(failure('type argument is required'));
  });

  it('writes nothing that is invalid', async () => {
    const ports = portsOver();
    expect(await call('create', { name: 'new', type: 'stdio' }, ports)).toEqual(
      invalid('command is required for stdio type'),
    );
    expect(ports.orders).toEqual([]);
  });

  it('does not take a shown secret for a value', async () => {
    const ports = portsOver();
    const definition = {
      ...STDIO,
      env: { TOKEN: '***', MODE: 'fast' },
      args: ['--key=***', '***'],
    };
    expect(await call('create', definition, ports)).toEqual(
      invalid(
        'args.0 is ***, and there is no value to keep',
        'args.1 is ***, and there is no value to keep',
        'env.TOKEN is ***, and there is no value to keep',
      ),
    );
    expect(ports.orders).toEqual([]);
  });
});

describe('core_mcpserver_validate', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['type is required', {}],
    [
      'type is required; description: must be at most 500 characters',
      { description: 'x'.repeat(501) },
    ],
    ['unsupported MCP server type: ftp (supported: stdio, streamable-http, sse)', { type: 'ftp' }],
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
    [
      'args: args field is only allowed when type is stdio',
      { type: 'sse', url: 'http://a.example/', args: ['x'] },
    ],
    ['url: must be an http:// or https:// URL', { type: 'sse', url: 'ftp://a.example/' }],
    ['args[1]: must be a string, not a number', { ...STDIO, args: ['a', 1] }],
    ['family.instanceArg: instanceArg is required', { ...STDIO, family: { name: 'a' } }],
    ['auth.kind: unknown field', { type: 'sse', url: 'http://a.example/', auth: { kind: 'none' } }],
  ])('returns: %s', async (problem, fields) => {
    const problems = problem.split('; ');
    expect(await call('validate', { name: 'new', ...fields })).toEqual(
      failure(`Validation failed: ${problem}`, { problems }),
    );
  });

  it('accepts a definition that create would write, and writes nothing', async () => {
    const ports = portsOver();
    for (const fields of [
      { type: 'stdio', command: 'npx', args: ['a'], cwd: 'work', env: { A: 'b' }, toolPrefix: 'n' },
      { type: 'sse', url: 'http://a.example/', headers: { A: 'b' }, autoStart: true },
    ]) {
      expect(await call('validate', { name: 'new', ...fields }, ports)).toEqual(
        sentence('Validation successful for mcpserver new'),
      );
    }
    expect(ports.orders).toEqual([]);
  });

  it('reports the problem of a name', async () => {
    const { structuredContent } = await call('validate', { ...STDIO, name: 'No Name' });
    expect(structuredContent).toEqual({
      error: expect.stringMatching(/^Validation failed: name: must consist of/u) as unknown,
      problems: [expect.stringMatching(/^name: must consist of/u)],
    });
  });

  it('refuses unknown arguments and wrong types before it checks the definition', async () => {
    expect(await call('validate', { name: 'new', status: {} })).toEqual(
      failure(
        'unknown args: [status]. Allowed args: [name, type, toolPrefix, family, description, autoStart, command, args, cwd, startTimeout, instances, protocol, url, env, headers, envFrom, headersFrom, timeout, auth]',
      ),
    );
    expect(await call('validate', { name: 'new', autoStart: 'yes' })).toEqual(
      failure('autoStart must be a boolean'),
    );
    expect(await call('validate', { name: 'new', timeout: 301 })).toEqual(
      failure('timeout must be at most 300 (maximum value)'),
    );
    expect(await call('validate', { name: 'new', env: ['A=b'] })).toEqual(
      failure('env must be an object'),
    );
  });

  it('survives names that objects have anyway', async () => {
    const env = JSON.parse('{"__proto__":"a","constructor":"b"}') as object;
    expect(await call('validate', { ...STDIO, env })).toEqual(
      sentence('Validation successful for mcpserver new'),
    );
    expect(await call('validate', { ...STDIO, name: 'constructor' })).toEqual(
      sentence('Validation successful for mcpserver constructor'),
    );
  });
});

/** Returns the patch that an update passes to the port, or the refusal. */
const patchOf = async (args: object, servers: readonly ServerEntry[] = [files, wiki]) => {
  const ports = portsOver(servers);
  const result = await call('update', args, ports);
  const [order] = ports.orders;
  return order === undefined ? result : order;
};

describe('core_mcpserver_update', () => {
  it('passes only the given fields', async () => {
    expect(await patchOf({ name: 'files', description: 'New' })).toBe(
      'patch server files {"description":"New"}',
    );
    expect(await patchOf({ name: 'files' })).toBe('patch server files {}');
    expect(await patchOf({ name: 'files', autoStart: false, timeout: 3 })).toBe(
      'patch server files {"autoStart":false,"timeout":3}',
    );
  });

  it('passes null, which removes a field, and blank strings, which are values', async () => {
    expect(
      await patchOf({ name: 'files', toolPrefix: null, env: { A: null }, description: '' }),
    ).toBe('patch server files {"toolPrefix":null,"description":"","env":{"A":null}}');
    expect(await call('update', { name: 'files', autoStart: '' })).toEqual(
      failure('autoStart must be a boolean'),
    );
    expect(await call('update', { name: null })).toEqual(failure('name argument is required'));
  });

  it('preserves each secret that is sent back redacted', async () => {
    expect(await patchOf({ name: 'files', env: { API_TOKEN: '***', NEW: 'value' } })).toBe(
      'patch server files {"env":{"NEW":"value"}}',
    );
    expect(
      await patchOf({
        name: 'wiki',
        url: 'https://***@wiki.example/mcp?api_key=***&lang=en',
        headers: { Authorization: '***' },
        timeout: 3,
      }),
    ).toBe('patch server wiki {"headers":{},"timeout":3}');
  });

  it('removes headers that it would send to another origin, with the reason', async () => {
    const ports = portsOver([wiki]);
    const url = 'https://collector.example/mcp';
    expect(
      await call('update', { name: 'wiki', url, headers: { Authorization: '***' } }, ports),
    ).toEqual(
      sentence(
        "MCP server 'wiki' updated successfully. Removed, because they were for https://wiki.example and not for https://collector.example: headers.Authorization. Set them again if the new server may have them.",
        { removed: ['headers.Authorization'] },
      ),
    );
    expect(ports.orders).toEqual([
      `patch server wiki {"url":"${url}","headers":{"Authorization":null}}`,
    ]);
    expect(await patchOf({ name: 'wiki', url })).toBe(
      `patch server wiki {"url":"${url}","headers":{"Authorization":null}}`,
    );
  });

  it.each([
    ['another port', 'https://wiki.example:8443/mcp'],
    ['without TLS', 'http://wiki.example/mcp'],
  ])('removes headers for an address with %s', async (_title, url) => {
    expect(await patchOf({ name: 'wiki', url })).toContain('"headers":{"Authorization":null}');
  });

  it('keeps headers of the same origin, and sets those that are given', async () => {
    const url = 'https://wiki.example/v2/mcp';
    expect(await patchOf({ name: 'wiki', url, headers: { Authorization: '***' } })).toBe(
      `patch server wiki {"url":"${url}","headers":{}}`,
    );
    const other = 'https://collector.example/mcp';
    expect(await patchOf({ name: 'wiki', url: other, headers: { Authorization: 'mine' } })).toBe(
      `patch server wiki {"url":"${other}","headers":{"Authorization":"mine"}}`,
    );
    expect(await patchOf({ name: 'wiki', url: other, headers: null })).toBe(
      `patch server wiki {"url":"${other}","headers":null}`,
    );
  });

  it('removes variables that it would give to another command', async () => {
    expect(await patchOf({ name: 'files', command: 'sh', env: { API_TOKEN: '***', A: 'b' } })).toBe(
      'patch server files {"command":"sh","env":{"A":"b","API_TOKEN":null,"__proto__x":null}}',
    );
    expect(await patchOf({ name: 'files', command: 'npx', args: ['other'] })).toBe(
      'patch server files {"command":"npx","args":["other"]}',
    );
  });

  it('gives hidden arguments to no other command', async () => {
    const { definition } = files;
    const spec = { ...definition.spec, args: ['--token', 'hush'] };
    const servers = [{ ...files, definition: { ...definition, spec } } as ServerEntry];
    expect(await patchOf({ name: 'files', command: 'sh' }, servers)).toEqual(
      invalid(
        'args has hidden values, which were for another command: give the arguments of this one',
      ),
    );
    expect(
      await patchOf({ name: 'files', command: 'sh', args: ['--token', '***'] }, servers),
    ).toEqual(invalid('args.1 is ***, and there is no value to keep'));
  });

  it('refuses a redacted secret where no secret exists', async () => {
    expect(
      await patchOf({
        name: 'wiki',
        url: 'https://***@other.example/mcp',
        headers: { Other: '***' },
        env: { __proto__x: '***' },
      }),
    ).toEqual(
      invalid(
        'url is ***, and there is no value to keep',
        'env.__proto__x is ***, and there is no value to keep',
        'headers.Other is ***, and there is no value to keep',
      ),
    );
  });

  it('does not return the definition of a server that does not exist', async () => {
    const ports = { ...portsWriting({ kind: 'missing' }) };
    expect(await call('update', { name: 'gone', timeout: 3 }, ports)).toEqual(
      failure('Failed to update MCP server: MCP server gone not found'),
    );
  });

  it.each<readonly [ServerWriteOutcome, unknown]>([
    [{ kind: 'done' }, sentence("MCP server 'files' updated successfully")],
    [{ kind: 'missing' }, failure('Failed to update MCP server: MCP server files not found')],
    [
      {
        kind: 'invalid',
        issues: [
          'spec.type: must be one of stdio, streamable-http, sse',
          'spec.timeout: must be at least 1',
        ],
      },
      invalid(
        'unsupported MCP server type: ftp (supported: stdio, streamable-http, sse)',
        'timeout: must be at least 1',
      ),
    ],
    [{ kind: 'failed', text: 'disk full' }, failure('Failed to update MCP server: disk full')],
  ])('answers a write that ends as %j', async (outcome, result) => {
    const ports = portsWriting(outcome);
    expect(await call('update', { name: 'files', type: 'ftp' }, ports)).toEqual(result);
  });

  it('offers null for every field but the name, and no defaults', () => {
    const { entries } = createCoreTools(portsOver());
    const { inputSchema } = entries.find(({ name }) => name === 'core_mcpserver_update') ?? {};
    const properties = (inputSchema as { properties: Record<string, Record<string, unknown>> })
      .properties;
    for (const [name, schema] of Object.entries(properties)) {
      const takesNull = Array.isArray(schema['type']) && schema['type'].includes('null');
      expect([name, takesNull, 'default' in schema]).toEqual([name, name !== 'name', false]);
    }
    expect(inputSchema).toMatchObject({ required: ['name'] });
  });
});

describe('secrets among arguments of a command', () => {
  const ARGS = ['--verbose', '--token', 'first', '--password', 'second', '--key=third', 'last'];
  const { definition } = files;
  const server = {
    ...files,
    definition: { ...definition, spec: { ...definition.spec, args: ARGS } },
  } as ServerEntry;

  const kept = async (...args: readonly string[]) => {
    const result = await patchOf({ name: 'files', args }, [server]);
    return typeof result === 'string'
      ? (JSON.parse(result.slice('patch server files '.length)) as { args: unknown }).args
      : result;
  };

  it('stay when all are sent back as they were shown', async () => {
    expect(
      await kept('--verbose', '--token', '***', '--password', '***', '--key=***', 'last'),
    ).toEqual(ARGS);
  });

  it('follow the flag before them when the list changes', async () => {
    expect(await kept('--password', '***', 'new', '--key=***')).toEqual([
      '--password',
      'second',
      'new',
      '--key=third',
    ]);
  });

  it('are never put behind another flag', async () => {
    expect(await kept('--user', '***', '***')).toEqual(
      invalid(
        'args.1 is ***, and there is no value to keep',
        'args.2 is ***, and there is no value to keep',
      ),
    );
  });

  it('are refused where two have one place', async () => {
    const twice = {
      ...server,
      definition: { ...definition, spec: { ...definition.spec, args: ['--key=one', '--key=two'] } },
    } as ServerEntry;
    expect(await patchOf({ name: 'files', args: ['--key=***'] }, [twice])).toEqual(
      invalid('args.0 is ***, and it is not clear which value to keep'),
    );
  });
});
