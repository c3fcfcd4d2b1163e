import { expect, it } from 'vitest';
import { rankTools, searchTools } from '../src/index.ts';
import { catalogOf, server, serverTool } from './inventories.ts';

const described = (name: string, description: string) => serverTool(name, { description });

const snapshot = catalogOf(
  server('s', [
    described('alpha', 'Bakes bread.'),
    described('beta', 'Bakes bread rolls and sells them.'),
    described('gamma', 'Paints walls.'),
    described('delta', 'Paints doors.'),
  ]),
);

const nearest = ['x_s_gamma', 'x_s_beta'].flatMap((name) => snapshot.tool(name) ?? []);

const ranked = (query: string, candidates = snapshot.tools) =>
  rankTools(snapshot, query, candidates, { nearest }).map(({ tool }) => tool.name);

it('puts tools first that both rankings have, and keeps those of either', () =>
  expect(ranked('bread')).toEqual(['x_s_beta', 'x_s_alpha', 'x_s_gamma']));

it('keeps a tool first whose name is the query', () =>
  expect(ranked('alpha bread').concat(ranked('alpha'))).toEqual([
    'x_s_beta',
    'x_s_alpha',
    'x_s_gamma',
    'x_s_alpha',
    'x_s_gamma',
    'x_s_beta',
  ]));

it('finds candidates only', () => {
  expect(ranked('bread', snapshot.tools.slice(0, 2))).toEqual(['x_s_beta', 'x_s_alpha']);
});

it('gives pages of the fused ranking', () => {
  const outcome = searchTools(snapshot, snapshot.tools, {
    query: 'bread',
    nearest,
    limit: 1,
    offset: 1,
  });
  expect(outcome).toMatchObject({
    ok: true,
    value: { total: 3, truncated: true, items: [{ tool: { name: 'x_s_alpha' } }] },
  });
});
