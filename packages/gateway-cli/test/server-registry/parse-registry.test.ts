import { describe, expect, it } from 'vitest';
import { parseRegistry } from '../../src/server-registry/format.ts';

const PACKAGE = {
  registryType: 'npm',
  identifier: '@acme/weather',
  version: '1.2.3',
  transport: { type: 'stdio' },
};
const SERVER = {
  name: 'io.github.acme/weather',
  description: 'Forecasts',
  version: '1.2.3',
  packages: [PACKAGE],
};

const parse = (value: unknown) => parseRegistry(JSON.stringify(value));
const withPackage = (entry: object): object => ({
  ...SERVER,
  packages: [{ ...PACKAGE, ...entry }],
});

describe('documents of a registry', () => {
  it('reads a server.json', () => {
    const server = { name: 'io.github.acme/weather', status: 'active', isLatest: false };
    expect(parse(SERVER)).toMatchObject({ ok: true, document: { servers: [server], invalid: [] } });
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
    const name = 'io.github.acme/weather';
    expect(parse(list)).toEqual({
      ok: true,
      document: {
        servers: [expect.objectContaining({ name })],
        invalid: [
          { name, problem: { place: 'version', rule: 'must be a text' } },
          { problem: { place: '', rule: 'must be an object' } },
        ],
        nextCursor: 'a/b',
      },
    });
  });

  it('reads null as absent, as programs in Go write it', () => {
    const server = withPackage({ runtimeArguments: null, fileSha256: null });
    expect(parse({ ...server, title: null }).ok).toBe(true);
    expect(parse({ servers: [], metadata: { nextCursor: null } })).toEqual({
      ok: true,
      document: { servers: [], invalid: [] },
    });
  });

  it('does not treat names such as __proto__ as members', () => {
    const text = JSON.stringify(SERVER).replace('{', '{"__proto__":{"title":"x"},');
    const parsed = parseRegistry(text);
    expect(parsed.ok && parsed.document.servers[0]?.title).toBeUndefined();
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
    [{ identifier: 5 }, 'identifier must be a text'],
    [{ identifier: '' }, 'identifier must have at least 1 characters'],
    [{ transport: { type: 'pipe' } }, 'transport.type must be one of stdio, streamable-http, sse'],
    [{ transport: undefined }, 'transport is missing'],
    [{ fileSha256: 'AB' }, 'fileSha256 must be 64 hexadecimal digits in lower case'],
    [{ packageArguments: [{ name: 'x' }] }, 'packageArguments[0].type must be positional or named'],
    [{ packageArguments: [{ type: 'named' }] }, 'packageArguments[0].name is missing'],
    [
      { environmentVariables: [{ name: 'A', isRequired: 'yes' }] },
      'environmentVariables[0].isRequired must be true or false',
    ],
    [
      { environmentVariables: [{ name: 'A', choices: [1] }] },
      'environmentVariables[0].choices[0] must be a text',
    ],
  ])('a package with %j', (fields, problem) => {
    expect(parse(withPackage(fields))).toEqual({ ok: false, problem: `packages[0].${problem}` });
  });

  const NAME = 'name must be a namespace and a name with one "/" between them';
  const remote = (variables: object) => ({
    remotes: [{ type: 'sse', url: 'https://a', variables }],
  });
  it.each([
    [{ name: 'weather' }, NAME],
    [{ name: 'a/b/c' }, NAME],
    [{ version: undefined }, 'version is missing'],
    [
      remote({ 'a b': { isSecret: 1 } }),
      'remotes[0].variables["a b"].isSecret must be true or false',
    ],
    [
      remote(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, {}]))),
      'remotes[0].variables must have at most 100 entries',
    ],
    [{ description: 'x'.repeat(8_193) }, 'description must have at most 8192 characters'],
    [
      { packages: Array.from({ length: 51 }, () => PACKAGE) },
      'packages must have at most 50 entries',
    ],
    [
      { packages: [{ registry_type: 'npm' }] },
      'packages[0] has the member names of a schema before 2025-09-16, such as registry_type; they must be written as registryType',
    ],
  ])('a server with %j', (fields, problem) => {
    expect(parse({ ...SERVER, ...fields })).toEqual({ ok: false, problem });
  });

  it('bounds the size and survives deep nesting', () => {
    const problem = 'must have at most 8,000,000 characters';
    expect(parseRegistry(' '.repeat(8_000_001))).toEqual({ ok: false, problem });
    expect(parseRegistry(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`).ok).toBe(false);
  });
});
