import { describe, expect, it } from 'vitest';
import {
  createPatch,
  parseYaml,
  pickKnown,
  pickProperties,
  withoutEmpty,
  withTitles,
} from '../src/pages/definition/definition-values.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    maxResultBytes: { type: 'integer' },
    url: { type: 'string', title: 'Its own title' },
    limits: { type: 'object', properties: { callTimeout: { type: 'integer' } } },
    tools: { type: 'array', items: { type: 'object', properties: { hidden: {} } } },
  },
  required: ['name'],
};

describe('the fields of a definition', () => {
  it('have titles in words, also inside of others', () => {
    expect(withTitles(SCHEMA)).toMatchObject({
      properties: {
        maxResultBytes: { title: 'Max result bytes' },
        url: { title: 'Its own title' },
        limits: { title: 'Limits', properties: { callTimeout: { title: 'Call timeout' } } },
        tools: { items: { properties: { hidden: { title: 'Hidden' } } } },
      },
    });
  });

  it('are divided into first ones and others', () => {
    const names = (schema: Record<string, unknown>) => Object.keys(schema['properties'] as object);
    const first = ['url', 'gone', 'name'];
    expect(names(pickProperties(SCHEMA, first))).toEqual(['url', 'name']);
    expect(names(pickProperties(SCHEMA, first, true))).toEqual([
      ...['maxResultBytes', 'limits', 'tools'],
    ]);
  });

  it('leave out what the schema does not have', () => {
    expect(pickKnown(SCHEMA, { name: 'a', status: {}, toString: 1 })).toEqual({ name: 'a' });
  });
});

it('a form leaves no empty values behind', () => {
  const value = {
    name: '',
    args: [],
    auth: { exchange: { a: undefined } },
    limits: { rate: {}, queue: 0 },
  };
  expect(withoutEmpty(value)).toEqual({ name: '', args: [], limits: { queue: 0 } });
});

describe('a change', () => {
  const before = { name: 'a', env: { TOKEN: '***', MODE: 'x' }, args: ['1'], cwd: '/' };

  it.each([
    [before, {}],
    [{ ...before, args: ['1', '2'] }, { args: ['1', '2'] }],
    [{ ...before, env: { TOKEN: '***' } }, { env: { MODE: null } }],
    [
      { ...before, cwd: undefined, url: 'u' },
      { cwd: null, url: 'u' },
    ],
    [{ ...before, env: 'text' }, { env: 'text' }],
  ])('to %o writes %o', (after, patch) => {
    expect(createPatch(before, after)).toEqual(patch);
  });
});

describe('a YAML text', () => {
  it('is an object of fields', () => {
    expect(parseYaml('name: a\nargs: [1]\n')).toEqual({ value: { name: 'a', args: [1] } });
  });

  it.each([
    ['- a', 'The text is no list of fields.'],
    ['a: [', 'at line 1'],
    ['a: 1\na: 2', 'Map keys must be unique'],
    ['a: &x [1]\nb: *x', 'References of YAML'],
  ])('that is none is refused: %s', (text, problem) => {
    const parsed = parseYaml(text);
    expect('problem' in parsed && parsed.problem).toContain(problem);
  });
});
