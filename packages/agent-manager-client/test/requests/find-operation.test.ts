import { describe, expect, it } from 'vitest';
import { findOperation } from '../../src/index.ts';

describe('a method and a path', () => {
  it.each([
    ['GET', '/api/v1/info', 'get_info', {}],
    ['GET', '/api/v1/agents', 'list_agents', {}],
    ['POST', '/api/v1/agents', 'create_agent', {}],
    ['POST', '/api/v1/agents/validate', 'validate_agent', {}],
    ['GET', '/api/v1/agents/team-a/sre', 'get_agent', { namespace: 'team-a', name: 'sre' }],
    ['PATCH', '/api/v1/agents/team-a/sre', 'update_agent', { namespace: 'team-a', name: 'sre' }],
    ['DELETE', '/api/v1/agents/team-a/sre', 'delete_agent', { namespace: 'team-a', name: 'sre' }],
    ['GET', '/api/v1/agents/a/b/status', 'get_agent_status', { namespace: 'a', name: 'b' }],
    ['GET', '/api/v1/modelconfigs', 'list_model_configs', {}],
    ['GET', '/api/v1/skills', 'list_skills', {}],
  ])('%s %s are %s', (method, pathname, name, path) =>
    expect(findOperation(method, pathname)).toEqual({ kind: 'operation', name, path }),
  );
  it.each([
    ['/api/v1/agents/a/%2F..%2Fb', { namespace: 'a', name: '/../b' }],
    ['/api/v1/agents/a/%F0%9F%98%80', { namespace: 'a', name: '😀' }],
    ['/api/v1/agents/validate/status', { namespace: 'validate', name: 'status' }],
    ['/api/v1/agents/__proto__/constructor', { namespace: '__proto__', name: 'constructor' }],
  ])('GET %s are decoded once', (pathname, path) =>
    expect(findOperation('GET', pathname)).toEqual({ kind: 'operation', name: 'get_agent', path }),
  );
});

describe('a path of another method', () => {
  it.each([
    ['PUT', '/api/v1/agents/a/b', ['DELETE', 'GET', 'PATCH']],
    ['DELETE', '/api/v1/agents', ['GET', 'POST']],
    ['GET', '/api/v1/agents/validate', ['POST']],
    ['get', '/api/v1/info', ['GET']],
    ['constructor', '/api/v1/info', ['GET']],
  ])('%s %s: allowed are %j', (method, pathname, allow) =>
    expect(findOperation(method, pathname)).toEqual({ kind: 'method', allow }),
  );
});

describe('an unknown path', () => {
  it.each([
    ...['', '/', '/api/v1', '/api/v1/agents/', '/API/v1/agents', '/api/v1/agents/a'],
    ...['/api/v1/agents//b', '/api/v1/agents/a/', '/api/v1/agents/a/b/'],
    ...['/api/v1/agents/a/b/status/x', '/api/v1/agents/a/b/Status', '/api/v1/agents/a/%zz'],
    ...['/api/v1/agents/a/%ff', '/api/v1/{name}', '/api/v1/agents%2Fa/b'],
  ])('%j', (pathname) => expect(findOperation('GET', pathname)).toEqual({ kind: 'unknown' }));
  it('may be long', () =>
    expect(findOperation('GET', '/a'.repeat(1_000_000))).toEqual({ kind: 'unknown' }));
});
