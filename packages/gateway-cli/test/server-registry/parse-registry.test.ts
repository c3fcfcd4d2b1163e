import { describe, expect, it } from 'vitest';
import { parseRegistry } from '../../src/server-registry/format.ts';

const SERVER = {
  name: 'io.github.acme/weather',
  description: 'Forecasts',
  version: '1.2.3',
  packages: [
    {
      registryType: 'npm',
      identifier: '@acme/weather',
      version: '1.2.3',
      transport: { type: 'stdio' },
    },
  ],
};

const parse = (value: unknown) => parseRegistry(JSON.stringify(value));

const findProblem = (value: unknown): string => {
  const parsed = parse(value);
  return parsed.ok ? 'none' : parsed.problem;
};

const withPackage = (entry: object): object => ({
  ...SERVER,
  packages: [{ ...SERVER.packages[0], ...entry }],
});

describe('documents of a registry', () => {
  it('reads a server.json', () => {
    expect(parse(SERVER)).toMatchObject({
      ok: true,
      document: {
        servers: [{ name: 'io.github.acme/weather', status: 'active', isLatest: false }],
        invalid: [],
      },
    });
  });

  it('reads the metadata of a registry next to a server, and not those that a publisher wrote into it', () => {
    const official = { 'io.modelcontextprotocol.registry/official': { status: 'deleted' } };
    const inside = parse({ server: { ...SERVER, _meta: official } });
    expect(inside).toMatchObject({ document: { servers: [{ status: 'active' }] } });
    const outside = parse({ server: SERVER, _meta: official });
    expect(outside).toMatchObject({ document: { servers: [{ status: 'deleted' }] } });
  });

  it('reads a list with its cursor, and reports the entries that are not valid', () => {
    const list = {
      servers: [{ server: SERVER, _meta: null }, { server: { ...SERVER, version: 7 } }, 3],
      metadata: { nextCursor: 'a/b', count: 3 },
    };
    expect(parse(list)).toEqual({
      ok: true,
      document: {
        servers: [expect.objectContaining({ name: 'io.github.acme/weather' })],
        invalid: [
          {
            name: 'io.github.acme/weather',
            problem: { place: 'version', rule: 'must be a text' },
          },
          { problem: { place: '', rule: 'must be an object' } },
        ],
        nextCursor: 'a/b',
      },
    });
  });

  it('reads null as absent, as programs in Go write it', () => {
    const parsed = parse({
      ...withPackage({ runtimeArguments: null, fileSha256: null }),
      title: null,
    });
    expect(parsed.ok).toBe(true);
    expect(parse({ servers: [], metadata: { nextCursor: null } })).toEqual({
      ok: true,
      document: { servers: [], invalid: [] },
    });
  });
});

describe('documents that are refused', () => {
  it.each([
    ['[]', 'must be a JSON object'],
    ['{"name"', 'must be a JSON object'],
    ['{"servers":{}}', 'servers must be a list'],
    ['{"servers":[],"metadata":{"nextCursor":5}}', 'metadata.nextCursor must be a text'],
  ])('%s', (text, problem) => {
    expect(parseRegistry(text)).toEqual({ ok: false, problem });
  });

  it.each([
    [
      { ...SERVER, name: 'weather' },
      'name must be a namespace and a name with one "/" between them',
    ],
    [{ ...SERVER, name: 'a/b/c' }, 'name must be a namespace and a name with one "/" between them'],
    [{ name: 'a/b', description: '' }, 'version is missing'],
    [withPackage({ identifier: 5 }), 'packages[0].identifier must be a text'],
    [withPackage({ identifier: '' }), 'packages[0].identifier must have at least 1 characters'],
    [
      withPackage({ transport: { type: 'pipe' } }),
      'packages[0].transport.type must be one of stdio, streamable-http, sse',
    ],
    [withPackage({ transport: undefined }), 'packages[0].transport is missing'],
    [
      withPackage({ fileSha256: 'AB' }),
      'packages[0].fileSha256 must be 64 hexadecimal digits in lower case',
    ],
    [
      withPackage({ packageArguments: [{ name: 'x' }] }),
      'packages[0].packageArguments[0].type must be positional or named',
    ],
    [
      withPackage({ packageArguments: [{ type: 'named' }] }),
      'packages[0].packageArguments[0].name is missing',
    ],
    [
      withPackage({ environmentVariables: [{ name: 'A', isRequired: 'yes' }] }),
      'packages[0].environmentVariables[0].isRequired must be true or false',
    ],
    [
      withPackage({ environmentVariables: [{ name: 'A', choices: [1] }] }),
      'packages[0].environmentVariables[0].choices[0] must be a text',
    ],
    [
      {
        ...SERVER,
        remotes: [{ type: 'sse', url: 'https://a', variables: { 'a b': { isSecret: 1 } } }],
      },
      'remotes[0].variables["a b"].isSecret must be true or false',
    ],
    [
      { ...SERVER, packages: Array.from({ length: 51 }, () => SERVER.packages[0]) },
      'packages must have at most 50 entries',
    ],
    [
      { ...SERVER, packages: [{ registry_type: 'npm' }] },
      'packages[0] has the member names of a schema before 2025-09-16, such as registry_type; they must be written as registryType',
    ],
  ])('%j', (value, problem) => {
    expect(findProblem(value)).toBe(problem);
  });

  it('bounds sizes and survives deep nesting', () => {
    expect(parseRegistry(' '.repeat(8_000_001))).toEqual({
      ok: false,
      problem: 'must have at most 8,000,000 characters',
    });
    expect(parseRegistry(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`).ok).toBe(false);
    expect(findProblem({ ...SERVER, description: 'x'.repeat(8_193) })).toBe(
      'description must have at most 8192 characters',
    );
    const variables = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, {}]));
    expect(
      findProblem({ ...SERVER, remotes: [{ type: 'sse', url: 'https://a', variables }] }),
    ).toBe('remotes[0].variables must have at most 100 entries');
  });

  it('does not treat names such as __proto__ as members', () => {
    const text = JSON.stringify(SERVER).replace(
      '"packages"',
      '"__proto__":{"title":"x"},"packages"',
    );
    const parsed = parseRegistry(text);
    expect(parsed.ok && parsed.document.servers[0]?.title).toBeUndefined();
  });
});
