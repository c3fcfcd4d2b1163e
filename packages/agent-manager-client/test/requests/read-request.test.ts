import { describe, expect, it } from 'vitest';
import { readRequest, type OperationName } from '../../src/index.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const NOTHING = { path: {}, query: '', body: bytes('') };
const SRE = { path: { namespace: 'default', name: 'sre' }, query: '', body: bytes('') };

const updating = (body: string, query = '') =>
  readRequest('update_agent', { ...SRE, query, body: bytes(body) });
const creating = (body: string | Uint8Array, query = '') =>
  readRequest('create_agent', {
    ...NOTHING,
    query,
    body: typeof body === 'string' ? bytes(body) : body,
  });
const reading = (name: OperationName, query: string) => readRequest(name, { ...NOTHING, query });

const refuseRequest = (reason: string) => ({
  ok: false,
  error: { code: 'invalid_request', message: `invalid request: ${reason}` },
});

describe('arguments in the path', () => {
  it('join those of the body', () =>
    expect(updating('{"displayName":"SRE"}')).toEqual({
      ok: true,
      value: { namespace: 'default', name: 'sre', displayName: 'SRE' },
    }));
  it('can be repeated in the body', () =>
    expect(updating('{"name":"sre","namespace":null}')).toEqual({
      ok: true,
      value: { namespace: 'default', name: 'sre' },
    }));
  it('must not differ there', () => {
    expect(updating('{"name":"other"}')).toEqual(
      refuseRequest('name "other" in the body is not "sre" in the path'),
    );
    expect(updating('{"namespace":""}')).toEqual(
      refuseRequest('namespace "" in the body is not "default" in the path'),
    );
    expect(updating('{"name":5}')).toEqual(refuseRequest('name must be a string'));
  });
});

describe('arguments in the query', () => {
  it('are texts and booleans', () =>
    expect(reading('list_skills', 'repository=https%3A%2F%2Fgit%2Fa+b&refresh=true')).toEqual({
      ok: true,
      value: { repository: 'https://git/a b', refresh: true },
    }));
  it('may be empty texts', () =>
    expect(reading('list_agents', 'namespace=')).toEqual({ ok: true, value: { namespace: '' } }));
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
    expect(creating('\ufeff{"name":"a"}')).toEqual({ ok: true, value: { name: 'a' } }));
  it.each([
    '{',
    '"',
    '{"a\\',
    '{"\\x":1}',
    '{"a":1,"a":}',
    '{"name":"a"',
    "{'name':'a'}",
    '{"name":"a"} x',
    '{"a":1,}',
    'undefined',
    '\0',
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
  it('has no duplicate name, at any depth and in any notation', () => {
    expect(creating('{"toolset":["preset:none"],"toolset":["preset:full"]}')).toEqual(
      refuseRequest('the body repeats the field "toolset"'),
    );
    expect(creating('{"toolset":[],"tool\\u0073et":[]}')).toEqual(
      refuseRequest('the body repeats the field "toolset"'),
    );
    expect(creating('{"skills":{"gitRefs":[{"url":"a"},{"url":"a","url":"b"}]}}')).toEqual(
      refuseRequest('the body repeats the field "url"'),
    );
    expect(creating('{"labels":{"__proto__":"a","__proto__":"b"}}')).toEqual(
      refuseRequest('the body repeats the field "__proto__"'),
    );
  });
  it('repeats values that have the syntax of a name', () =>
    expect(
      creating(
        '{"name":"name","toolset":["name","name:","{\\"name\\":","\\\\"],"labels":{"name":"a"}}',
      ),
    ).toMatchObject({ ok: true, value: { name: 'name', labels: { name: 'a' } } }));
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
