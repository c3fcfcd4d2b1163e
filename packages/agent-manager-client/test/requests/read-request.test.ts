import { describe, expect, it } from 'vitest';
import { readRequest, type OperationName } from '../../src/index.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const NOTHING = { path: {}, query: '', body: bytes('') };
const SRE = { path: { namespace: 'default', name: 'sre' }, query: '', body: bytes('') };

const updating = (body: string, query = '') =>
  readRequest('update_agent', { ...SRE, query, body: bytes(body) });
const creating = (given: string | Uint8Array, query = '') => {
  const body = typeof given === 'string' ? bytes(given) : given;
  return readRequest('create_agent', { ...NOTHING, query, body });
};
const reading = (name: OperationName, query: string) => readRequest(name, { ...NOTHING, query });

const accepted = (value: object) => ({ ok: true, value });
const refuseRequest = (reason: string) => ({
  ok: false,
  error: { code: 'invalid_request', message: `invalid request: ${reason}` },
});

describe('arguments in the path', () => {
  it.each([
    ['join those of the body', '{"displayName":"SRE"}', { displayName: 'SRE' }],
    ['can be repeated in the body', '{"name":"sre","namespace":null}', {}],
  ])('%s', (_rule, body, fields) =>
    expect(updating(body)).toEqual(accepted({ namespace: 'default', name: 'sre', ...fields })),
  );
  it.each([
    ['{"name":"other"}', 'name "other" in the body is not "sre" in the path'],
    ['{"namespace":""}', 'namespace "" in the body is not "default" in the path'],
    ['{"name":5}', 'name must be a string'],
  ])('must not differ in the body: %s', (body, reason) =>
    expect(updating(body)).toEqual(refuseRequest(reason)),
  );
});

describe('arguments in the query', () => {
  it('are texts, which may be empty, and booleans', () => {
    const query = 'repository=https%3A%2F%2Fgit%2Fa+b&refresh=true';
    const repository = 'https://git/a b';
    expect(reading('list_skills', query)).toEqual(accepted({ repository, refresh: true }));
    expect(reading('list_agents', 'namespace=')).toEqual(accepted({ namespace: '' }));
  });
  it.each(['yes', '', 'TRUE', '1'])('are booleans only as true and false: %j', (force) =>
    expect(readRequest('delete_agent', { ...SRE, query: `force=${force}` })).toEqual(
      refuseRequest('force must be a boolean'),
    ),
  );
  it('are not repeated', () =>
    expect(reading('list_agents', 'namespace=a&namespace=a')).toEqual(
      refuseRequest('query parameter namespace is given more than once'),
    ));
  it.each([
    ['get_info', 'colour=red', 'colour'],
    ['list_agents', 'namespace=a&Namespace=b', 'Namespace'],
    ['list_agents', '__proto__=b', '__proto__'],
    ['list_agents', '=', ''],
    ['get_agent', 'name=other', 'name'],
    ['create_agent', 'namespace=a', 'namespace'],
  ] as const)('of %s are not %s', (name, query, field) =>
    expect(reading(name, query)).toEqual(refuseRequest(`unknown field "${field}"`)),
  );
});

describe('force of update_agent', () => {
  it.each([
    ['{}', '', undefined],
    ['{}', 'force=true', true],
    ['{"force":true}', '', true],
    ['{"force":true}', 'force=false', true],
    ['{"force":false}', 'force=true', true],
    ['{"force":null}', 'force=false', false],
    ['{"force":false}', 'force=false', false],
  ])('with the body %s and the query %j is %j', (body, query, force) => {
    const read = updating(body, query);
    expect(read.ok && read.value.force).toBe(force);
  });
  it('is a boolean in the body, regardless of the query', () =>
    expect(updating('{"force":"yes"}', 'force=true')).toEqual(
      refuseRequest('force must be a boolean'),
    ));
});

describe('the body', () => {
  it.each(['', ' ', '\r\n\t', '\ufeff'])('is required: %j', (body) =>
    expect(creating(body)).toEqual(refuseRequest('a JSON body is required')),
  );
  it('can start with a byte order mark', () =>
    expect(creating('\ufeff{"name":"a"}')).toEqual(accepted({ name: 'a' })));
  it.each([
    ...['{', '"', '{"a\\', '{"\\x":1}', '{"a":1,"a":}', '{"name":"a"', "{'name':'a'}"],
    ...['{"name":"a"} x', '{"a":1,}', 'undefined', '\0'],
  ])('is JSON, and not %j', (body) =>
    expect(creating(body)).toEqual(refuseRequest('invalid JSON: the body does not parse')),
  );
  it.each(['[]', '"x"', '5', 'null', 'true'])('is an object, and not %s', (body) =>
    expect(creating(body)).toEqual(refuseRequest('the body must be an object')),
  );
  it('is UTF-8', () =>
    expect(creating(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toEqual(
      refuseRequest('invalid JSON: the body is not UTF-8'),
    ));
  it.each([
    ['toolset', '{"toolset":["preset:none"],"toolset":["preset:full"]}'],
    ['toolset', '{"toolset":[],"tool\\u0073et":[]}'],
    ['url', '{"skills":{"gitRefs":[{"url":"a"},{"url":"a","url":"b"}]}}'],
    ['__proto__', '{"labels":{"__proto__":"a","__proto__":"b"}}'],
  ])('has no duplicate name, at any depth and in any notation: %s in %s', (field, body) =>
    expect(creating(body)).toEqual(refuseRequest(`the body repeats the field "${field}"`)),
  );
  it('repeats values that have the syntax of a name', () => {
    const toolset = ['name', 'name:', '{"name":', '\\'];
    const value = { name: 'name', toolset, labels: { name: 'a' } };
    expect(creating(JSON.stringify(value))).toEqual(accepted(value));
  });
  it('is nested no deeper than 64 levels', () => {
    const nested = (depth: number) => `{"toolNames":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(creating(nested(63)).ok).toBe(true);
    expect(creating(nested(64))).toEqual(refuseRequest('the body is nested deeper than 64 levels'));
    expect(creating(nested(500_000))).toEqual(creating(nested(64)));
    expect(creating('['.repeat(1_000_000))).toEqual(creating(nested(64)));
  });
  it('is validated like the arguments of an MCP call', () =>
    expect(creating('{"toolset":[5]}')).toEqual(refuseRequest('toolset[0] must be a string')));
  it('is refused for an operation without a body', () => {
    const request = { ...SRE, body: bytes('{"force":true}') };
    const text = 'no body is taken here; arguments stand in the path and in the query';
    expect(readRequest('delete_agent', request)).toEqual(refuseRequest(text));
    expect(readRequest('get_agent', request)).toEqual(refuseRequest(text));
    expect(readRequest('get_agent', SRE).ok).toBe(true);
  });
});
