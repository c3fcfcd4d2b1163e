import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findOperation,
  OPERATIONS,
  parseArguments,
  readRequest,
  writeRequest,
  type OperationInput,
  type OperationName,
} from '../../src/index.ts';

const DEFAULTS = { namespace: 'default' };

const createStringField = fc
  .string({ unit: 'grapheme-composite', maxLength: 12 })
  .filter((value) => !/^\.{0,2}$/.test(value));
const labels = fc.dictionary(
  fc.oneof(createStringField, fc.constantFrom('__proto__', 'constructor')),
  createStringField,
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Arguments of any operation, by the names that they have in all of them. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  toolset: fc.array(createStringField, { maxLength: 4 }),
  labels,
  annotations: labels,
  skills: fc.record({
    refs: optional(fc.array(createStringField, { maxLength: 2 })),
    gitRefs: fc.array(fc.record({ url: createStringField, path: optional(createStringField) }), {
      maxLength: 2,
    }),
  }),
  force: fc.boolean(),
  update: fc.boolean(),
  refresh: fc.boolean(),
};

const inputOf = (name: OperationName): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const fields = Object.keys(OPERATIONS[name].input.shape);
  const values = fields.map((field) => [field, VALUES[field] ?? createStringField]);
  const requiredKeys = fields.includes('name') ? ['name'] : [];
  return fc.record(Object.fromEntries(values), { requiredKeys });
};

const call = fc
  .constantFrom(...(Object.keys(OPERATIONS) as OperationName[]))
  .chain((name) => inputOf(name).map((input) => ({ name, input })));

/** What a server makes of a request. */
const readBack = (method: string, target: string, body: string | undefined) => {
  const url = new URL(target, 'http://127.0.0.1');
  const found = findOperation(method, url.pathname);
  if (found.kind !== 'operation') return found;
  const request = { path: found.path, query: url.search.slice(1), body: bytesOf(body ?? '') };
  return { name: found.name, ...readRequest(found.name, request) };
};
const bytesOf = (json: string) => new TextEncoder().encode(json);

it('any arguments are parsed back from the request that is written for them', () => {
  fc.assert(
    fc.property(call, ({ name, input }) => {
      const written = writeRequest(name, input as OperationInput<typeof name>, DEFAULTS);
      if (!written.ok) throw new Error(written.error.message);
      const { method, target, body } = written.value;
      const inPath = OPERATIONS[name].route.includes('{namespace}') ? DEFAULTS : {};
      const expected = parseArguments(name, JSON.parse(JSON.stringify({ ...inPath, ...input })));
      expect(readBack(method, target, body)).toEqual({ name, ...expected });
    }),
    { numRuns: 150 },
  );
});

/** Writes the request of arguments, also of those that the types forbid. */
const write = (name: OperationName, input: object) =>
  writeRequest(name, input as OperationInput<typeof name>, DEFAULTS);

describe('a request', () => {
  const agents = '/api/v1/agents';
  const toolset = ['preset:none'];
  it.each<[string, OperationName, object, readonly [string, string, string?]]>([
    [
      'has the arguments at the locations of the operation',
      'update_agent',
      { name: 'sre', toolset, force: true },
      ['PATCH', `${agents}/default/sre?force=true`, '{"toolset":["preset:none"]}'],
    ],
    [
      'has the arguments of a read in its query',
      'list_skills',
      { ref: 'a b&c', refresh: false },
      ['GET', '/api/v1/skills?ref=a%20b%26c&refresh=false'],
    ],
    [
      'has unknown arguments, so that they are refused',
      'get_info',
      { colour: 'red' },
      ['GET', '/api/v1/info?colour=red'],
    ],
    [
      'has unknown arguments in its body, so that they are refused',
      'create_agent',
      JSON.parse('{"toolNames":["a"],"__proto__":{"x":1}}') as object,
      ['POST', agents, '{"toolNames":["a"],"__proto__":{"x":1}}'],
    ],
    ['has no null members', 'list_agents', { namespace: null }, ['GET', agents]],
    [
      'has no null members in its path',
      'get_agent',
      { name: 'a', namespace: null },
      ['GET', `${agents}/default/a`],
    ],
    ['may have dots among others', 'get_agent', { name: '...' }, ['GET', `${agents}/default/...`]],
    [
      'may have dots in its query',
      'list_agents',
      { namespace: '..' },
      ['GET', `${agents}?namespace=..`],
    ],
    [
      'has a name as one segment',
      'get_agent',
      { name: 'a/b?c#d\\\n' },
      ['GET', `${agents}/default/a%2Fb%3Fc%23d%5C%0A`],
    ],
    [
      'has a name without a second encoding',
      'get_agent',
      { name: '%2e%2e🦊 é' },
      ['GET', `${agents}/default/%252e%252e%F0%9F%A6%8A%20%C3%A9`],
    ],
  ])('%s', (_rule, name, input, [method, target, body]) => {
    expect(write(name, input)).toEqual({ ok: true, value: { method, target, body } });
  });

  it.each([
    ['', 'name "" cannot stand in an address'],
    ['.', 'name "." cannot stand in an address'],
    ['..', 'name ".." cannot stand in an address'],
    ['\ud800', String.raw`name "\ud800" cannot stand in an address`],
  ])('has no name %j in its path', (name, reason) =>
    expect(write('get_agent', { name })).toEqual({
      ok: false,
      error: { code: 'invalid_request', message: `invalid request: ${reason}` },
    }),
  );
  it('has no unpaired surrogates in its query', () =>
    expect(write('list_agents', { namespace: '\udc00' }).ok).toBe(false));
});
