import { expect, it } from 'vitest';
import { buildCatalog, rankTools, type CatalogSnapshot } from '../src/index.ts';
import { searchIndex } from '../src/search-index.ts';
import { fc } from './fast-check.ts';
import { inputOf, server, serverTool } from './inventories.ts';

const owner = (name: string, word: string, count = 20) =>
  server(
    name,
    Array.from({ length: count }, (_, index) =>
      serverTool(`t${index}`, { description: `Makes ${word} of kind${index}.` }),
    ),
  );

const segmentsOf = (snapshot: CatalogSnapshot) => searchIndex(snapshot).segments;
const sizesOf = (snapshot: CatalogSnapshot) =>
  segmentsOf(snapshot).map(({ segment }) => segment.tools.length);

it('reads the tools of a changed server only', () => {
  const servers = ['a', 'b', 'c', 'd'].map((name) => owner(name, 'bread'));
  const before = buildCatalog(inputOf(servers));
  expect(sizesOf(before)).toEqual([80]);
  const after = buildCatalog(inputOf(servers.with(1, owner('b', 'cheese', 5))), before);
  expect(sizesOf(after)).toEqual([80, 5]);
  expect(segmentsOf(after)[0]?.segment).toBe(segmentsOf(before)[0]?.segment);
  expect(rankTools(after, 'cheese', after.tools)).toHaveLength(5);
  expect(rankTools(before, 'bread', before.tools)).toHaveLength(80);
  expect(rankTools(after, 'bread', after.tools)).toHaveLength(60);
});

it('reads nothing when the tools only move', () => {
  const servers = [owner('m', 'bread'), owner('n', 'cheese')];
  const before = buildCatalog(inputOf(servers));
  const [first] = segmentsOf(before);
  const after = buildCatalog(inputOf([owner('a', 'wine', 3), ...servers]), before);
  expect(segmentsOf(after)[0]?.segment).toBe(first?.segment);
  expect(rankTools(after, 'cheese', after.tools)[0]?.tool.name).toBe('x_n_t0');
});

it('inherits the index over snapshots that were not searched', () => {
  const servers = [owner('m', 'bread'), owner('n', 'cheese')];
  const before = buildCatalog(inputOf(servers));
  const [first] = segmentsOf(before);
  const between = buildCatalog(inputOf([...servers, owner('o', 'wine', 2)]), before);
  const after = buildCatalog(inputOf([...servers, owner('o', 'beer', 2)]), between);
  expect(segmentsOf(after)[0]?.segment).toBe(first?.segment);
});

it('has few segments, and drops tools that are gone', () => {
  let servers = Array.from({ length: 30 }, (_, index) => owner(`s${index}`, 'bread', 4));
  let snapshot = buildCatalog(inputOf(servers));
  searchIndex(snapshot);
  for (let round = 0; round < 100; round += 1) {
    servers = servers.with(round % 30, owner(`s${round % 30}`, `thing${round}`, 4));
    snapshot = buildCatalog(inputOf(servers), snapshot);
    expect(segmentsOf(snapshot).length).toBeLessThanOrEqual(9);
  }
  const stored = sizesOf(snapshot).reduce((sum, size) => sum + size, 0);
  expect(stored).toBeLessThan(2.5 * snapshot.tools.length);
});

it('answers as an index that is built anew', () => {
  const words = ['bread', 'cheese', 'wine', 'mail'];
  const change = fc.record({ at: fc.nat(5), word: fc.constantFrom(...words), count: fc.nat(4) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
      let servers = Array.from({ length: 6 }, (_, index) => owner(`s${index}`, 'bread', 3));
      let snapshot = buildCatalog(inputOf(servers));
      for (const { at, word, count } of changes) {
        servers = servers.with(at, owner(`s${at}`, word, count));
        snapshot = buildCatalog(inputOf(servers), snapshot);
        searchIndex(snapshot);
      }
      const anew = buildCatalog(inputOf(servers));
      const answers = (one: CatalogSnapshot) =>
        rankTools(one, 'make bread or mail kind2', one.tools).map(({ tool, score }) => [
          tool.name,
          score,
        ]);
      expect(answers(snapshot)).toEqual(answers(anew));
    }),
    { numRuns: 50 },
  );
});
