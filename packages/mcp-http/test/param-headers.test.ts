import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpService } from '../src/index.ts';
import { serveEndpoint, type ServedEndpoint } from './endpoint.ts';
import { call } from './wire-client.ts';

/** A tool with arguments that travel as headers too, at two depths, and one beside it without. */
const SCHEMA = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    nested: { type: 'object', properties: { sure: { type: 'boolean', 'x-mcp-header': 'Sure' } } },
    plain: { type: 'string' },
    odd: { type: 'string', 'x-mcp-header': 'not a token' },
    many: { type: 'array', 'x-mcp-header': 'Many' },
  },
};

const service: McpService = {
  info: { name: 'mirrored', version: '1.0.0' },
  capabilities: { tools: {} },
  list: () => ({ ok: true, items: [{ name: 'mirrored', inputSchema: SCHEMA }] }),
  inputSchema: (tool) => (tool === 'mirrored' ? SCHEMA : undefined),
  call: () => ({ ok: true, result: { content: [] } }),
};

let endpoint: ServedEndpoint;
beforeAll(async () => {
  endpoint = await serveEndpoint(service);
});
afterAll(() => endpoint.drain(0));

const callWith = async (args: object, headers: object, name = 'mirrored') => {
  const called = { name, arguments: args };
  const sent = { headers: { ...headers } };
  const { status, json } = await endpoint.postModern('tools/call', called, sent);
  return status === 200 ? 'passed' : `${status} ${json.error.code} ${json.error.message}`;
};

describe('arguments that are also sent as headers', () => {
  it.each([
    [{ region: 'eu' }, { 'Mcp-Param-Region': 'eu' }],
    [{ region: 'é' }, { 'Mcp-Param-Region': '=?base64?w6k=?=' }],
    [{ region: '=?base64?w6k=' }, { 'Mcp-Param-Region': '=?base64?w6k=' }],
    [{ count: 42 }, { 'Mcp-Param-Count': '42.0' }],
    [{ nested: { sure: true } }, { 'Mcp-Param-Sure': 'true' }],
    [{ region: null }, {}],
    [{}, { 'Mcp-Param-Region': 'eu' }],
    [{ plain: 'x', odd: 'x', many: ['x'] }, {}],
  ])('%j passes with %j', async (args, headers) => {
    expect(await callWith(args, headers)).toBe('passed');
  });

  it.each([
    [{ region: 'eu' }, {}, 'region header is absent'],
    [
      { region: 'eu' },
      { 'Mcp-Param-Region': 'us' },
      'region header differs from the argument "region"',
    ],
    [
      { region: 'é' },
      { 'Mcp-Param-Region': '=?base64?w6k?=' },
      'region header is not valid Base64',
    ],
    [{ count: 42 }, { 'Mcp-Param-Count': '43' }, 'count header differs from the argument "count"'],
    [
      { nested: { sure: true } },
      { 'Mcp-Param-Sure': 'TRUE' },
      'sure header differs from the argument "nested.sure"',
    ],
    [
      { region: { deep: 1 } },
      { 'Mcp-Param-Region': '[object Object]' },
      'region header differs from the argument "region"',
    ],
  ])('%j is refused with %j', async (args, headers, what) => {
    expect(await callWith(args, headers)).toBe(
      `400 -32020 Bad Request: the request headers and body disagree: the mcp-param-${what}`,
    );
  });

  it('are ignored in a call of another tool, and in a call of a 2025 client', async () => {
    expect(await callWith({ region: 'eu' }, {}, 'other')).toBe('passed');
    const { json } = await endpoint.post(call('mirrored', { region: 'eu' }));
    expect(json.result).toEqual({ content: [] });
  });
});
