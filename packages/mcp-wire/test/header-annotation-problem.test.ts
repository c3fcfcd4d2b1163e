import { describe, expect, it } from 'vitest';
import { validateHeaderAnnotations } from '../src/param-headers.ts';

const input = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const region = { type: 'string', 'x-mcp-header': 'Region' };

describe('annotations that mirror arguments into headers', () => {
  it.each([
    ['none', input({ a: { type: 'object' } })],
    ['a string', input({ region })],
    ['an integer', input({ a: { type: 'integer', 'x-mcp-header': 'A' } })],
    ['a boolean', input({ a: { type: 'boolean', 'x-mcp-header': 'A' } })],
    ['one below another', input({ a: { type: 'object', properties: { region } } })],
    ['an argument of that name', input({ 'x-mcp-header': { type: 'array' } })],
    ['a default that looks like one', input({ a: { default: { 'x-mcp-header': '' } } })],
  ])('are fine: %s', (_what, schema) => {
    expect(validateHeaderAnnotations(schema)).toBeUndefined();
  });

  it.each([
    ['', 'x-mcp-header is no name of an HTTP header'],
    ['My Region', 'x-mcp-header is no name of an HTTP header'],
    ['Region:x', 'x-mcp-header is no name of an HTTP header'],
    ['Région', 'x-mcp-header is no name of an HTTP header'],
    ['Region\r\nX', 'x-mcp-header is no name of an HTTP header'],
    [7, 'x-mcp-header is no name of an HTTP header'],
  ])('must be names: %j', (header, fault) => {
    expect(
      validateHeaderAnnotations(input({ a: { type: 'string', 'x-mcp-header': header } })),
    ).toBe(fault);
  });

  it.each(['number', 'object', 'array', 'null', undefined])('must not stand at %s', (type) => {
    expect(validateHeaderAnnotations(input({ a: { type, 'x-mcp-header': 'A' } }))).toBe(
      'x-mcp-header stands at an argument of another type',
    );
  });

  it('must not be used twice, in whatever case', () => {
    const other = { type: 'string', 'x-mcp-header': 'REGION' };
    expect(validateHeaderAnnotations(input({ region, other }))).toBe('x-mcp-header is used twice');
  });

  it.each([
    ['the whole input', input({}, { 'x-mcp-header': 'A' })],
    ['items of a list', input({ list: { type: 'array', items: region } })],
    ['an alternative', input({ a: { oneOf: [{ properties: { region } }] } })],
    ['a definition', input({}, { $defs: { region } })],
    ['any other property', input({}, { additionalProperties: region })],
  ])('must not stand at %s', (_where, schema) => {
    expect(validateHeaderAnnotations(schema)).toBe('x-mcp-header stands where no argument is');
  });
});
