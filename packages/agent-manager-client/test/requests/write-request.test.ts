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
  return fc.record(
    Object.fromEntries(fields.map((field) => [field, VALUES[field] ?? createStringField])),
    {
      requiredKeys: fields.includes('name') ? ['name'] : [],
    },
  );
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

describe('any arguments', () => {
  it('are parsed back from the request that is written for them', () => {
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
});

describe('a request', () => {
  it('has the arguments at the locations of the operation', () => {
    expect(
      writeRequest(
        'update_agent',
        { name: 'sre', toolset: ['preset:none'], force: true },
        DEFAULTS,
      ),
    ).toEqual({
      ok: true,
      value: {
        method: 'PATCH',
        target: '/api/v1/agents/default/sre?force=true',
        body: '{"toolset":["preset:none"]}',
      },
    });
    expect(writeRequest('list_skills', { ref: 'a b&c', refresh: false }, DEFAULTS)).toEqual({
      ok: true,
      value: {
        method: 'GET',
        target: '/api/v1/skills?ref=a%20b%26c&refresh=false',
        body: undefined,
      },
    });
  });
  it('sends unknown arguments, so that they are refused', () => {
    const unknown = { colour: 'red' } as unknown as Record<string, never>;
    expect(writeRequest('get_info', unknown, DEFAULTS)).toMatchObject({
      value: { target: '/api/v1/info?colour=red' },
    });
    expect(
      writeRequest('update_agent', { name: 'a', namespace: 'b', ...unknown }, DEFAULTS),
    ).toMatchObject({ value: { body: '{"colour":"red"}' } });
  });
  it.each([
    ['', 'name "" cannot stand in an address'],
    ['.', 'name "." cannot stand in an address'],
    ['..', 'name ".." cannot stand in an address'],
    ['\ud800', String.raw`name "\ud800" cannot stand in an address`],
  ])('has no name %j in its path', (name, reason) =>
    expect(writeRequest('get_agent', { name }, DEFAULTS)).toEqual({
      ok: false,
      error: { code: 'invalid_request', message: `invalid request: ${reason}` },
    }),
  );
  it('has no unpaired surrogates in its query', () =>
    expect(writeRequest('list_agents', { namespace: '\udc00' }, DEFAULTS).ok).toBe(false));
  it('is sent without null members', () => {
    const absent = { namespace: null } as unknown as { namespace: string };
    expect(writeRequest('list_agents', absent, DEFAULTS)).toMatchObject({
      value: { target: '/api/v1/agents' },
    });
    expect(writeRequest('get_agent', { name: 'a', ...absent }, DEFAULTS)).toMatchObject({
      value: { target: '/api/v1/agents/default/a' },
    });
  });
  it('may have dots among others, and in its query', () => {
    expect(writeRequest('get_agent', { name: '...' }, DEFAULTS)).toMatchObject({ ok: true });
    expect(writeRequest('list_agents', { namespace: '..' }, DEFAULTS)).toMatchObject({
      value: { target: '/api/v1/agents?namespace=..' },
    });
  });
});
