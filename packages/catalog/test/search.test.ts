import { describe, expect, it } from 'vitest';
import { buildCatalog, rankTools, searchTools, type ToolSearch } from '../src/index.ts';
import { fc } from './fast-check.ts';
import { catalogOf, inputOf, server, serverTool } from './inventories.ts';

const snapshot = catalogOf(
  server('srv', [
    serverTool('log', { description: 'Shows commits.' }),
    serverTool('push', { description: 'Sends commits.' }),
    serverTool('weather', { description: 'Tells what tomorrow brings.' }),
  ]),
);

const search = (wanted: ToolSearch) => {
  const outcome = searchTools(snapshot, snapshot.tools, wanted);
  if (!outcome.ok) return outcome.error;
  const { items, ...rest } = outcome.value;
  return { ...rest, found: items.map(({ tool, score }) => [tool.name, typeof score]) };
};

it('returns everything in catalog order, without scores', () =>
  expect(search({})).toEqual({
    total: 3,
    truncated: false,
    leftOut: 0,
    found: [
      ['x_srv_log', 'undefined'],
      ['x_srv_push', 'undefined'],
      ['x_srv_weather', 'undefined'],
    ],
  }));

it('returns a page and whether items surround it', () => {
  expect(search({ limit: 1, offset: 1 })).toEqual({
    total: 3,
    truncated: true,
    leftOut: 0,
    found: [['x_srv_push', 'undefined']],
  });
  expect(search({ limit: 1, offset: 2 })).toMatchObject({ total: 3, truncated: false });
  expect(search({ limit: 5, offset: 3 })).toMatchObject({
    total: 3,
    truncated: false,
    found: [],
  });
});

it('ranks what passes the filters', () => {
  expect(search({ query: 'commits' })).toEqual({
    total: 2,
    truncated: false,
    leftOut: 0,
    found: [
      ['x_srv_log', 'number'],
      ['x_srv_push', 'number'],
    ],
  });
  expect(search({ query: 'commits', pattern: '*_push' })).toMatchObject({
    total: 1,
    found: [['x_srv_push', 'number']],
  });
});

it('counts what it leaves out because it scores far below the best', () => {
  const tools = catalogOf(
    server('s', [
      serverTool('rotate_invoice', { description: 'Rotates an invoice.' }),
      ...['list_a', 'list_b', 'list_c'].map((name) => serverTool(name, { description: 'Lists.' })),
    ]),
  );
  const query = 'list a rotated invoice';
  const found = searchTools(tools, tools.tools, { query });
  expect(found).toMatchObject({ ok: true, value: { total: 1, leftOut: 3 } });
  const second = searchTools(tools, tools.tools, { query, nearest: tools.tools.slice(1, 2) });
  expect(second).toMatchObject({ ok: true, value: { total: 2, leftOut: 2 } });
});

describe('the closest word', () => {
  it.each([
    ['inwheather', 'weather'],
    ['zzzqqq kommmits', 'commits'],
    ['the xtomoroww', 'tomorrow'],
  ])('is named when nothing matches: %s', (query, closest) =>
    expect(search({ query, pattern: 'x_*' })).toMatchObject({ total: 0, found: [], closest }),
  );

  it.each(['zzzqqq', 'lg', '12345', '!?'])('does not exist for %s', (query) =>
    expect(search({ query })).toEqual({ total: 0, truncated: false, leftOut: 0, found: [] }),
  );

  it('is not looked for when something matches', () =>
    expect(search({ query: 'commits' })).not.toHaveProperty('closest'));

  it('is a word of the candidates', () => {
    const query = 'kommmits';
    expect(search({ query, pattern: '*_weather' })).not.toHaveProperty('closest');
    expect(search({ query, pattern: '*_push' })).toMatchObject({ closest: 'commits' });
  });
});

it('passes a refusal on', () =>
  expect(search({ query: 'commits', pattern: '[' })).toEqual({
    code: 'filter.pattern-invalid',
    pattern: '[',
  }));

describe('candidates', () => {
  it('are all that can be found', () => {
    const outcome = searchTools(snapshot, snapshot.tools.slice(1), { query: 'commits' });
    expect(outcome.ok && outcome.value.items.map(({ tool }) => tool.name)).toEqual(['x_srv_push']);
  });

  it('may be none', () => {
    const empty = buildCatalog(inputOf([]));
    expect(searchTools(empty, [], { query: 'commits' })).toEqual({
      ok: true,
      value: { total: 0, items: [], truncated: false, leftOut: 0 },
    });
  });
});

it('returns pages whose concatenation is the ranking', () => {
  const verbs = ['read', 'write', 'list', 'read_all', 'log'];
  const many = catalogOf(
    server(
      'srv',
      Array.from({ length: 400 }, (_, index) =>
        serverTool(`${verbs[index % verbs.length] ?? ''}_${String(index)}`, {
          description: index % 3 === 0 ? 'Reads commits.' : 'Writes commits and reads logs.',
        }),
      ),
    ),
  );
  const query = 'read commits';
  const ranked = rankTools(many, query, many.tools);
  fc.assert(
    fc.property(fc.nat(450), fc.integer({ min: 1, max: 450 }), (offset, limit) => {
      const outcome = searchTools(many, many.tools, { query, offset, limit });
      const page = ranked.slice(offset, offset + limit);
      expect(outcome).toEqual({
        ok: true,
        value: {
          items: page,
          total: ranked.length,
          truncated: offset + limit < ranked.length,
          leftOut: 0,
        },
      });
    }),
    { numRuns: 100 },
  );
});
