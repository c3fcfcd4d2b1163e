import { expect, it } from 'vitest';
import { listMirroredParams, createParamHeaders } from '../src/param-headers.ts';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'number', 'x-mcp-header': 'Count' },
    bad: { type: 'string', 'x-mcp-header': 'not a token' },
    inner: { type: 'object', properties: { on: { type: 'boolean', 'x-mcp-header': 'On' } } },
  },
};

it('finds the mirrored properties at any depth, valid declarations only', () => {
  expect(listMirroredParams(schema)).toEqual([
    { path: ['region'], header: 'Region' },
    { path: ['inner', 'on'], header: 'On' },
  ]);
});

it.each([
  [
    { region: 'eu', inner: { on: false } },
    { 'Mcp-Param-Region': 'eu', 'Mcp-Param-On': 'false' },
  ],
  [{ region: 'größe' }, { 'Mcp-Param-Region': '=?base64?Z3LDtsOfZQ==?=' }],
  [{ region: 'a\r\nb' }, { 'Mcp-Param-Region': '=?base64?YQ0KYg==?=' }],
  [{ region: null, inner: [] }, {}],
  [undefined, {}],
])('makes headers of %j', (args, headers) => {
  expect(createParamHeaders(listMirroredParams(schema), args)).toEqual(headers);
});
